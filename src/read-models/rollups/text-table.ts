import { type ByteReader, DamagedRollup, type Intern } from './byte-reader.js';
import { ByteWriter } from './byte-writer.js';

/** Numbers texts in the order of their first use. Used again after `clear`. */
export class TextNumbers {
  private readonly numbers = new Map<string, number>();
  private readonly lengths: number[] = [];
  private readonly texts = new ByteWriter();

  clear(): void {
    this.numbers.clear();
    this.lengths.length = 0;
    this.texts.clear();
  }

  of(text: string): number {
    const known = this.numbers.get(text);
    if (known !== undefined) return known;
    const number = this.lengths.length;
    this.numbers.set(text, number);
    this.lengths.push(this.texts.utf8(text));
    return number;
  }

  /** Lengths in UTF-8, then the texts, so that one is found without reading the others. */
  writeTo(writer: ByteWriter): void {
    writer.list(this.lengths, (length) => writer.varint(length));
    writer.section(this.texts);
  }
}

const asItIs: Intern = (text) => text;

/** What TextNumbers wrote; a text is decoded when it is asked for. */
export class TextTable {
  private readonly bytes: Buffer;
  /** Where each text begins, and where the last one ends. */
  private readonly starts: readonly number[];
  private readonly texts: (string | undefined)[];

  constructor(
    reader: ByteReader,
    private readonly intern = asItIs,
  ) {
    const lengths = reader.list(() => reader.varint());
    let end = reader.run();
    const starts = new Array<number>(lengths.length + 1);
    for (let i = 0; i < lengths.length; i++) {
      starts[i] = end;
      end += lengths[i];
    }
    starts[lengths.length] = end;
    if (end !== reader.position) throw new DamagedRollup(`rollup has texts up to byte ${end} instead of ${reader.position}`);
    this.bytes = reader.bytes;
    this.starts = starts;
    this.texts = new Array<string | undefined>(lengths.length).fill(undefined);
  }

  text(number: number): string {
    if (number >= this.texts.length) throw new DamagedRollup(`rollup names text ${number} of ${this.texts.length}`);
    return (this.texts[number] ??= this.intern(this.bytes.toString('utf8', this.starts[number], this.starts[number + 1])));
  }

  /** -1 where it is none of them. */
  numberOf(text: string): number {
    const { bytes, starts } = this;
    const wanted = Buffer.from(text);
    for (let number = 0; number < this.texts.length; number++) {
      const start = starts[number];
      if (starts[number + 1] - start === wanted.length && isAt(bytes, start, wanted)) return number;
    }
    return -1;
  }
}

/** From the end: names have their beginnings in common. */
function isAt(bytes: Buffer, start: number, wanted: Buffer): boolean {
  for (let i = wanted.length - 1; i >= 0; i--) if (bytes[start + i] !== wanted[i]) return false;
  return true;
}
