import type { DiagnosticsInput } from '../../diagnostics/diagnostics-input.js';
import type { ServiceCatalog } from '../../diagnostics/rollups/rollup-types.js';
import type { StoredRollupRange } from './rollup-version-reader.js';

/** The parts of a diagnostic's input that come from rollups. */
export type RollupsByPart = Pick<DiagnosticsInput, 'grids' | 'services' | 'logs' | 'metrics'>;

export type RollupPart = keyof RollupsByPart;

/**
 * Rollups of Grids as questions ask for them. Look before each answer: what is read then shows everything of the Grid that
 * was committed before, and may show more.
 */
export interface GridRollupReader {
  /** Takes in what was committed of this Grid since the last look; answers the look's number, which counts for this Grid. */
  refresh(gridId: string): Promise<number>;
  /** The same for all of these Grids. */
  refreshGrids(gridIds: readonly string[]): Promise<void>;
  /** The same for all Grids, or for those of some shares where they are shared out. */
  refreshShards(shares?: readonly number[]): Promise<void>;
  /** The number of the look that found the Grid's last change; 0 where none did. */
  lastChange(gridId: string): number;
  /** Grids of these shares, or of all, that have rollups, as of the last look at the shares. */
  grids(shares?: readonly number[]): ReadonlySet<string>;
  /** The newest minute of the Grid with telemetry, as of the last look; undefined where it has none. */
  newestMinute(gridId: string): number | undefined;
  /** Telemetry of the Grid that ended before this time (ms) has left, some of it at least, as of the last look; 0: nothing has. */
  retainedFromMs(gridId: string): number;
  /**
   * Rollups of the minutes (since 1970) from ≤ minute < to, of one service or all, ascending by time and name; in a long
   * window by the hour. Shows all that was committed before the last look.
   */
  load<P extends RollupPart>(
    part: P,
    gridId: string,
    from: number,
    to: number,
    onlyService?: string,
  ): Promise<RollupsByPart[P]>;
  /**
   * Where the rollups of these minutes stand in the store, ascending: `byHour` whole hours by the hour, else all by the
   * minute. For those who read without keeping what they read. As of the last look.
   */
  findStoredRanges(part: RollupPart, gridId: string, from: number, to: number, byHour: boolean): StoredRollupRange[];
  /** When names were first and last seen, services ascending, as of the last look or later. */
  loadServiceCatalogs(gridId: string): Promise<readonly ServiceCatalog[]>;
}
