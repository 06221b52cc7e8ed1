import { POINT_BOUNDS, type BucketRun } from '../distribution.js';
import { BUCKETS } from './fields.js';
import { doublesOf, signedVarint32 } from './numbers.js';
import type { WireReader } from './wire-reader.js';

const EMPTY: BucketRun = { offset: 0, counts: [] };

/** Takes one side of an exponential histogram from its messages: told more than once, they are one, as protobuf has it. */
export class BucketRunReader {
  private readonly counts = new Float64Array(POINT_BOUNDS.run);
  private offset = 0;
  /** Counts that were told, the first of them that is not 0, and how many there are from that to the last that is not 0. */
  private told = 0;
  private first = 0;
  private size = 0;

  begin(): void {
    this.counts.fill(0, 0, this.size);
    this.offset = this.told = this.first = this.size = 0;
  }

  read(reader: WireReader, end: number): void {
    while (reader.pos < end) {
      const tag = reader.tag(end);
      if (tag === BUCKETS.counts) this.packed(reader, reader.end(end));
      else if (tag === BUCKETS.count) this.add(reader.varint(end));
      else if (tag === BUCKETS.offset) this.offset = signedVarint32(reader, end);
      else reader.skip(tag, end);
    }
  }

  /** Without the empty buckets at both ends; undefined past POINT_BOUNDS. */
  run(): BucketRun | undefined {
    const { size } = this;
    if (size === 0) return EMPTY;
    return size > POINT_BOUNDS.run ? undefined : { offset: this.offset + this.first, counts: doublesOf(this.counts, 0, size) };
  }

  private packed(reader: WireReader, end: number): void {
    while (reader.pos < end) this.add(reader.varint(end));
  }

  private add(count: number): void {
    const index = this.told++;
    if (count === 0) return;
    if (this.size === 0) this.first = index;
    const at = index - this.first;
    if (at < POINT_BOUNDS.run) this.counts[at] = count;
    this.size = at + 1;
  }
}
