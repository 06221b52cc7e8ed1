import { EXCEPTION_MESSAGE, EXCEPTION_TYPE } from '../../attributes.js';
import type { StringInterner } from '../../columns/string-interner.js';
import { findTruncationEnd } from '../../utf8.js';
import { AttributeTokenHasher } from '../../attribute-tokens.js';
import { toExactInteger, readAnyValue } from '../wire/any-value.js';
import { ANY_VALUE, KEY_VALUE } from '../wire/otlp-field-tags.js';
import { AttributeKeyTable } from './attribute-key-table.js';
import type { WireReader } from '../wire/wire-reader.js';

/** Ids of the keys that the decoders interpret. */
export const SERVICE_NAME = 0;
export const SERVICE_VERSION = 1;
export const SERVICE_INSTANCE = 2;
export const HTTP_STATUS = 3;
export const DEPRECATED_HTTP_STATUS = 4;
export const EXCEPTION_TYPE_KEY = 5;
export const EXCEPTION_MESSAGE_KEY = 6;
/** First of the keys that name the called service, ordered by priority. */
export const FIRST_PEER_KEY = 7;

/** In the order of contract §5; each deprecated key follows its replacement. */
const PEER_KEYS = [
  'peer.service',
  'db.namespace',
  'db.name',
  'messaging.destination.name',
  'messaging.destination',
  'server.address',
  'net.peer.name',
  'db.system.name',
  'db.system',
  'messaging.system',
  'rpc.system',
];
const KNOWN_KEYS = [
  'service.name',
  'service.version',
  'service.instance.id',
  'http.response.status_code',
  'http.status_code',
  EXCEPTION_TYPE,
  EXCEPTION_MESSAGE,
  ...PEER_KEYS,
];
export const LAST_KNOWN_KEY = KNOWN_KEYS.length - 1;

/** Result of `read` for a key that the record already had. */
export const REPEATED_KEY = -1;

const TRUE = Buffer.from('true');
const FALSE = Buffer.from('false');
const NINE_DIGITS = 1_000_000_000;

/**
 * Reads attributes from the wire: id of the key, token of the pair. Strings, integers and booleans allocate no
 * JavaScript string. Fields hold the result of the last `read`; one instance serves a whole decoder.
 */
export class AttributeReader {
  /** Tag of the AnyValue member, 0 for an empty value. */
  kind = 0;
  /** Payload of the member, for strings, bytes, arrays and maps. */
  from = 0;
  to = 0;
  /** Halves of the member's value, for integers and booleans. */
  lo = 0;
  hi = 0;
  token = 0;
  check = 0;

  /** Range of the AnyValue message. */
  private valueFrom = 0;
  private valueTo = 0;
  private readonly keys = new AttributeKeyTable(KNOWN_KEYS);
  private readonly hash = new AttributeTokenHasher();
  private readonly scratch = new Uint8Array(32);
  private readonly scratchView = new DataView(this.scratch.buffer);
  private readonly trueView = new DataView(TRUE.buffer, TRUE.byteOffset, TRUE.length);
  private readonly falseView = new DataView(FALSE.buffer, FALSE.byteOffset, FALSE.length);
  /** By key id: the last record and the last request that contained it. */
  private seenInRecord = new Uint32Array(1024);
  private seenInRequest = new Uint32Array(1024);
  private record = 0;
  private request = 0;
  private requestKeys: Set<string> = new Set();

  /** Starts a request: keys are added to `requestKeys` from here on. */
  beginRequest(requestKeys: Set<string>): void {
    if (this.keys.resetIfLarge() || this.record > 0x7fff_0000) {
      this.seenInRecord.fill(0);
      this.seenInRequest.fill(0);
      this.record = 0;
      this.request = 0;
    }
    this.request++;
    this.requestKeys = requestKeys;
  }

  /** Starts a record: forgets which keys were repeated. */
  beginRecord(): void {
    this.record++;
  }

  /** Reads the KeyValue message up to `end`; returns the id of its key, or REPEATED_KEY. Leaves the cursor at `end`. */
  read(reader: WireReader, end: number): number {
    const { bytes, pos } = reader;
    if (bytes[pos] === KEY_VALUE.key && bytes[pos + 1] < 128) {
      const keyTo = pos + 2 + bytes[pos + 1];
      if (keyTo < end && bytes[keyTo] === KEY_VALUE.value) {
        reader.pos = keyTo + 1;
        if (reader.readPayloadEnd(end) === end) return this.finishPair(reader, pos + 2, keyTo, reader.pos, end);
        reader.pos = pos;
      }
    }
    return this.readAnyOrder(reader, end);
  }

  /** Like `read`, without assuming that key and value occur once and in this order. */
  private readAnyOrder(reader: WireReader, end: number): number {
    let keyFrom = reader.pos;
    let keyTo = keyFrom;
    let valueFrom = end;
    let valueTo = end;
    while (reader.pos < end) {
      const tag = reader.readTag(end);
      if (tag === KEY_VALUE.key) {
        keyTo = reader.readPayloadEnd(end);
        keyFrom = reader.pos;
        reader.pos = keyTo;
      } else if (tag === KEY_VALUE.value) {
        valueTo = reader.readPayloadEnd(end);
        valueFrom = reader.pos;
        reader.pos = valueTo;
      } else reader.skip(tag, end);
    }
    return this.finishPair(reader, keyFrom, keyTo, valueFrom, valueTo, end);
  }

