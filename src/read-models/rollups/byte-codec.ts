import { DamagedRollup } from '../../diagnostics/rollups/damaged-rollup.js';

/** Scale of the last byte of the longest varint, which has ten bytes. */
const LONGEST_SCALE = 128 ** 9;

/** Returns one shared instance for equal strings. */
export type Intern = (text: string) => string;

const identity: Intern = (text) => text;

/** Reads what a ByteWriter wrote, in the same order. Throws DamagedRollup instead of reading past the end. */
export class ByteReader {
  private readonly strings: string[] = [];
  /** Whether the sketches in the bytes are of an earlier format, see varint-sketch.ts. */
  hasVarintSketches = false;

  /** Reads `bytes[at, limit)`. */
  constructor(
    readonly bytes: Buffer,
    private readonly intern = identity,
    private at = 0,
    private readonly limit = bytes.length,
  ) {}

  /** Offset of the next byte. */
  get position(): number {
    return this.at;
  }

  byte(): number {
    return this.bytes[this.skip(1)];
  }

  varint(): number {
    let value = this.byte();
    if (value < 128) return value;
    value &= 127;
    for (let scale = 128; scale <= LONGEST_SCALE; scale *= 128) {
      const next = this.byte();
      value += (next & 127) * scale;
      if (next < 128) return value;
    }
    throw new DamagedRollup(`rollup has a number of more than ten bytes before byte ${this.at}`);
  }

  signed(): number {
    const value = this.varint();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  float64(): number {
    return this.bytes.readDoubleLE(this.skip(8));
  }

  text(): string {
    const index = this.varint();
    if (index < this.strings.length) return this.strings[index];
    if (index > this.strings.length)
      throw new DamagedRollup(`rollup names string ${index} of ${this.strings.length} before byte ${this.at}`);
    const text = this.intern(this.readString());
    this.strings.push(text);
    return text;
  }

  list<T>(read: () => T): T[] {
    const count = this.varint();
    if (count > this.limit - this.at)
      throw new DamagedRollup(`rollup ends early: ${count} items after byte ${this.at} of ${this.limit}`);
    const items = new Array<T>(count); // a growing array would reserve extra memory
    for (let i = 0; i < count; i++) items[i] = read();
    return items;
  }

  /** Skips a length-prefixed run of bytes; returns its start. It ends at `position`. */
  skipRun(): number {
    return this.skip(this.varint());
  }

  /** Skips a length-prefixed run and returns a reader of it. */
  section(): ByteReader {
    const start = this.skipRun();
    return new ByteReader(this.bytes, this.intern, start, this.at);
  }

  /** Call after the last value: throws if bytes are left. */
  expectEnd(): void {
    if (this.at !== this.limit) throw new DamagedRollup(`rollup has ${this.limit - this.at} bytes too many`);
  }

  private readString(): string {
    const start = this.skipRun();
    return this.bytes.toString('utf8', start, this.at);
  }

  private skip(length: number): number {
    const start = this.at;
    if (length > this.limit - start)
      throw new DamagedRollup(`rollup ends early: byte ${start + length} of ${this.limit}`);
    this.at += length;
    return start;
  }
}

const FIRST_SIZE = 1 << 12;

/** Bytes of the longest varint: ten bytes hold all values below 2^70. */
const LONGEST_VARINT = 10;

const VARINT_LIMIT = 2 ** 70;
const LARGEST_SUM = VARINT_LIMIT - 2 ** 17;

/** Maximum UTF-8 bytes per UTF-16 code unit. */
const LONGEST_CHARACTER = 3;

/** Up to this many bytes a loop copies faster than a call. */
const SHORT_RUN = 256;

/** A string that is written many times, to the same writers. It remembers its number in the run of a writer. */
export class RepeatedText {
  run = 0;
  number = -1;

  constructor(readonly text: string) {}
}

/** Runs of all writers, from one `clear` to the next, counted together: so a number belongs to one writer. */
let runs = 0;

/** Appends numbers and strings to one growing buffer. Can be reused after `clear`. */
export class ByteWriter {
  private bytes = Buffer.allocUnsafeSlow(FIRST_SIZE);
  private at = 0;
  private readonly strings = new Map<string, number>();
  /** Last string and its number: lists often repeat one. */
  private last = '';
  private lastNumber = -1;
  private run = ++runs;

