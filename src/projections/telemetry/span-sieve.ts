import type { SpanColumns } from '../../telemetry/span-columns.js';
import type { ShelvedBlock } from './block-shelves.js';
import { type RecentSpans, type SpanIds } from './recent-spans.js';
import { rowsByGrid, type RowsByGrid, type Section } from './sections.js';
import type { SpanArchive } from './span-archive.js';

/** Looks spans up in blocks. */
export interface BlockLookup {
  /** Sets `known[row]` to 1 for each of the rows whose span stands in the block: same trace, same id, same start. */
  mark(block: ShelvedBlock, columns: SpanIds, rows: readonly number[], known: Uint8Array): Promise<void>;
}

/**
 * Lets each span through once. A repetition with the same start is dropped however late, one with another start within
 * 15 minutes of log time (as far as RecentSpans reaches). What has expired does not come back.
 */
export class SpanSieve {
  private readonly seeds = new Map<string, number>();

  constructor(
    private readonly recent: RecentSpans,
    private readonly archive: SpanArchive,
    private readonly lookup: BlockLookup,
  ) {}

  /**
   * Rows to count, by Grid. Numbers the sections' events and adds up the counted spans of their requests.
   * `floorUs` answers before which start (µs) a Grid's spans have expired.
   */
  async sift(columns: SpanColumns, sections: readonly Section[], floorUs: (gridId: string) => number): Promise<RowsByGrid> {
    this.recent.beginPortion(columns);
    this.archive.age(this.recent.oldestEvent);
    const archived = await this.findArchived(columns, sections);
    let at: Section | undefined;
    let floor = 0;
    let seed = 0;
    return rowsByGrid(sections, (row, section) => {
      if (section !== at) {
        at = section;
        floor = floorUs(section.gridId);
        seed = this.seedOf(section.gridId);
        section.event = this.recent.beginEvent(section.recordedAt);
      }
      if (columns.startUs[row] < floor || archived?.[row] === 1) return false;
      const counts = this.recent.admit(columns, row, seed, floor);
      if (counts) section.request.spans++;
      return counts;
    });
  }

  /** Seed that keeps the spans of Grids apart: FNV-1a of the Grid's id. */
  seedOf(gridId: string): number {
    let seed = this.seeds.get(gridId);
    if (seed === undefined) {
      seed = 0x811c9dc5;
      for (let i = 0; i < gridId.length; i++) seed = Math.imul(seed ^ gridId.charCodeAt(i), 0x01000193);
      this.seeds.set(gridId, seed);
    }
    return seed;
  }

  /** Marks the rows whose span stands in an archived block; undefined where no block had to be asked. */
  private async findArchived(columns: SpanColumns, sections: readonly Section[]): Promise<Uint8Array | undefined> {
    const suspects = this.suspectsByBlock(columns, sections);
    if (suspects.size === 0) return undefined;
    const known = new Uint8Array(columns.count);
    for (const [block, rows] of suspects) await this.lookup.mark(block, columns, rows, known);
    return known;
  }

  private suspectsByBlock(columns: SpanColumns, sections: readonly Section[]): Map<ShelvedBlock, number[]> {
    const suspects = new Map<ShelvedBlock, number[]>();
    for (const { gridId, from, to } of sections) {
      const latestUs = this.archive.latestUs(gridId);
      for (let row = from; row < to; row++) {
        if (columns.startUs[row] > latestUs || this.recent.find(columns, row, this.seedOf(gridId), 0) === 'same') continue;
        for (const block of this.archive.covering(gridId, columns.startUs[row])) {
          const rows = suspects.get(block);
          if (rows === undefined) suspects.set(block, [row]);
          else rows.push(row);
        }
      }
    }
    return suspects;
  }
}
