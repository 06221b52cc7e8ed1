import { computePartition, TELEMETRY_PREFIX } from './stream-names.js';

/** Number of partitions of Grids: two hex digits. */
const PARTITIONS = 256;
/** Partitions with the same first hex digit. */
const PARTITIONS_PER_DIGIT = 16;

/**
 * Assignment of Grids to shards: shard `k` owns the partitions from `k * 256 / count` on. A Grid stays in its shard as
 * long as the number of shards does not change.
 */
export class ShardMap {
  /** Partitions per shard. */
  private readonly size: number;

  /** Throws unless `count` is a power of two from 1 to 256. */
  constructor(readonly count: number) {
    if (!isValidShardCount(count)) throw new Error('The number of shards must be a power of two from 1 to 256');
    this.size = PARTITIONS / count;
  }

  shardFor(gridId: string): number {
    return Math.floor(Number.parseInt(computePartition(gridId), 16) / this.size);
  }

  /** Prefixes of the shard's telemetry streams: each of its streams starts with exactly one of them. */
  streamPrefixes(shard: number): readonly string[] {
    if (this.count === 1) return [TELEMETRY_PREFIX];
    const first = shard * this.size;
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
