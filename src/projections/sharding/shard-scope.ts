import { TELEMETRY_PREFIX } from '../../streams/stream-names.js';
import type { ShardMap } from '../../streams/shard-map.js';

/** Of which Grids a run folds the telemetry, and how much it may keep in memory for that. */
export interface ShardScope {
  /** Name of the live run. */
  readonly name: string;
  /** Streams of telemetry that it reads. */
  readonly prefixes: readonly string[];
  /** Whether a Grid is one of them; absent: all are. */
  readonly includesGrid?: (gridId: string) => boolean;
  /**
   * Part of the memory of a run over all Grids. It decides what is recognised as a repetition or a relative, so that it MUST
   * depend on nothing but the number of shares of the installation: a replay decides the same.
   */
  readonly memory: number;
}

export const ALL_GRIDS: ShardScope = { name: 'telemetry', prefixes: [TELEMETRY_PREFIX], memory: 1 };

/** The scope of one share of several. As many processes as the root of their number need no more memory each than one that has all in one share. */
export function createShardScope(shares: ShardMap, share: number): ShardScope {
  return {
    name: `telemetry/${share}`,
    prefixes: shares.streamPrefixes(share),
    includesGrid: (gridId) => shares.shardFor(gridId) === share,
    memory: 1 / Math.sqrt(shares.count),
  };
}