  private finishPair(
    reader: WireReader,
    keyFrom: number,
    keyTo: number,
    valueFrom: number,
    valueTo: number,
    end = valueTo,
  ): number {
    const key = this.internKey(reader, keyFrom, keyTo);
    if (key !== REPEATED_KEY) {
      this.valueFrom = valueFrom;
      this.valueTo = valueTo;
      this.hashValue(reader);
    }
    reader.pos = end;
    return key;
  }

  /** String form of the last value. Does not move the cursor. */
  readText(reader: WireReader): string {
    const { pos } = reader;
    const text = String(readAnyValue(reader, this.valueFrom, this.valueTo));
    reader.pos = pos;
    return text;
  }

  /** Interns the string form of the last value, truncated to `maxCharacters`. */
  internText(reader: WireReader, strings: StringInterner, maxCharacters = Infinity): number {
    if (this.kind === ANY_VALUE.string)
      return strings.intern(
        reader.bytes,
        this.from,
        findTruncationEnd(reader.bytes, this.from, this.to, maxCharacters),
      );
    const text = Buffer.from(this.readText(reader));
    return strings.intern(text, 0, findTruncationEnd(text, 0, text.length, maxCharacters));
  }

  private internKey(reader: WireReader, from: number, to: number): number {
    const { hash } = this;
    hash.reset();
    hash.add(reader.view, from, to);
    const key = this.keys.intern(hash, reader.view, from, to);
    if (key >= this.seenInRecord.length) this.growKeyTables(key);
    if (this.seenInRecord[key] === this.record) return REPEATED_KEY;
    this.seenInRecord[key] = this.record;
    if (this.seenInRequest[key] !== this.request) {
      this.seenInRequest[key] = this.request;
      const name = this.keys.text(key);
      if (name !== undefined) this.requestKeys.add(name);
    }
    return key;
  }

  private growKeyTables(key: number): void {
    const size = 2 ** Math.ceil(Math.log2(key + 2));
    const record = new Uint32Array(size);
    const request = new Uint32Array(size);
    record.set(this.seenInRecord);
    request.set(this.seenInRequest);
    this.seenInRecord = record;
    this.seenInRequest = request;
  }

  /** Completes the token: `hash` holds the key, the string form of the value is added. */
  private hashValue(reader: WireReader): void {
    const kind = this.locateValue(reader, this.valueFrom, this.valueTo);
    const { hash } = this;
    if (kind === ANY_VALUE.string) hash.add(reader.view, this.from, this.to);
    else if (kind === ANY_VALUE.int) this.hashInteger();
    else if (kind === ANY_VALUE.bool) this.hashBoolean();
    else this.hashText(this.readText(reader));
    this.token = hash.token();
    this.check = hash.check();
  }

  /** Finds the effective member of the AnyValue, which is the last one. */
  private locateValue(reader: WireReader, from: number, to: number): number {
    this.kind = 0;
    reader.pos = from;
    if (reader.bytes[from] === ANY_VALUE.string && from < to) {
      reader.pos++;
      this.to = reader.readPayloadEnd(to);
      this.from = reader.pos;
      if (this.to === to) return (this.kind = ANY_VALUE.string);
      reader.pos = from;
    }
    while (reader.pos < to) {
      const tag = reader.readTag(to);
      switch (tag) {
        case ANY_VALUE.string:
        case ANY_VALUE.bytes:
        case ANY_VALUE.array:
        case ANY_VALUE.kvlist:
          this.to = reader.readPayloadEnd(to);
          this.from = reader.pos;
          this.kind = tag;
          reader.pos = this.to;
          break;
        case ANY_VALUE.int:
        case ANY_VALUE.bool:
          reader.readVarint64(to);
          this.kind = tag;
          this.lo = reader.lo;
          this.hi = reader.hi;
          break;
        default:
          if (tag === ANY_VALUE.double) this.kind = tag;
          reader.skip(tag, to);
      }
    }
    return this.kind;
  }

  private hashInteger(): void {
    if (this.hi !== 0 || this.lo >= NINE_DIGITS) {
      this.hashText(String(toExactInteger(this.hi, this.lo)));
      return;
    }
    const { scratch } = this;
    let at = scratch.length;
    let rest = this.lo | 0;
    do {
      const quotient = (rest / 10) | 0;
      scratch[--at] = 48 + rest - quotient * 10;
      rest = quotient;
    } while (rest > 0);
    this.hash.add(this.scratchView, at, scratch.length);
  }

  /** Doubles and large integers fit the scratch buffer; longer or non-ASCII texts take the slow path. */
  private hashText(text: string): void {
    const { scratch } = this;
    if (text.length > scratch.length) return this.hash.addText(text);
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      if (unit > 127) return this.hash.addText(text);
      scratch[i] = unit;
    }
    this.hash.add(this.scratchView, 0, text.length);
  }

  private hashBoolean(): void {
    const view = this.lo !== 0 || this.hi !== 0 ? this.trueView : this.falseView;
    this.hash.add(view, 0, view.byteLength);
  }
}
