import { constants, deflateRawSync, inflateRawSync } from 'node:zlib';

/** Arrays that columns are collected in and decoded into. */
export type NumberArray = Float64Array | Uint32Array | Uint16Array | Uint8Array;

const SAMPLE_RUNS = 4;
const SAMPLE_RUN_LENGTH = 128;
const WORTHWHILE_BITS = 7;
const WORTHWHILE_REPEATS = 0.25;
const TWO_32 = 4_294_967_296;

/** Bytes needed for every value up to `span`: 0 for 0, at most 7 (2^53). */
export function byteWidth(span: number): number {
  let width = 0;
  for (let limit = 1; span >= limit; limit *= 256) width++;
  return width;
}

/**
 * Splits values into planes: plane p holds byte p of `value − min` of every value. The high bytes of adjacent values
 * are similar and compress to almost nothing, the low ones are noise and are better left uncompressed.
 */
export function splitPlanes(values: NumberArray, count: number, min: number, width: number): Uint8Array[] {
  const planes: Uint8Array[] = [];
  for (let p = 0; p < width; p++)
    planes.push(p < 4 ? lowPlane(values, count, min, p * 8) : highPlane(values, count, min, p * 8 - 32));
  return planes;
}

function lowPlane(values: NumberArray, count: number, min: number, shift: number): Uint8Array {
  const plane = new Uint8Array(count);
  for (let i = 0; i < count; i++) plane[i] = (values[i] - min) >>> shift;
  return plane;
}

function highPlane(values: NumberArray, count: number, min: number, shift: number): Uint8Array {
  const plane = new Uint8Array(count);
  for (let i = 0; i < count; i++) plane[i] = Math.floor((values[i] - min) / TWO_32) >>> shift;
  return plane;
}

/** Adds byte plane p (0 = lowest) to the values it was split from. */
export function addPlane(values: NumberArray, plane: Uint8Array, p: number): void {
  const weight = 256 ** p;
  for (let i = 0; i < plane.length; i++) values[i] += plane[i] * weight;
}

/** Estimates from a sample whether deflate would make these bytes noticeably smaller. */
export function isLikelyCompressible(bytes: Uint8Array): boolean {
  const counts = new Uint16Array(256);
  let sampled = 0;
  let repeats = 0;
  const stride = Math.max(SAMPLE_RUN_LENGTH, Math.floor(bytes.length / SAMPLE_RUNS));
  for (let from = 0; from < bytes.length; from += stride) {
    const to = Math.min(from + SAMPLE_RUN_LENGTH, bytes.length);
    for (let i = from; i < to; i++, sampled++) {
      counts[bytes[i]]++;
      if (i > from && bytes[i] === bytes[i - 1]) repeats++;
    }
  }
  return (
    repeats > sampled * WORTHWHILE_REPEATS ||
    entropy(counts, sampled) < Math.min(WORTHWHILE_BITS, Math.log2(sampled + 1) - 1)
  );
}

function entropy(counts: Uint16Array, total: number): number {
  let bits = 0;
  for (const count of counts) if (count > 0) bits += count * Math.log2(total / count);
  return bits / total;
}

/*
 * A blob: codec byte, number of parts, inflated length of the packed bytes, a header for each part, then the plain
 * bytes of all parts, then the packed bytes of all parts. Little-endian.
 */
const STORED = 0;
const DEFLATED = 1;
const HEAD_BYTES = 6;
const PART_BYTES = 14;
/** Width of a part that is bytes, not numbers. */
const BYTES = 255;
/** Fewer bytes are not worth compressing. */
const SMALLEST_DEFLATE = 96;

interface Part {
  /** Count of numbers, or of bytes if the width is BYTES. */
  readonly count: number;
  readonly width: number;
  /** Bit p: plane p is among the packed bytes. */
  readonly packed: number;
  readonly min: number;
}

/** `numbers`: runs and skewed frequencies, for which string matching would only cost time; `text`: repeated strings. */
export type SectionKind = 'numbers' | 'text';

const DEFLATE = {
  numbers: { level: 1, strategy: constants.Z_RLE, memLevel: 6, windowBits: 12 },
  text: { level: 1, strategy: constants.Z_DEFAULT_STRATEGY, memLevel: 8, windowBits: 15 },
} as const;

/** Writes columns one after the other into a blob. They are read back by index. */
export class SectionWriter {
  private readonly parts: Part[] = [];
  private readonly plain: Uint8Array[] = [];
  private readonly packed: Uint8Array[] = [];

  constructor(private readonly kind: SectionKind = 'numbers') {}

  /** Writes the first `count` integers, at most 2^53 apart. */
  numbers(values: NumberArray, count: number = values.length): this {
    let min = count > 0 ? values[0] : 0;
    let max = min;
    for (let i = 1; i < count; i++) {
      const value = values[i];
      if (value < min) min = value;
      else if (value > max) max = value;
    }
    const width = byteWidth(max - min);
    let packed = 0;
    splitPlanes(values, count, min, width).forEach((plane, p) => {
      if (this.place(plane)) packed |= 1 << p;
    });
    this.parts.push({ count, width, packed, min });
    return this;
  }

  bytes(bytes: Uint8Array): this {
    const packed = this.place(bytes) ? 1 : 0;
    this.parts.push({ count: bytes.length, width: BYTES, packed, min: 0 });
    return this;
  }

