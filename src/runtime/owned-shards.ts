import type { ShardMap } from '../streams/shard-map.js';

/** Whose read models this process keeps, and for whom it therefore does what one process alone should do. Changes while it lives. */
export class OwnedShards {
  private held: ReadonlySet<number> = new Set();

  constructor(private readonly shares: ShardMap) {}

  replace(shares: readonly number[]): void {
    this.held = new Set(shares);
  }

  /** Shares that are held now. */
  get all(): readonly number[] {
    return [...this.held];
  }

  /** How many that are. */
  get count(): number {
    return this.held.size;
  }

  /** Whether administration is kept here, and with it whatever concerns all Grids at once. */
  get hasAdministration(): boolean {
    return this.held.has(0);
  }

  ownsGrid(gridId: string): boolean {
    return this.held.has(this.shares.shardFor(gridId));
  }
}
