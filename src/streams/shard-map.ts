import { computePartition, TELEMETRY_PREFIX } from './stream-names.js';

/** Partitions of Grids, as many as two hex digits name. */
const PARTITIONS = 256;
/** Partitions that share their first digit. */
const PARTITIONS_PER_DIGIT = 16;

/**
 * How the Grids of an installation are shared out to projectors: share `k` has the partitions from `k * 256 / count` on,
 * so a Grid belongs to one share for ever, as long as their number stays.
 */
export class ShardMap {
  /** Partitions of one share. */
  private readonly size: number;

  /** Throws unless `count` is a power of two from 1 to 256. */
  constructor(readonly count: number) {
    if (!isValidShardCount(count)) throw new Error('the number of shares is a power of two from 1 to 256');
    this.size = PARTITIONS / count;
  }

  shardFor(gridId: string): number {
    return Math.floor(Number.parseInt(computePartition(gridId), 16) / this.size);
  }

  /** Which streams of telemetry are this share's: each of them has exactly one of these prefixes. */
  streamPrefixes(share: number): readonly string[] {
    if (this.count === 1) return [TELEMETRY_PREFIX];
    const first = share * this.size;
    const [step, digits] = this.size >= PARTITIONS_PER_DIGIT ? [PARTITIONS_PER_DIGIT, 1] : [1, 2];
    return Array.from(
      { length: this.size / step },
      (_, n) => TELEMETRY_PREFIX + (first + n * step).toString(16).padStart(2, '0').slice(0, digits),
    );
  }
}

export function isValidShardCount(count: number): boolean {
  return Number.isInteger(count) && count >= 1 && count <= PARTITIONS && PARTITIONS % count === 0;
}
