/** Bounds of what is remembered. */
export interface RecentGridBounds {
  /** A Grid is let go when nobody has asked about it for so long (ms). */
  readonly lastsMs: number;
  /** Grids at once. */
  readonly most: number;
  /** A full memory lets go of a Grid that nobody has asked about for so long (ms): who follows a stream asks more often. */
  readonly followedMs: number;
}

const DEFAULT_BOUNDS: RecentGridBounds = { lastsMs: 60_000, most: 1_000, followedMs: 5_000 };

/** Grids whose state somebody has asked for lately. */
export class RecentlyQueriedGrids {
  /** When each was asked about last; the one that was not for the longest time first. */
  private readonly asked = new Map<string, number>();
  private readonly left = new Set<string>();

  /** `clock` in ms, of any origin. `onNew` is told when a Grid is asked about that was not remembered. */
  constructor(
    private readonly clock: () => number,
    private readonly onNew: () => void = () => undefined,
    private readonly bounds: RecentGridBounds = DEFAULT_BOUNDS,
  ) {}

  /** Somebody asks about the Grid. False: there is no room, since others are asked about all the time. */
  record(gridId: string): boolean {
    const now = this.clock();
    const isNew = !this.asked.delete(gridId);
    if (isNew && !this.evictOldest(now)) return false;
    this.asked.set(gridId, now);
    this.left.delete(gridId);
    if (isNew) this.onNew();
    return true;
  }

  /** As of now. */
  grids(): readonly string[] {
    const since = this.clock() - this.bounds.lastsMs;
    for (const [gridId, at] of this.asked) {
      if (at > since) break;
      this.evict(gridId);
    }
    return [...this.asked.keys()];
  }

  /** Grids that were let go since this was called last. */
  takeEvicted(): readonly string[] {
    const left = [...this.left];
    this.left.clear();
    return left;
  }

  private evictOldest(now: number): boolean {
    if (this.asked.size < this.bounds.most) return true;
    const [gridId, at] = this.asked.entries().next().value!;
    if (now - at < this.bounds.followedMs) return false;
    this.evict(gridId);
    return true;
  }

  private evict(gridId: string): void {
    this.asked.delete(gridId);
    this.left.add(gridId);
  }
}
