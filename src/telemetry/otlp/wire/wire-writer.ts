const INITIAL_BYTES = 1 << 12;
const TWO_32 = 2 ** 32;
/** Up to this many bytes a loop copies faster than a call into the runtime. */
const SHORT_COPY = 48;
const MAX_VARINT_BYTES = 10;

/** The output exceeds the writer's limit. */
export class OversizedMessage extends Error {
  override readonly name = 'OversizedMessage';
}

/**
 * Writes protobuf into one growing buffer. A nested message is written in place: `beginField` reserves one byte for its
 * length, `endField` shifts it if one byte is not enough. Throws OversizedMessage past `maxBytes`, at the latest in
 * `finish`.
 */
export class WireWriter {
  bytes: Buffer = Buffer.allocUnsafeSlow(INITIAL_BYTES);
  pos = 0;

  constructor(private readonly maxBytes = Number.MAX_SAFE_INTEGER) {}

  /** Returns a copy of the output. */
  finish(): Buffer<ArrayBuffer> {
    if (this.pos > this.maxBytes) throw new OversizedMessage(`more than ${this.maxBytes} bytes of protobuf`);
    const result = Buffer.allocUnsafeSlow(this.pos);
    this.bytes.copy(result, 0, 0, this.pos);
    return result;
  }

  clear(): void {
    this.pos = 0;
  }

  /** Writes a non-negative integer up to 2^53 − 1. */
  writeVarint(value: number): void {
    this.reserve(MAX_VARINT_BYTES);
    let rest = value;
    while (rest > 127) {
      this.bytes[this.pos++] = (rest % 128) | 128;
      rest = Math.floor(rest / 128);
    }
    this.bytes[this.pos++] = rest;
  }

  /** Writes 64 bits given as two unsigned halves. */
  writeVarint64(hi: number, lo: number): void {
    this.reserve(MAX_VARINT_BYTES);
    let high = hi >>> 0;
    let low = lo >>> 0;
    while (high !== 0 || low > 127) {
      this.bytes[this.pos++] = (low & 127) | 128;
      low = ((low >>> 7) | (high << 25)) >>> 0;
      high >>>= 7;
    }
    this.bytes[this.pos++] = low;
  }

  writeFixed64(hi: number, lo: number): void {
    this.reserve(8);
    this.bytes.writeUInt32LE(lo >>> 0, this.pos);
    this.bytes.writeUInt32LE(hi >>> 0, this.pos + 4);
    this.pos += 8;
  }

  writeFixed32(value: number): void {
    this.reserve(4);
    this.pos = this.bytes.writeUInt32LE(value >>> 0, this.pos);
  }

  writeDouble(value: number): void {
    this.reserve(8);
    this.pos = this.bytes.writeDoubleLE(value, this.pos);
  }

  /** Writes an integer field; negative values take ten bytes, as for int32 and int64. */
  writeIntegerField(tag: number, value: number): void {
    this.writeVarint(tag);
    this.writeVarint64(Math.floor(value / TWO_32), value % TWO_32);
  }

  writeTextField(tag: number, text: string): void {
    const mark = this.beginField(tag);
    this.reserve(text.length * 3);
    this.pos += this.bytes.write(text, this.pos);
    this.endField(mark);
  }

  writeBytesField(tag: number, blob: Uint8Array): void {
    this.writeVarint(tag);
    this.writeVarint(blob.length);
    this.writeRaw(blob, 0, blob.length);
  }

  writeRaw(source: Uint8Array, from: number, to: number): void {
    this.reserve(to - from);
    if (to - from > SHORT_COPY) {
      this.bytes.set(source.subarray(from, to), this.pos);
      this.pos += to - from;
    } else for (let i = from; i < to; i++) this.bytes[this.pos++] = source[i];
  }

  /** Starts a length-delimited field; pass the result to `endField`. */
  beginField(tag: number): number {
    this.writeVarint(tag);
    this.reserve(1);
    return this.pos++;
  }

  endField(mark: number): void {
    const from = mark + 1;
    const length = this.pos - from;
    if (length < 128) {
      this.bytes[mark] = length;
      return;
    }
    const extra = Math.floor(Math.log2(length) / 7);
    this.reserve(extra);
    this.bytes.copyWithin(from + extra, from, this.pos);
    const { pos } = this;
    this.pos = mark;
    this.writeVarint(length);
    this.pos = pos + extra;
  }

  /** Ensures capacity for `size` more bytes. */
  reserve(size: number): void {
    if (this.pos + size <= this.bytes.length) return;
    if (this.pos > this.maxBytes) throw new OversizedMessage(`more than ${this.maxBytes} bytes of protobuf`);
    const larger = Buffer.allocUnsafeSlow(Math.max(this.bytes.length * 2, this.pos + size));
    this.bytes.copy(larger, 0, 0, this.pos);
    this.bytes = larger;
  }
}
