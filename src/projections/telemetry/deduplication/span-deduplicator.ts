import type { SpanColumns } from '../../../telemetry/columns/span-batch-columns.js';
import type { BlockMetadata } from '../blocks/block-compactor.js';
import { type RecentSpans, type SpanIds } from './recent-spans.js';
import { selectRowsByGrid, type RowsByGrid, type EventRows } from '../telemetry-batch.js';
import type { ArchivedBlockIndex } from './archived-block-index.js';

/** Looks spans up in blocks. */
export interface BlockLookup {
  /** Sets `known[row]` to 1 for each of the rows whose span stands in the block: same trace, same id, same start. */
  markKnown(block: BlockMetadata, columns: SpanIds, rows: readonly number[], known: Uint8Array): Promise<void>;
}

/**
 * Lets each span through once. A repetition with the same start is dropped however late, one with another start within
 * 15 minutes of log time (as far as RecentSpans reaches). What has expired does not come back.
 */
export class SpanDeduplicator {
  private readonly seeds = new Map<string, number>();

  constructor(
    private readonly recent: RecentSpans,
    private readonly archive: ArchivedBlockIndex,
    private readonly lookup: BlockLookup,
  ) {}

  /**
   * Rows to count, by Grid. Numbers the sections' events and adds up the counted spans of their requests.
   * `floorUs` answers before which start (µs) a Grid's spans have expired.
   */
  async selectNewRows(
    columns: SpanColumns,
    sections: readonly EventRows[],
    floorUs: (gridId: string) => number,
  ): Promise<RowsByGrid> {
    this.recent.beginBatch(columns);
    this.archive.archiveBefore(this.recent.oldestEvent);
    const archived = await this.findArchived(columns, sections);
    let at: EventRows | undefined;
    let floor = 0;
    let seed = 0;
    return selectRowsByGrid(sections, (row, section) => {
      if (section !== at) {
        at = section;
        floor = floorUs(section.gridId);
        seed = this.gridSeed(section.gridId);
        section.event = this.recent.beginEvent(section.recordedAt);
      }
      if (columns.startUs[row] < floor || archived?.[row] === 1) return false;
      const counts = this.recent.admit(columns, row, seed, floor);
      if (counts) section.request.spans++;
      return counts;
    });
  }

  /** Seed that keeps the spans of Grids apart: FNV-1a of the Grid's id. */
  gridSeed(gridId: string): number {
    let seed = this.seeds.get(gridId);
    if (seed === undefined) {
      seed = 0x811c9dc5;
      for (let i = 0; i < gridId.length; i++) seed = Math.imul(seed ^ gridId.charCodeAt(i), 0x01000193);
      this.seeds.set(gridId, seed);
    }
    return seed;
  }

  /** Marks the rows whose span stands in an archived block; undefined where no block had to be asked. */
  private async findArchived(columns: SpanColumns, sections: readonly EventRows[]): Promise<Uint8Array | undefined> {
    const suspects = this.findCandidatesByBlock(columns, sections);
    if (suspects.size === 0) return undefined;
    const known = new Uint8Array(columns.count);
    for (const [block, rows] of suspects) await this.lookup.markKnown(block, columns, rows, known);
    return known;
  }

  private findCandidatesByBlock(columns: SpanColumns, sections: readonly EventRows[]): Map<BlockMetadata, number[]> {
    const suspects = new Map<BlockMetadata, number[]>();
    for (const { gridId, from, to } of sections) {
      const latestUs = this.archive.latestUs(gridId);
      for (let row = from; row < to; row++) {
        if (columns.startUs[row] > latestUs || this.recent.find(columns, row, this.gridSeed(gridId), 0) === 'same')
          continue;
        for (const block of this.archive.findCovering(gridId, columns.startUs[row])) {
          const rows = suspects.get(block);
          if (rows === undefined) suspects.set(block, [row]);
          else rows.push(row);
        }
      }
    }
    return suspects;
  }
}
