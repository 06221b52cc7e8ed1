import { REQUEST, RESOURCE_ITEMS, SCOPE_ITEMS } from './otlp-field-tags.js';

/**
 * The body is not valid protobuf: a length exceeds its message, a varint does not end, or a wire type does not exist.
 */
export class MalformedBody extends Error {
  override readonly name = 'MalformedBody';
}

/** Wire types. 3 and 4 (groups) are not part of proto3 and are refused. */
const VARINT = 0;
const FIXED64 = 1;
const LENGTH_DELIMITED = 2;
const FIXED32 = 5;
const TWO_32 = 2 ** 32;
const SMALL_INTEGER_LIMIT = 2 ** 30;
const MAX_FIELD_NUMBER = 2 ** 29 - 1;

/**
 * A cursor over protobuf bytes. Every method that takes `limit`, the end of the enclosing message, throws MalformedBody
 * instead of reading past it. One class for all message types keeps calls monomorphic; no method except `decodeText`
 * allocates.
 */
export class WireReader {
  bytes: Uint8Array = new Uint8Array(0);
  view: DataView = new DataView(this.bytes.buffer);
  pos = 0;
  /** Unsigned halves of the last 64-bit value read. */
  lo = 0;
  hi = 0;

  constructor(bytes?: Uint8Array) {
    if (bytes !== undefined) this.reset(bytes);
  }

  reset(bytes: Uint8Array): void {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.pos = 0;
  }

  /** Reads a tag: field number × 8 + wire type. */
  readTag(limit: number): number {
    const first = this.bytes[this.pos];
    if (first < 128 && first > 7) {
      this.pos++;
      return first;
    }
    const tag = this.readVarint(limit);
    const field = Math.floor(tag / 8);
    if (field === 0 || field > MAX_FIELD_NUMBER) throw new MalformedBody(`field number ${field} at byte ${this.pos}`);
    return tag;
  }

  /** Reads an unsigned varint of up to ten bytes; exact up to 2^53, rounded above. */
  readVarint(limit: number): number {
    const { bytes, pos } = this;
    if (pos + 4 > limit) return this.readLongVarint(limit);
    const first = bytes[pos];
    if (first < 128) {
      this.pos = pos + 1;
      return first;
    }
    const second = bytes[pos + 1];
    if (second < 128) {
      this.pos = pos + 2;
      return (second << 7) | (first & 127);
    }
    const third = bytes[pos + 2];
    if (third < 128) {
      this.pos = pos + 3;
      return (third << 14) | ((second & 127) << 7) | (first & 127);
    }
    return this.readLongVarint(limit);
  }

  /** Separate from `readVarint` so that its results stay small integers for the compiler. */
  private readLongVarint(limit: number): number {
    this.readVarint64(limit);
    return this.hi === 0 && this.lo < SMALL_INTEGER_LIMIT ? this.lo | 0 : this.hi * TWO_32 + this.lo;
  }

