import type { DiagnosticsInput } from '../../diagnostics/diagnostics-input.js';
import type { MetricRollup, ServiceCatalog, TimeBucket } from '../../diagnostics/rollups/rollup-types.js';
import type { StoredRollupRange } from './rollup-version-reader.js';

/** The parts of a diagnostic's input that come from rollups, and the metrics that complete `grids` and `services`. */
export interface RollupsByPart extends Pick<DiagnosticsInput, 'grids' | 'services' | 'logs' | 'metrics'> {
  readonly requests: readonly TimeBucket<MetricRollup>[];
}

export type RollupPart = keyof RollupsByPart;

/**
 * Rollups of Grids for queries. Refresh before each query: subsequent reads then include everything of the Grid that
 * was committed before, and may include more.
 */
export interface GridRollupReader {
  /**
   * Loads what was committed for this Grid since the last refresh; returns the number of the refresh, which is
   * comparable for this Grid only.
   */
  refresh(gridId: string): Promise<number>;
  /** The same for all of these Grids. */
  refreshGrids(gridIds: readonly string[]): Promise<void>;
  /** The same for all Grids, or for those of some shards. */
  refreshShards(shards?: readonly number[]): Promise<void>;
  /** Number of the refresh that found the Grid's last change; 0 if none did. */
  lastChange(gridId: string): number;
  /** Grids with rollups, of these shards or of all, as of their last refresh. */
  grids(shards?: readonly number[]): ReadonlySet<string>;
  /** Newest minute of the Grid with telemetry, as of the last refresh; undefined if it has none. */
  newestMinute(gridId: string): number | undefined;
  /**
   * Time (ms) before which telemetry of the Grid has expired, of some signal at least, as of the last refresh; 0: none
   * has.
   */
  retainedFromMs(gridId: string): number;
  /**
   * Rollups of the minutes (since 1970) from ≤ minute < to, of one service or all, ascending by time and name; in a
   * long window by the hour. Includes everything committed before the last refresh.
   */
  load<P extends RollupPart>(
    part: P,
    gridId: string,
    from: number,
    to: number,
    onlyService?: string,
  ): Promise<RollupsByPart[P]>;
  /**
   * Where the rollups of these minutes are stored, ascending: with `byHour` complete hours by the hour, otherwise
   * everything by the minute. For readers that do not cache. As of the last refresh.
   */
  findStoredRanges(part: RollupPart, gridId: string, from: number, to: number, byHour: boolean): StoredRollupRange[];
  /** When names were first and last seen, services ascending, as of the last refresh or later. */
  loadServiceCatalogs(gridId: string): Promise<readonly ServiceCatalog[]>;
}
