import type { ShardMap } from '../streams/shard-map.js';

/**
 * The shards that this process owns at the moment: it projects their Grids and runs their background tasks. Changes as
 * leases move.
 */
export class OwnedShards {
  private owned: ReadonlySet<number> = new Set();

  constructor(private readonly shardMap: ShardMap) {}

  replace(shards: readonly number[]): void {
    this.owned = new Set(shards);
  }

  /** Numbers of the owned shards. */
  get all(): readonly number[] {
    return [...this.owned];
  }

  get count(): number {
    return this.owned.size;
  }

  /** Whether this process owns the administration (shard 0), and so the tasks that concern all Grids at once. */
  get hasAdministration(): boolean {
    return this.owned.has(0);
  }

  ownsGrid(gridId: string): boolean {
    return this.owned.has(this.shardMap.shardFor(gridId));
  }
}
