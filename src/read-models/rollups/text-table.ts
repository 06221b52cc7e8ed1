import { type ByteReader, DamagedRollup, type Intern } from './byte-reader.js';
import type { ByteWriter } from './byte-writer.js';

/** Numbers texts in the order of their first use. */
export class TextNumbers {
  private readonly numbers = new Map<string, number>();

  of(text: string): number {
    const known = this.numbers.get(text);
    if (known !== undefined) return known;
    this.numbers.set(text, this.numbers.size);
    return this.numbers.size - 1;
  }

  /** Lengths in UTF-8, then the texts, so that one is found without reading the others. */
  writeTo(writer: ByteWriter): void {
    const encoded = [...this.numbers.keys()].map((text) => Buffer.from(text));
    writer.list(encoded, ({ length }) => writer.varint(length));
    const all = Buffer.concat(encoded);
    writer.run(all, 0, all.length);
  }
}

const asItIs: Intern = (text) => text;

/** What TextNumbers wrote; a text is decoded when it is asked for. */
export class TextTable {
  /** Where each text ends. */
  private readonly ends: readonly number[];
  private readonly start: number;
  private readonly bytes: Buffer;
  private readonly texts: (string | undefined)[] = [];

  constructor(
    reader: ByteReader,
    private readonly intern = asItIs,
  ) {
    let length = 0;
    const ends = reader.list(() => (length += reader.varint()));
    this.ends = ends;
    this.start = reader.run();
    this.bytes = reader.bytes;
    if (this.start + length !== reader.position) throw new DamagedRollup(`rollup has texts of ${length} bytes in ${reader.position - this.start}`);
  }

  text(number: number): string {
    return this.texts[number] ?? (this.texts[number] = this.decode(number));
  }

  /** -1 where it is none of them. */
  numberOf(text: string): number {
    const wanted = Buffer.from(text);
    return this.ends.findIndex((end, number) => end - this.from(number) === wanted.length && wanted.compare(this.bytes, this.start + this.from(number), this.start + end) === 0);
  }

  private decode(number: number): string {
    if (number >= this.ends.length) throw new DamagedRollup(`rollup names text ${number} of ${this.ends.length}`);
    return this.intern(this.bytes.toString('utf8', this.start + this.from(number), this.start + this.ends[number]));
  }

  private from(number: number): number {
    return number === 0 ? 0 : this.ends[number - 1];
  }
}
