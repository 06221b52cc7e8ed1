import { compareBounds } from '../../diagnostics/buckets.js';
import { ByteReader, DamagedRollup } from './byte-reader.js';
import type { ByteWriter } from './byte-writer.js';

/** Numbers bounds of explicit buckets in the order of their first use. */
export class BoundsNumbers {
  private readonly numbers = new Map<string, number>();
  private readonly lists: (readonly number[])[] = [];
  private last = -1;

  of(bounds: readonly number[]): number {
    // Series of one metric stand together, and mostly have the same.
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

/** What BoundsNumbers wrote; decoded when one is asked for. All who ask share the lists. */
export class BoundsTable {
  private lists: readonly (readonly number[])[] | undefined;

  /** They are in `bytes[start, end)`. */
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
    reader.end();
    return lists;
  }
}