  /** Reads a varint of up to ten bytes into `lo` and `hi`; bits past the 64th are dropped, as protobuf does. */
  readVarint64(limit: number): void {
    const { bytes } = this;
    let lo = 0;
    let hi = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      if (this.pos >= limit) throw this.createTruncatedError();
      const byte = bytes[this.pos++];
      const bits = byte & 0x7f;
      if (shift < 28) lo |= bits << shift;
      else if (shift === 28) {
        lo |= bits << 28;
        hi = bits >>> 4;
      } else if (shift < 63) hi |= bits << (shift - 32);
      else hi |= (bits & 1) << 31;
      if (byte < 128) {
        this.lo = lo >>> 0;
        this.hi = hi >>> 0;
        return;
      }
    }
    throw new MalformedBody(`a varint of more than ten bytes before byte ${this.pos}`);
  }

  /** Reads little-endian 64 bits into `lo` and `hi`. */
  readFixed64(limit: number): void {
    if (this.pos + 8 > limit) throw this.createTruncatedError();
    this.lo = this.view.getUint32(this.pos, true);
    this.hi = this.view.getUint32(this.pos + 4, true);
    this.pos += 8;
  }

  readFixed32(limit: number): number {
    if (this.pos + 4 > limit) throw this.createTruncatedError();
    this.pos += 4;
    return this.view.getUint32(this.pos - 4, true);
  }

  readDouble(limit: number): number {
    if (this.pos + 8 > limit) throw this.createTruncatedError();
    this.pos += 8;
    return this.view.getFloat64(this.pos - 8, true);
  }

  /** Reads a length and returns the end of its payload; the payload starts at `pos`. */
  readPayloadEnd(limit: number): number {
    const length = this.readVarint(limit);
    const end = this.pos + length;
    if (end > limit) throw new MalformedBody(`a length of ${length} at byte ${this.pos} exceeds its message`);
    return end;
  }

  /** Skips the value of a tag. */
  skip(tag: number, limit: number): void {
    switch (tag & 7) {
      case VARINT:
        this.readVarint64(limit);
        return;
      case FIXED64:
        this.pos += 8;
        break;
      case LENGTH_DELIMITED:
        this.pos = this.readPayloadEnd(limit);
        return;
      case FIXED32:
        this.pos += 4;
        break;
      default:
        throw new MalformedBody(`wire type ${tag & 7} at byte ${this.pos}`);
    }
    if (this.pos > limit) throw this.createTruncatedError();
  }

  /** Decodes `bytes[from, to)` as UTF-8; invalid sequences become replacement characters. Does not move the cursor. */
  decodeText(from: number, to: number): string {
    if (to - from < SHORT_TEXT) {
      const ascii = this.decodeShortAscii(from, to);
      if (ascii !== undefined) return ascii;
    }
    return Buffer.from(this.bytes.buffer, this.bytes.byteOffset + from, to - from).toString('utf8');
  }

  private decodeShortAscii(from: number, to: number): string | undefined {
    let text = '';
    for (let i = from; i < to; i++) {
      const byte = this.bytes[i];
      if (byte > 127) return undefined;
      text += String.fromCharCode(byte);
    }
    return text;
  }

  private createTruncatedError(): MalformedBody {
    return new MalformedBody(`a message ends in the middle of a field at byte ${this.pos}`);
  }
}

/** For fewer bytes a loop creates the string faster than a call into the runtime. */
const SHORT_TEXT = 16;

/**
 * Visits the outer levels of an export request, which are the same for all signals: resources contain scopes, scopes
 * contain records (spans, log records, metrics). A resource or a scope may follow the items it describes. Each hook is
 * called with the cursor at the first byte of its message and MUST leave it at `end`.
 */
export abstract class ExportRequestVisitor {
  protected readonly reader = new WireReader();

  protected abstract beginResourceItems(): void;
  protected abstract visitResource(end: number): void;
  protected abstract beginScopeItems(): void;
  protected abstract visitScope(end: number): void;
  protected abstract visitRecord(end: number): void;
  protected abstract endScopeItems(): void;
  protected abstract endResourceItems(): void;

  /** Throws MalformedBody if the body does not parse. */
  protected visitRequest(body: Uint8Array): void {
    const { reader } = this;
    reader.reset(body);
    while (reader.pos < body.length) {
      const tag = reader.readTag(body.length);
      if (tag === REQUEST.resourceItems) this.visitResourceItems(reader.readPayloadEnd(body.length));
      else reader.skip(tag, body.length);
    }
  }

  private visitResourceItems(end: number): void {
    const { reader } = this;
    this.beginResourceItems();
    while (reader.pos < end) {
      const tag = reader.readTag(end);
      if (tag === RESOURCE_ITEMS.scopeItems) this.visitScopeItems(reader.readPayloadEnd(end));
      else if (tag === RESOURCE_ITEMS.resource) this.visitResource(reader.readPayloadEnd(end));
      else reader.skip(tag, end);
    }
    this.endResourceItems();
  }

  private visitScopeItems(end: number): void {
    const { reader } = this;
    this.beginScopeItems();
    while (reader.pos < end) {
      const tag = reader.readTag(end);
      if (tag === SCOPE_ITEMS.record) this.visitRecord(reader.readPayloadEnd(end));
      else if (tag === SCOPE_ITEMS.scope) this.visitScope(reader.readPayloadEnd(end));
      else reader.skip(tag, end);
    }
    this.endScopeItems();
  }
}
