import type { ShelfObserver, ShelvedBlock } from './block-shelves.js';

const MINUTE_US = 60_000_000;

/** Blocks over more minutes than this are kept in one list instead of under each of their minutes. */
const WIDE_MINUTES = 64;

interface Drawer {
  readonly minutes: Map<number, Set<ShelvedBlock>>;
  readonly wide: Set<ShelvedBlock>;
  latestUs: number;
}

/**
 * Finds the blocks in which a span with a given start may stand that RecentSpans does not hold any more.
 * Spans in the order of time are later than all of them, and cost one comparison.
 */
export class SpanArchive implements ShelfObserver {
  private readonly fresh = new Set<ShelvedBlock>();
  private readonly drawers = new Map<string, Drawer>();
  private oldestEvent = 0;

  clear(): void {
    this.fresh.clear();
    this.drawers.clear();
    this.oldestEvent = 0;
  }

  /** Blocks whose rows are all of this event or of later ones need no looking into: RecentSpans holds their spans. */
  age(oldestEvent: number): void {
    if (oldestEvent === this.oldestEvent) return;
    this.oldestEvent = oldestEvent;
    for (const block of this.fresh) if (block.firstEvent < oldestEvent) this.file(block);
  }

  added(block: ShelvedBlock): void {
    if (block.firstEvent < this.oldestEvent) this.file(block);
    else this.fresh.add(block);
  }

  removed(block: ShelvedBlock): void {
    if (this.fresh.delete(block)) return;
    const drawer = this.drawers.get(block.gridId);
    drawer?.wide.delete(block);
    for (const minute of minutesOf(block)) {
      const blocks = drawer?.minutes.get(minute);
      if (blocks?.delete(block) && blocks.size === 0) drawer?.minutes.delete(minute);
    }
  }

  /** No archived span of the Grid starts after this (µs). */
  latestUs(gridId: string): number {
    return this.drawers.get(gridId)?.latestUs ?? -Infinity;
  }

  /** Archived blocks with a row at or before this start and one at or after it. */
  covering(gridId: string, startUs: number): ShelvedBlock[] {
    const drawer = this.drawers.get(gridId);
    if (drawer === undefined) return [];
    const candidates = [...(drawer.minutes.get(Math.floor(startUs / MINUTE_US)) ?? []), ...drawer.wide];
    return candidates.filter(({ oldestUs, newestUs }) => oldestUs <= startUs && startUs <= newestUs);
  }

  private file(block: ShelvedBlock): void {
    this.fresh.delete(block);
    const drawer = this.drawer(block.gridId);
    drawer.latestUs = Math.max(drawer.latestUs, block.newestUs);
    const minutes = minutesOf(block);
    if (minutes.length === 0) drawer.wide.add(block);
    for (const minute of minutes) {
      const blocks = drawer.minutes.get(minute) ?? new Set<ShelvedBlock>();
      drawer.minutes.set(minute, blocks.add(block));
    }
  }

  private drawer(gridId: string): Drawer {
    let drawer = this.drawers.get(gridId);
    if (drawer === undefined) {
      drawer = { minutes: new Map(), wide: new Set(), latestUs: -Infinity };
      this.drawers.set(gridId, drawer);
    }
    return drawer;
  }
}

/** The minutes that a block touches, none for a wide one. */
function minutesOf({ oldestUs, newestUs }: ShelvedBlock): number[] {
  const first = Math.floor(oldestUs / MINUTE_US);
  const count = Math.floor(newestUs / MINUTE_US) - first + 1;
  return count > WIDE_MINUTES ? [] : Array.from({ length: count }, (_, i) => first + i);
}
