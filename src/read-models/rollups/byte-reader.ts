import { DamagedRollup } from '../../diagnostics/rollups.js';

export { DamagedRollup };

/** Ten bytes are the longest varint that a ByteWriter makes. */
const LONGEST_SCALE = 128 ** 9;

/** Makes one of many equal strings. */
export type Intern = (text: string) => string;

const asItIs: Intern = (text) => text;

/** Reads what a ByteWriter wrote, in the same order. Throws DamagedRollup instead of reading past the end. */
export class ByteReader {
  private readonly strings: string[] = [];

  /** Reads `bytes[at, limit)`. */
  constructor(
    readonly bytes: Buffer,
    private readonly intern = asItIs,
    private at = 0,
    private readonly limit = bytes.length,
  ) {}

  /** Where the reader stands. */
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
    if (index > this.strings.length) throw new DamagedRollup(`rollup names string ${index} of ${this.strings.length} before byte ${this.at}`);
    const text = this.intern(this.stretch());
    this.strings.push(text);
    return text;
  }

  list<T>(read: () => T): T[] {
    const count = this.varint();
    if (count > this.limit - this.at) throw new DamagedRollup(`rollup ends early: ${count} items after byte ${this.at} of ${this.limit}`);
    const items = new Array<T>(count); // one that grows would keep room for more
    for (let i = 0; i < count; i++) items[i] = read();
    return items;
  }

  /** Passes by a stretch of bytes with its length before it; answers where it starts. It ends where the reader stands then. */
  run(): number {
    return this.skip(this.varint());
  }

  /** Passes by such a stretch; answers a reader of it. */
  section(): ByteReader {
    const start = this.run();
    return new ByteReader(this.bytes, this.intern, start, this.at);
  }

  /** Call after the last value. */
  end(): void {
    if (this.at !== this.limit) throw new DamagedRollup(`rollup has ${this.limit - this.at} bytes too many`);
  }

  private stretch(): string {
    const start = this.run();
    return this.bytes.toString('utf8', start, this.at);
  }

  private skip(length: number): number {
    const start = this.at;
    if (length > this.limit - start) throw new DamagedRollup(`rollup ends early: byte ${start + length} of ${this.limit}`);
    this.at += length;
    return start;
  }
}
