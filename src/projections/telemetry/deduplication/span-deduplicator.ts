import type { SpanColumns } from '../../../telemetry/columns/span-batch-columns.js';
import type { BlockMetadata } from '../blocks/block-compactor.js';
import type { ArchivedBlockIndex } from './archived-block-index.js';
import type { RecentSpans, SpanIds } from './recent-spans.js';
import { selectRowsByGrid, type RowsByGrid, type EventRows } from '../telemetry-batch.js';

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
