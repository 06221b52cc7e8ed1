import { doubleCapacity } from '../../columns/column-capacity.js';
import { StringInterner } from '../../columns/string-interner.js';
import { createAttributes, readAttribute } from '../wire/any-value.js';
import type { WireReader } from '../wire/wire-reader.js';

/** Longer attribute lists are not cached. */
const MAX_CACHED_BYTES = 1 << 10;

/**
 * Interns the attributes of data points in canonical form: JSON of [key, string form] pairs by key ascending. A series
 * sends the same bytes repeatedly, so results are cached by raw bytes.
 */
export class DataPointAttributeInterner {
  private raw = new StringInterner();
  /** By the id of the raw bytes: id of the canonical form, its keys, and the last request that contained it. */
  private canonical = new Uint32Array(1024);
  private keysById: (readonly string[])[] = [];
  private seenInRequest = new Uint32Array(1024);
  private request = 0;
  private strings = new StringInterner();
  private keys = new Set<string>();

  /** Starts a request: ids refer to `strings`, and keys are added to `keys` from here on. */
  beginRequest(strings: StringInterner, keys: Set<string>): void {
    if (strings !== this.strings || this.raw.isLarge || this.request === 0xffff_ffff) this.reset();
    this.strings = strings;
    this.keys = keys;
    this.request++;
  }

  /** Id of the attributes in the contiguous fields `bytes[from, to)`. May move the cursor. */
  intern(reader: WireReader, attributeTag: number, from: number, to: number): number {
    if (to - from > MAX_CACHED_BYTES) return this.internScattered(reader, attributeTag, from, to);
    const known = this.raw.find(reader.bytes, from, to);
    const id = known >= 0 ? known : this.add(reader, attributeTag, from, to);
    if (this.seenInRequest[id] !== this.request) {
      this.seenInRequest[id] = this.request;
      for (const key of this.keysById[id]) this.keys.add(key);
    }
    return this.canonical[id];
  }

  /** The same for attributes interleaved with other fields. */
  internScattered(reader: WireReader, attributeTag: number, from: number, to: number): number {
    const pairs = readCanonicalPairs(reader, attributeTag, from, to);
    for (const [key] of pairs) this.keys.add(key);
    return this.strings.internText(JSON.stringify(pairs));
  }

  private add(reader: WireReader, attributeTag: number, from: number, to: number): number {
    const pairs = readCanonicalPairs(reader, attributeTag, from, to);
    const id = this.raw.intern(reader.bytes, from, to);
    if (id >= this.canonical.length) {
      this.canonical = doubleCapacity(this.canonical);
      this.seenInRequest = doubleCapacity(this.seenInRequest);
    }
    this.canonical[id] = this.strings.internText(JSON.stringify(pairs));
    this.keysById.push(pairs.map(([key]) => key));
    return id;
  }

  private reset(): void {
    this.raw = new StringInterner();
    this.keysById = [];
    this.seenInRequest.fill(0);
    this.request = 0;
  }
}

type AttributePair = readonly [key: string, text: string];

function readCanonicalPairs(reader: WireReader, attributeTag: number, from: number, to: number): AttributePair[] {
  const attributes = createAttributes();
  reader.pos = from;
  while (reader.pos < to) {
    const tag = reader.readTag(to);
    if (tag === attributeTag) readAttribute(reader, reader.readPayloadEnd(to), attributes);
    else reader.skip(tag, to);
  }
  return Object.keys(attributes)
    .sort()
    .map((key): AttributePair => [key, String(attributes[key])]);
}
