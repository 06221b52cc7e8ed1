import { ByteReader, ByteWriter, DamagedRollup, type Intern } from './byte-codec.js';
import { compareBounds } from '../../diagnostics/rollups/distribution-sums.js';

/** Numbers strings in the order of their first use. Can be reused after `clear`. */
export class StringDictionaryWriter {
  private readonly numbers = new Map<string, number>();
  private readonly lengths: number[] = [];
  private readonly texts = new ByteWriter();

  clear(): void {
    this.numbers.clear();
    this.lengths.length = 0;
    this.texts.clear();
  }

  indexFor(text: string): number {
    const known = this.numbers.get(text);
    if (known !== undefined) return known;
    const number = this.lengths.length;
    this.numbers.set(text, number);
    this.lengths.push(this.texts.utf8(text));
    return number;
  }

  /** Writes the lengths in UTF-8, then the strings, so that one can be found without reading the others. */
  writeTo(writer: ByteWriter): void {
    writer.list(this.lengths, (length) => writer.varint(length));
    writer.section(this.texts);
  }
}

const identity: Intern = (text) => text;

/** Reads what StringDictionaryWriter wrote; a string is decoded on access. */
export class StringDictionaryReader {
  private readonly bytes: Buffer;
  /** Start of each string, and end of the last one. */
  private readonly starts: readonly number[];
  private readonly texts: (string | undefined)[];

  constructor(
    reader: ByteReader,
    private readonly intern = identity,
  ) {
    const lengths = reader.list(() => reader.varint());
    let end = reader.skipRun();
    const starts = new Array<number>(lengths.length + 1);
    for (let i = 0; i < lengths.length; i++) {
      starts[i] = end;
      end += lengths[i];
    }
    starts[lengths.length] = end;
    if (end !== reader.position)
      throw new DamagedRollup(`rollup has texts up to byte ${end} instead of ${reader.position}`);
    this.bytes = reader.bytes;
    this.starts = starts;
    this.texts = new Array<string | undefined>(lengths.length).fill(undefined);
  }

  text(number: number): string {
    if (number >= this.texts.length) throw new DamagedRollup(`rollup names text ${number} of ${this.texts.length}`);
    return (this.texts[number] ??= this.intern(
      this.bytes.toString('utf8', this.starts[number], this.starts[number + 1]),
    ));
  }

  /** -1 if the string is not in the dictionary. */
  indexOf(text: string): number {
    const { bytes, starts } = this;
    const wanted = Buffer.from(text);
    for (let number = 0; number < this.texts.length; number++) {
      const start = starts[number];
      if (starts[number + 1] - start === wanted.length && matchesAt(bytes, start, wanted)) return number;
    }
    return -1;
  }
}

/** Compares from the end: names often share prefixes. */
function matchesAt(bytes: Buffer, start: number, wanted: Buffer): boolean {
  for (let i = wanted.length - 1; i >= 0; i--) if (bytes[start + i] !== wanted[i]) return false;
  return true;
}

/** Numbers bounds of explicit buckets in the order of their first use. */
export class BoundsDictionaryWriter {
  private readonly numbers = new Map<string, number>();
  private readonly lists: (readonly number[])[] = [];
  private last = -1;

  indexFor(bounds: readonly number[]): number {
    // Series of one metric are adjacent, and usually have the same bounds.
    if (this.last >= 0 && compareBounds(this.lists[this.last], bounds) === 0) return this.last;
    const key = bounds.join();
    const known = this.numbers.get(key);
    if (known !== undefined) return (this.last = known);
    this.numbers.set(key, this.lists.length);
    return (this.last = this.lists.push(bounds) - 1);
  }

  writeTo(writer: ByteWriter): void {
    writer.list(this.lists, (bounds) => writer.list(bounds, (bound) => writer.float64(bound)));
  }
}

/** Reads what BoundsDictionaryWriter wrote; decoded on first access. Callers share the lists. */
export class BoundsDictionaryReader {
  private lists: readonly (readonly number[])[] | undefined;

  /** The bounds are in `bytes[start, end)`. */
  constructor(
    private readonly bytes: Buffer,
    private readonly start: number,
    private readonly end: number,
  ) {}

  bounds(number: number): readonly number[] {
    this.lists ??= this.decode();
    if (number >= this.lists.length) throw new DamagedRollup(`rollup names bounds ${number} of ${this.lists.length}`);
    return this.lists[number];
  }

  private decode(): readonly (readonly number[])[] {
    const reader = new ByteReader(this.bytes, undefined, this.start, this.end);
    const lists = reader.list(() => reader.list(() => reader.float64()));
    reader.expectEnd();
    return lists;
  }
}
