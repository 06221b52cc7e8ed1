import { doubled } from '../growth.js';
import { Interner } from '../interner.js';
import { noAttributes, readAttribute } from './any-value.js';
import type { WireReader } from './wire-reader.js';

/** A longer list is not kept: it is made anew each time. */
const MAX_KEPT_BYTES = 1 << 10;

/**
 * Attributes of data points in canonical form: JSON of [key, string form] pairs by key ascending. A series sends the same
 * bytes again and again, so the bytes are looked up first, and the JSON is made when they are new.
 */
export class PointAttributes {
  private raw = new Interner();
  /** By the id of the raw bytes: id of the canonical form, its keys, and the request that met it last. */
  private canonical = new Uint32Array(1024);
  private keysOf: (readonly string[])[] = [];
  private seenInRequest = new Uint32Array(1024);
  private request = 0;
  private strings = new Interner();
  private keys = new Set<string>();

  /** From here on ids are those of `strings`, and keys are added to `keys`. */
  beginRequest(strings: Interner, keys: Set<string>): void {
    if (strings !== this.strings || this.raw.isLarge || this.request === 0xffff_ffff) this.restart();
    this.strings = strings;
    this.keys = keys;
    this.request++;
  }

  /** Id of the attributes whose fields are `bytes[from, to)`, side by side. The cursor may be moved. */
  id(reader: WireReader, attributeTag: number, from: number, to: number): number {
    if (to - from > MAX_KEPT_BYTES) return this.scattered(reader, attributeTag, from, to);
    const known = this.raw.find(reader.bytes, from, to);
    const id = known >= 0 ? known : this.add(reader, attributeTag, from, to);
    if (this.seenInRequest[id] !== this.request) {
      this.seenInRequest[id] = this.request;
      for (const key of this.keysOf[id]) this.keys.add(key);
    }
    return this.canonical[id];
  }

  /** The same for fields with other ones between them. */
  scattered(reader: WireReader, attributeTag: number, from: number, to: number): number {
    const pairs = canonicalForm(reader, attributeTag, from, to);
    for (const [key] of pairs) this.keys.add(key);
    return this.strings.idOf(JSON.stringify(pairs));
  }

  private add(reader: WireReader, attributeTag: number, from: number, to: number): number {
    const pairs = canonicalForm(reader, attributeTag, from, to);
    const id = this.raw.id(reader.bytes, from, to);
    if (id >= this.canonical.length) {
      this.canonical = doubled(this.canonical);
      this.seenInRequest = doubled(this.seenInRequest);
    }
    this.canonical[id] = this.strings.idOf(JSON.stringify(pairs));
    this.keysOf.push(pairs.map(([key]) => key));
    return id;
  }

  private restart(): void {
    this.raw = new Interner();
    this.keysOf = [];
    this.seenInRequest.fill(0);
    this.request = 0;
  }
}

type Pair = readonly [key: string, text: string];

function canonicalForm(reader: WireReader, attributeTag: number, from: number, to: number): Pair[] {
  const attributes = noAttributes();
  reader.pos = from;
  while (reader.pos < to) {
    const tag = reader.tag(to);
    if (tag === attributeTag) readAttribute(reader, reader.end(to), attributes);
    else reader.skip(tag, to);
  }
  return Object.keys(attributes).sort().map((key): Pair => [key, String(attributes[key])]);
}
