import type { SpanColumns } from '../../../telemetry/columns/span-batch-columns.js';
import type { BlockMetadata, BlockObserver } from '../blocks/block-compactor.js';
import type { RecentSpans, SpanIds } from './recent-spans.js';
import { selectRowsByGrid, type RowsByGrid, type EventRows } from '../telemetry-batch.js';

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

/** Looks up spans in blocks. */
export interface BlockLookup {
  /** Sets `known[row]` to 1 for each of the rows whose span is in the block: same trace, same id, same start. */
  markKnown(block: BlockMetadata, columns: SpanIds, rows: readonly number[], known: Uint8Array): Promise<void>;
}

/**
 * Admits each span once. A repetition with the same start is dropped however late it arrives, one with another start
 * within 15 minutes of log time (as far as RecentSpans reaches). Expired spans are not admitted again.
 */
export class SpanDeduplicator {
  private readonly seeds = new Map<string, number>();

  constructor(
    private readonly recent: RecentSpans,
    private readonly archive: ArchivedBlockIndex,
    private readonly lookup: BlockLookup,
  ) {}

  /**
   * Rows to count, by Grid. Assigns event numbers to `eventRows` and adds up the counted spans of their requests.
   * `floorUs` returns the start (µs) before which the spans of a Grid have expired.
   */
  async selectNewRows(
    columns: SpanColumns,
    eventRows: readonly EventRows[],
    floorUs: (gridId: string) => number,
  ): Promise<RowsByGrid> {
    this.recent.beginBatch(columns);
    this.archive.archiveBefore(this.recent.oldestEvent);
    const archived = await this.findArchived(columns, eventRows);
    let currentEntry: EventRows | undefined;
    let floor = 0;
    let seed = 0;
    return selectRowsByGrid(eventRows, (row, entry) => {
      if (entry !== currentEntry) {
        currentEntry = entry;
        floor = floorUs(entry.gridId);
        seed = this.gridSeed(entry.gridId);
        entry.event = this.recent.beginEvent(entry.recordedAt);
      }
      if (columns.startUs[row] < floor) {
        entry.dropped.expired++;
        return false;
      }
      const isNew = archived?.[row] !== 1 && this.recent.admit(columns, row, seed, floor);
      if (isNew) entry.request.spans++;
      else entry.dropped.duplicates++;
      return isNew;
    });
  }

  /** Seed that keeps the spans of different Grids apart: FNV-1a of the Grid's id. */
  gridSeed(gridId: string): number {
    let seed = this.seeds.get(gridId);
    if (seed === undefined) {
      seed = 0x811c9dc5;
      for (let i = 0; i < gridId.length; i++) seed = Math.imul(seed ^ gridId.charCodeAt(i), 0x01000193);
      this.seeds.set(gridId, seed);
    }
    return seed;
  }

  /** Marks the rows whose span is in an archived block; undefined if no block had to be searched. */
  private async findArchived(columns: SpanColumns, eventRows: readonly EventRows[]): Promise<Uint8Array | undefined> {
    const candidates = this.findCandidatesByBlock(columns, eventRows);
    if (candidates.size === 0) return undefined;
    const known = new Uint8Array(columns.count);
    for (const [block, rows] of candidates) await this.lookup.markKnown(block, columns, rows, known);
    return known;
  }

  private findCandidatesByBlock(columns: SpanColumns, eventRows: readonly EventRows[]): Map<BlockMetadata, number[]> {
    const candidates = new Map<BlockMetadata, number[]>();
    for (const { gridId, from, to } of eventRows) {
      const latestUs = this.archive.latestUs(gridId);
      for (let row = from; row < to; row++) {
        if (columns.startUs[row] > latestUs || this.recent.find(columns, row, this.gridSeed(gridId), 0) === 'same')
          continue;
        for (const block of this.archive.findCovering(gridId, columns.startUs[row])) {
          const rows = candidates.get(block);
          if (rows === undefined) candidates.set(block, [row]);
          else rows.push(row);
        }
      }
    }
    return candidates;
  }
}