  finish(): Uint8Array {
    const inflated = concat(this.packed);
    const deflated = this.deflate(inflated);
    const body = deflated ?? inflated;
    const plain = concat(this.plain);
    const headBytes = HEAD_BYTES + this.parts.length * PART_BYTES;
    const blob = new Uint8Array(headBytes + plain.length + body.length);
    this.writeHead(new DataView(blob.buffer), deflated ? DEFLATED : STORED, inflated.length);
    blob.set(plain, headBytes);
    blob.set(body, headBytes + plain.length);
    return blob;
  }

  private place(bytes: Uint8Array): boolean {
    const packed = this.kind === 'text' || isLikelyCompressible(bytes);
    (packed ? this.packed : this.plain).push(bytes);
    return packed;
  }

  private deflate(bytes: Uint8Array): Uint8Array | undefined {
    if (bytes.length < SMALLEST_DEFLATE) return undefined;
    const deflated = deflateRawSync(bytes, { ...DEFLATE[this.kind], chunkSize: Math.max(1024, bytes.length) });
    return deflated.length < bytes.length ? deflated : undefined;
  }

  private writeHead(view: DataView, codec: number, inflatedLength: number): void {
    view.setUint8(0, codec);
    view.setUint8(1, this.parts.length);
    view.setUint32(2, inflatedLength, true);
    this.parts.forEach((part, index) => {
      const at = HEAD_BYTES + index * PART_BYTES;
      view.setUint32(at, part.count, true);
      view.setUint8(at + 4, part.width);
      view.setUint8(at + 5, part.packed);
      view.setFloat64(at + 6, part.min, true);
    });
  }
}

/** Reads a blob written by SectionWriter. Inflates only when a packed part is read, and once. */
export class Section {
  private readonly view: DataView;
  private readonly plainFrom: number;
  private readonly packedFrom: number;
  private inflated: Uint8Array | undefined;

  constructor(private readonly blob: Uint8Array) {
    this.view = new DataView(blob.buffer, blob.byteOffset, blob.byteLength);
    this.plainFrom = HEAD_BYTES + this.parts * PART_BYTES;
    let plainBytes = 0;
    for (let index = 0; index < this.parts; index++) plainBytes += placedBytes(this.part(index), false);
    this.packedFrom = this.plainFrom + plainBytes;
  }

  /** Number of parts. */
  get parts(): number {
    return this.view.getUint8(1);
  }

  /** Number of numbers or bytes in the part. */
  count(index: number): number {
    return this.part(index).count;
  }

  /** Bytes per number after subtraction of the smallest one. */
  width(index: number): number {
    return this.part(index).width;
  }

  /** Decodes numbers into `into`, which is zeroed and as long as the part. `base` replaces the smallest number. */
  numbers<A extends NumberArray>(index: number, into: A, base = this.part(index).min): A {
    const part = this.part(index);
    if (base !== 0) into.fill(base);
    let { plain, packed } = this.findOffsets(index);
    for (let p = 0; p < part.width; p++) {
      const isPacked = (part.packed & (1 << p)) !== 0;
      addPlane(into, this.slice(isPacked ? packed : plain, part.count, isPacked), p);
      if (isPacked) packed += part.count;
      else plain += part.count;
    }
    return into;
  }

  uint32(index: number): Uint32Array {
    return this.numbers(index, new Uint32Array(this.count(index)));
  }

  uint16(index: number): Uint16Array {
    return this.numbers(index, new Uint16Array(this.count(index)));
  }

  float64(index: number): Float64Array {
    return this.numbers(index, new Float64Array(this.count(index)));
  }

  /** The bytes of a part: a view, valid while the blob is unchanged. */
  bytes(index: number): Uint8Array {
    const part = this.part(index);
    const { plain, packed } = this.findOffsets(index);
    return part.packed === 0 ? this.slice(plain, part.count, false) : this.slice(packed, part.count, true);
  }

  private part(index: number): Part {
    const at = HEAD_BYTES + index * PART_BYTES;
    return {
      count: this.view.getUint32(at, true),
      width: this.view.getUint8(at + 4),
      packed: this.view.getUint8(at + 5),
      min: this.view.getFloat64(at + 6, true),
    };
  }

  private findOffsets(index: number): { plain: number; packed: number } {
    let plain = 0;
    let packed = 0;
    for (let before = 0; before < index; before++) {
      const part = this.part(before);
      plain += placedBytes(part, false);
      packed += placedBytes(part, true);
    }
    return { plain, packed };
  }

  private slice(from: number, length: number, packed: boolean): Uint8Array {
    if (packed) return this.packedBytes().subarray(from, from + length);
    return this.blob.subarray(this.plainFrom + from, this.plainFrom + from + length);
  }

  private packedBytes(): Uint8Array {
    if (this.inflated) return this.inflated;
    const body = this.blob.subarray(this.packedFrom);
    const length = this.view.getUint32(2, true);
    this.inflated =
      this.view.getUint8(0) === DEFLATED ? inflateRawSync(body, { chunkSize: Math.max(64, length) }) : body;
    return this.inflated;
  }
}

/** Bytes of a part among the packed ones, or among the plain ones. */
function placedBytes(part: Part, packed: boolean): number {
  if (part.width === BYTES) return (part.packed === 1) === packed ? part.count : 0;
  let planes = 0;
  for (let p = 0; p < part.width; p++) if (((part.packed & (1 << p)) !== 0) === packed) planes++;
  return planes * part.count;
}

function concat(pieces: readonly Uint8Array[]): Uint8Array {
  if (pieces.length === 1) return pieces[0];
  return Buffer.concat(pieces);
}
