import { middleOf, type Sketch } from '../sketch.js';

const BUCKETS = 4_096;
const BUCKETS_PER_GROUP = 64;

/** What percentiles are asked of. */
export type Latencies = Pick<Sketch, 'percentile'>;

/**
 * Latencies of a window that slides: sketches come and, in the same order, go, and percentiles are those of a sketch
 * that holds the same values. Counts by groups of buckets let a percentile be found in 128 steps at most.
 */
export class LatencyWindow implements Latencies {
  private readonly counts = new Uint32Array(BUCKETS);
  private readonly groups = new Uint32Array(BUCKETS / BUCKETS_PER_GROUP);
  private total = 0;
  /** What each sketch brought, bucket and count by turns: reading a sketch again costs more than taking it back. */
  private readonly entered: Uint32Array[] = [];

  enter(sketch: Sketch): void {
    length = 0;
    sketch.each(collect);
    const entries = scratch.slice(0, length);
    this.entered.push(entries);
    this.change(entries, 1);
  }

  /** Takes back what entered first. */
  leave(): void {
    const entries = this.entered.shift();
    if (entries !== undefined) this.change(entries, -1);
  }

  /** As `Sketch.percentile`. */
  percentile(p: number): number {
    if (this.total === 0) return 0;
    let left = Math.max(1, Math.ceil((p / 100) * this.total));
    let group = 0;
    while (this.groups[group] < left) left -= this.groups[group++];
    let bucket = group * BUCKETS_PER_GROUP;
    while (this.counts[bucket] < left) left -= this.counts[bucket++];
    return middleOf(bucket);
  }

  private change(entries: Uint32Array, times: 1 | -1): void {
    const { counts, groups } = this;
    let total = 0;
    for (let i = 0; i < entries.length; i += 2) {
      const bucket = entries[i];
      const count = times * entries[i + 1];
      counts[bucket] += count;
      groups[bucket >> 6] += count;
      total += count;
    }
    this.total += total;
  }
}

const scratch = new Uint32Array(2 * BUCKETS);
let length = 0;

function collect(bucket: number, count: number): void {
  scratch[length++] = bucket;
  scratch[length++] = count;
}
