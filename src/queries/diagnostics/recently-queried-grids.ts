/** Limits of RecentlyQueriedGrids. */
export interface RecentGridBounds {
  /** A Grid is evicted after this time (ms) without a query. */
  readonly ttlMs: number;
  /** Maximum number of Grids. */
  readonly maxGrids: number;
  /**
   * When full, a new Grid may replace one without a query for this time (ms). Clients of a live stream query more
   * often than that.
   */
  readonly evictableAfterMs: number;
}

const DEFAULT_BOUNDS: RecentGridBounds = { ttlMs: 60_000, maxGrids: 1_000, evictableAfterMs: 5_000 };

/** Grids that were queried recently: an LRU set with a time to live. */
export class RecentlyQueriedGrids {
  /** Time of the last query, least recent first. */
  private readonly lastQueriedAt = new Map<string, number>();
  private readonly evicted = new Set<string>();

  /** `clock` in ms, of any origin. `onNew` is called when a Grid is added. */
  constructor(
    private readonly clock: () => number,
    private readonly onNew: () => void = () => undefined,
    private readonly bounds: RecentGridBounds = DEFAULT_BOUNDS,
  ) {}

  /** Records a query. False if the limit is reached and no Grid can be evicted. */
  record(gridId: string): boolean {
    const now = this.clock();
    const isNew = !this.lastQueriedAt.delete(gridId);
    if (isNew && !this.evictOldest(now)) return false;
    this.lastQueriedAt.set(gridId, now);
    this.evicted.delete(gridId);
    if (isNew) this.onNew();
    return true;
  }

  /** Evicts expired Grids and returns the others. */
  grids(): readonly string[] {
    const notBefore = this.clock() - this.bounds.ttlMs;
    for (const [gridId, at] of this.lastQueriedAt) {
      if (at > notBefore) break;
      this.evict(gridId);
    }
    return [...this.lastQueriedAt.keys()];
  }

  /** Grids evicted since the last call. */
  takeEvicted(): readonly string[] {
    const evicted = [...this.evicted];
    this.evicted.clear();
    return evicted;
  }

  private evictOldest(now: number): boolean {
    if (this.lastQueriedAt.size < this.bounds.maxGrids) return true;
    const [gridId, at] = this.lastQueriedAt.entries().next().value!;
    if (now - at < this.bounds.evictableAfterMs) return false;
    this.evict(gridId);
    return true;
  }

  private evict(gridId: string): void {
    this.lastQueriedAt.delete(gridId);
    this.evicted.add(gridId);
  }
}