  get length(): number {
    return this.at;
  }

  clear(): void {
    this.at = 0;
    if (this.strings.size > 0) this.strings.clear();
    this.lastNumber = -1;
    this.run = ++runs;
  }

  /** A copy of what was written. */
  finish(): Uint8Array {
    const result = Buffer.allocUnsafeSlow(this.at);
    this.bytes.copy(result, 0, 0, this.at);
    return result;
  }

  byte(value: number): void {
    this.reserve(1);
    this.bytes[this.at++] = value;
  }

  /** A non-negative integer; seven bits per byte, lowest first. Exact for every double below 2^70. */
  varint(value: number): void {
    if (value === (value & 127)) return this.byte(value);
    if (!(value >= 0 && value < VARINT_LIMIT) || !Number.isInteger(value))
      throw new RangeError(`a rollup counts in whole numbers from 0 on, not ${value}`);
    this.reserve(LONGEST_VARINT);
    let rest = value;
    for (; rest > 0x7fff_ffff; rest = Math.floor(rest / 128)) this.bytes[this.at++] = (rest % 128) | 128;
    for (; rest > 127; rest >>>= 7) this.bytes[this.at++] = (rest & 127) | 128;
    this.bytes[this.at++] = rest;
  }

  /**
   * A sum of reported values: durations, or counts up to 2^64. From 2^53 on such sums are inexact, and subtraction can
   * make them negative: negative values are written as 0, values above the limit as the limit, so that no sender can
   * stop a projection.
   */
  sum(value: number): void {
    this.varint(Math.min(Math.max(value, 0), LARGEST_SUM));
  }

  /** A signed integer; exact up to 2^52, which is enough for times in µs. */
  signed(value: number): void {
    this.varint(value < 0 ? -2 * value - 1 : 2 * value);
  }

  /** Eight bytes, little-endian. Negative zero is written as 0, so that equal numbers have equal bytes. */
  float64(value: number): void {
    this.reserve(8);
    this.at = this.bytes.writeDoubleLE(value + 0, this.at);
  }

  /** UTF-8 at the first occurrence of a string, afterwards its number in order of first use. */
  text(value: string): void {
    if (this.lastNumber >= 0 && value === this.last) return this.varint(this.lastNumber);
    const known = this.strings.get(value);
    this.last = value;
    this.varint((this.lastNumber = known ?? this.strings.size));
    if (known !== undefined) return;
    this.strings.set(value, this.lastNumber);
    this.varint(Buffer.byteLength(value));
    this.utf8(value);
  }

  /** Like `text`, without looking the string up after its first occurrence. */
  repeatedText(value: RepeatedText): void {
    if (value.run === this.run) return this.varint(value.number);
    this.text(value.text);
    value.run = this.run;
    value.number = this.lastNumber;
  }

  /** Writes UTF-8 without a length; returns the length. */
  utf8(value: string): number {
    const start = this.at;
    this.reserve(value.length * LONGEST_CHARACTER);
    this.at += this.bytes.write(value, start);
    return this.at - start;
  }

  list<T>(items: readonly T[], write: (item: T) => void): void {
    this.varint(items.length);
    for (const item of items) write(item);
  }

  /** A length-prefixed run of bytes. */
  appendBytes(from: Uint8Array, start: number, end: number): void {
    this.varint(end - start);
    this.reserve(end - start);
    if (end - start > SHORT_RUN) this.bytes.set(from.subarray(start, end), this.at);
    else for (let i = start; i < end; i++) this.bytes[this.at + i - start] = from[i];
    this.at += end - start;
  }

  /** The content of another writer, length-prefixed. */
  section({ bytes, at }: ByteWriter): void {
    this.appendBytes(bytes, 0, at);
  }

  private reserve(more: number): void {
    if (this.at + more <= this.bytes.length) return;
    const grown = Buffer.allocUnsafeSlow(Math.max(this.bytes.length * 2, this.at + more));
    this.bytes.copy(grown, 0, 0, this.at);
    this.bytes = grown;
  }
}

export { DamagedRollup };
