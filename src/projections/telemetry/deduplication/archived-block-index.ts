import type { BlockObserver, BlockMetadata } from '../blocks/block-compactor.js';

const MINUTE_US = 60_000_000;

/** Blocks over more minutes than this are kept in one list instead of under each of their minutes. */
const WIDE_MINUTES = 64;

interface GridBlockIndex {
  readonly minutes: Map<number, Set<BlockMetadata>>;
  readonly wide: Set<BlockMetadata>;
  latestUs: number;
}

/**
 * Finds the blocks in which a span with a given start may stand that RecentSpans does not hold any more.
 * Spans in the order of time are later than all of them, and cost one comparison.
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

  /** Blocks whose rows are all of this event or of later ones need no looking into: RecentSpans holds their spans. */
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
    const drawer = this.grids.get(block.gridId);
    drawer?.wide.delete(block);
    for (const minute of coveredMinutes(block)) {
      const blocks = drawer?.minutes.get(minute);
      if (blocks?.delete(block) && blocks.size === 0) drawer?.minutes.delete(minute);
    }
  }

  /** No archived span of the Grid starts after this (µs). */
  latestUs(gridId: string): number {
    return this.grids.get(gridId)?.latestUs ?? -Infinity;
  }

  /** Archived blocks with a row at or before this start and one at or after it. */
  findCovering(gridId: string, startUs: number): BlockMetadata[] {
    const drawer = this.grids.get(gridId);
    if (drawer === undefined) return [];
    const candidates = [...(drawer.minutes.get(Math.floor(startUs / MINUTE_US)) ?? []), ...drawer.wide];
    return candidates.filter(({ oldestUs, newestUs }) => oldestUs <= startUs && startUs <= newestUs);
  }

  private archive(block: BlockMetadata): void {
    this.fresh.delete(block);
    const drawer = this.getOrCreateGrid(block.gridId);
    drawer.latestUs = Math.max(drawer.latestUs, block.newestUs);
    const minutes = coveredMinutes(block);
    if (minutes.length === 0) drawer.wide.add(block);
    for (const minute of minutes) {
      const blocks = drawer.minutes.get(minute) ?? new Set<BlockMetadata>();
      drawer.minutes.set(minute, blocks.add(block));
    }
  }

  private getOrCreateGrid(gridId: string): GridBlockIndex {
    let drawer = this.grids.get(gridId);
    if (drawer === undefined) {
      drawer = { minutes: new Map(), wide: new Set(), latestUs: -Infinity };
      this.grids.set(gridId, drawer);
    }
    return drawer;
  }
}

/** The minutes that a block touches, none for a wide one. */
function coveredMinutes({ oldestUs, newestUs }: BlockMetadata): number[] {
  const first = Math.floor(oldestUs / MINUTE_US);
  const count = Math.floor(newestUs / MINUTE_US) - first + 1;
  return count > WIDE_MINUTES ? [] : Array.from({ length: count }, (_, i) => first + i);
}
