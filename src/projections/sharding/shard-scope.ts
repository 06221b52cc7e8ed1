import { TELEMETRY_PREFIX } from '../../streams/stream-names.js';
import type { ShardMap } from '../../streams/shard-map.js';

/** Grids whose telemetry a run folds, and how much memory it may use. */
export interface ShardScope {
  /** Name of the live run. */
  readonly name: string;
  /** Prefixes of the telemetry streams that it reads. */
  readonly prefixes: readonly string[];
  /** Whether a Grid belongs to the scope; absent: all do. */
  readonly includesGrid?: (gridId: string) => boolean;
  /**
   * Fraction of the memory of a run over all Grids. It decides which repetitions and related spans are recognised, so
   * it MUST depend only on the number of shards of the installation: then a replay decides the same.
   */
  readonly memory: number;
}

export const ALL_GRIDS: ShardScope = { name: 'telemetry', prefixes: [TELEMETRY_PREFIX], memory: 1 };

/** Scope of one shard. Memory per shard shrinks with the square root of the shard count. */
export function createShardScope(shards: ShardMap, shard: number): ShardScope {
  return {
    name: `telemetry/${shard}`,
    prefixes: shards.streamPrefixes(shard),
    includesGrid: (gridId) => shards.shardFor(gridId) === shard,
    memory: 1 / Math.sqrt(shards.count),
  };
}
