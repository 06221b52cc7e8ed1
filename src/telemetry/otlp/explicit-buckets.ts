import { POINT_BOUNDS, type ExplicitBuckets } from '../distribution.js';
import { HISTOGRAM_POINT } from './fields.js';
import { doublesOf, unsignedFixed64 } from './numbers.js';
import type { WireReader } from './wire-reader.js';

/** Takes the buckets of one histogram point after another from their fields, packed or one by one. Memory is bounded, whatever a point sends. */
export class ExplicitBucketReader {
  private readonly bounds = new Float64Array(POINT_BOUNDS.buckets);
  private readonly counts = new Float64Array(POINT_BOUNDS.buckets);
  /** How many were told, those for which there is no room too. */
  private toldBounds = 0;
  private toldCounts = 0;
  /** Of the point before: hardly any point has others, so they share one list. */
  private lastBounds: readonly number[] = [];

  begin(): void {
    this.toldBounds = this.toldCounts = 0;
  }

  /** Reads the value of the tag if it belongs to buckets. */
  field(reader: WireReader, tag: number, end: number): boolean {
    if (tag === HISTOGRAM_POINT.bucketCounts) this.readCounts(reader, reader.end(end), end);
    else if (tag === HISTOGRAM_POINT.bounds) this.readBounds(reader, reader.end(end), end);
    else if (tag === HISTOGRAM_POINT.bucketCount) this.readCounts(reader, reader.pos + 1, end);
    else if (tag === HISTOGRAM_POINT.bound) this.readBounds(reader, reader.pos + 1, end);
    else return false;
    return true;
  }

  /**
   * Undefined where the point tells none, and where bounds do not ascend or counts do not fit them. A bound at infinity
   * divides nothing: its two buckets are one. Without a bound there is nothing that the number of observations does not tell.
   */
  buckets(): ExplicitBuckets | undefined {
    const { toldBounds, counts } = this;
    if (toldBounds === 0 || toldBounds >= POINT_BOUNDS.buckets || this.toldCounts !== toldBounds + 1 || !this.boundsAscend()) return undefined;
    const first = this.bounds[0] === -Infinity ? 1 : 0;
    const last = this.bounds[toldBounds - 1] === Infinity ? toldBounds - 1 : toldBounds;
    if (first >= last) return undefined;
    if (first === 1) counts[1] += counts[0];
    if (last < toldBounds) counts[last] += counts[toldBounds];
    return { kind: 'explicit', bounds: this.boundsOf(first, last), counts: doublesOf(counts, first, last + 1) };
  }

  private readCounts(reader: WireReader, until: number, end: number): void {
    while (reader.pos < until) {
      const count = unsignedFixed64(reader, end);
      if (this.toldCounts < this.counts.length) this.counts[this.toldCounts] = count;
      this.toldCounts++;
    }
  }

  private readBounds(reader: WireReader, until: number, end: number): void {
    while (reader.pos < until) {
      const bound = reader.double(end);
      if (this.toldBounds < this.bounds.length) this.bounds[this.toldBounds] = bound;
      this.toldBounds++;
    }
  }

  private boundsAscend(): boolean {
    const { bounds, toldBounds } = this;
    if (Number.isNaN(bounds[0])) return false;
    for (let i = 1; i < toldBounds; i++) if (!(bounds[i] > bounds[i - 1])) return false;
    return true;
  }

  private boundsOf(first: number, last: number): readonly number[] {
    if (!this.isLast(first, last)) this.lastBounds = doublesOf(this.bounds, first, last);
    return this.lastBounds;
  }

  private isLast(first: number, last: number): boolean {
    const { bounds, lastBounds } = this;
    if (lastBounds.length !== last - first) return false;
    for (let i = first; i < last; i++) if (bounds[i] !== lastBounds[i - first]) return false;
    return true;
  }
}
