import type { BlockMetadata, BlockObserver } from '../blocks/block-compactor.js';

const MINUTE_US = 60_000_000;

/** Blocks that span more minutes than this are stored in one list instead of under each minute. */
const WIDE_MINUTES = 64;

interface GridBlockIndex {
  readonly minutes: Map<number, Set<BlockMetadata>>;
  readonly wide: Set<BlockMetadata>;
  latestUs: number;
}

/**
 * Finds the blocks that may contain a span with a given start which RecentSpans no longer holds. Spans in chronological
 * order are later than all of them and cost one comparison.
 */
export class ArchivedBlockIndex implements BlockObserver {
  private readonly fresh = new Set<BlockMetadata>();
  private readonly grids = new Map<string, GridBlockIndex>();
  private oldestEvent = 0;

  clear(): void {
    this.fresh.clear();
    this.grids.clear();
    this.oldestEvent = 0;
  }

  /**
   * Archives blocks with rows of events before `oldestEvent`. The spans of all other blocks are in RecentSpans, so
   * these blocks need not be searched.
   */
  archiveBefore(oldestEvent: number): void {
    if (oldestEvent === this.oldestEvent) return;
    this.oldestEvent = oldestEvent;
    for (const block of this.fresh) if (block.firstEvent < oldestEvent) this.archive(block);
  }

  added(block: BlockMetadata): void {
    if (block.firstEvent < this.oldestEvent) this.archive(block);
    else this.fresh.add(block);
  }

  removed(block: BlockMetadata): void {
    if (this.fresh.delete(block)) return;
    const index = this.grids.get(block.gridId);
    index?.wide.delete(block);
    for (const minute of coveredMinutes(block)) {
      const blocks = index?.minutes.get(minute);
      if (blocks?.delete(block) && blocks.size === 0) index?.minutes.delete(minute);
    }
  }

  /** No archived span of the Grid starts after this (µs). */
  latestUs(gridId: string): number {
    return this.grids.get(gridId)?.latestUs ?? -Infinity;
  }

  /** Archived blocks whose time range contains this start (µs). */
  findCovering(gridId: string, startUs: number): BlockMetadata[] {
    const index = this.grids.get(gridId);
    if (index === undefined) return [];
    const candidates = [...(index.minutes.get(Math.floor(startUs / MINUTE_US)) ?? []), ...index.wide];
    return candidates.filter(({ oldestUs, newestUs }) => oldestUs <= startUs && startUs <= newestUs);
  }

  private archive(block: BlockMetadata): void {
    this.fresh.delete(block);
    const index = this.getOrCreateGrid(block.gridId);
    index.latestUs = Math.max(index.latestUs, block.newestUs);
    const minutes = coveredMinutes(block);
    if (minutes.length === 0) index.wide.add(block);
    for (const minute of minutes) {
      const blocks = index.minutes.get(minute) ?? new Set<BlockMetadata>();
      index.minutes.set(minute, blocks.add(block));
    }
  }

  private getOrCreateGrid(gridId: string): GridBlockIndex {
    let index = this.grids.get(gridId);
    if (index === undefined) {
      index = { minutes: new Map(), wide: new Set(), latestUs: -Infinity };
      this.grids.set(gridId, index);
    }
    return index;
  }
}

/** Minutes that a block covers; empty for a wide block. */
function coveredMinutes({ oldestUs, newestUs }: BlockMetadata): number[] {
  const first = Math.floor(oldestUs / MINUTE_US);
  const count = Math.floor(newestUs / MINUTE_US) - first + 1;
  return count > WIDE_MINUTES ? [] : Array.from({ length: count }, (_, i) => first + i);
}
