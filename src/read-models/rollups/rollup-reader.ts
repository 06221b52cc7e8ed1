import type { DiagnosticsInput } from '../../diagnostics/input.js';
import type { ServiceCatalog } from '../../diagnostics/rollups.js';
import { eq } from '../filter.js';
import { LOGS_PROJECTION } from '../logs.js';
import { activeVersion } from '../projections.js';
import { logRollups, METRICS_PROJECTION, metricRollups, spanRollups } from '../rollups.js';
import { TRACES_PROJECTION } from '../spans.js';
import type { ReadModelReader } from '../store.js';
import { CurrentRollups } from './current-rollups.js';
import { DecodedRollups } from './decoded-rollups.js';
import { byText } from './ordering.js';
import type { StoredRun } from './rollup-source.js';
import { GRID_ROLLUPS, LOG_ROLLUPS, METRIC_ROLLUPS, SERVICE_ROLLUPS } from './rollup-kinds.js';

/** The parts of a diagnostic's input that come from rollups. */
export type Rollups = Pick<DiagnosticsInput, 'grids' | 'services' | 'logs' | 'metrics'>;

export type RollupPart = keyof Rollups;

/** Decoded rollups kept: the two hours that live answers look at, of 50 services with 40 operations each, take 190 MB. */
const DEFAULT_ROLLUP_CACHE_BYTES = 256 * 1024 * 1024;

/** Catalogs of Grids kept. */
const MAX_CATALOGS = 256;

/**
 * Rollups of Grids as one thread reads them: what it was asked for is kept decoded, up to a bound. Look before each answer:
 * what is read then shows everything that was committed before, and may show more.
 */
export class RollupReader {
  private readonly kinds;
  private readonly catalogs = new Map<string, { readonly look: number; readonly catalogs: readonly ServiceCatalog[] }>();
  /** By Grid, the number of the look that found its last change, and of the last look that concerned all. */
  private readonly changes = new Map<string, number>();
  private changeOfAll = 0;
  private looks = 0;
  private line: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly store: ReadModelReader,
    cacheBytes = DEFAULT_ROLLUP_CACHE_BYTES,
  ) {
    const decoded = new DecodedRollups(store, cacheBytes);
    this.kinds = {
      grids: new CurrentRollups(store, TRACES_PROJECTION, (version) => spanRollups(version).grids, GRID_ROLLUPS, decoded),
      services: new CurrentRollups(store, TRACES_PROJECTION, (version) => spanRollups(version).services, SERVICE_ROLLUPS, decoded),
      logs: new CurrentRollups(store, LOGS_PROJECTION, logRollups, LOG_ROLLUPS, decoded),
      metrics: new CurrentRollups(store, METRICS_PROJECTION, metricRollups, METRIC_ROLLUPS, decoded),
    };
  }

  /** Takes in what was committed since the last look; answers the look's number. */
  look(): Promise<number> {
    const look = this.line.then(() => this.lookNow());
    this.line = look.catch(() => undefined); // whoever asked is told
    return look;
  }

  /** The number of the look that found the Grid's last change; 0 where none did. */
  lastChange(gridId: string): number {
    return Math.max(this.changes.get(gridId) ?? 0, this.changeOfAll);
  }

  /** Grids that have rollups, as of the last look. */
  grids(): ReadonlySet<string> {
    const { grids, logs, metrics } = this.kinds;
    return new Set([grids, logs, metrics].flatMap((kind) => [...kind.grids()]));
  }

  /** The newest minute of the Grid with telemetry, as of the last look; undefined where it has none. */
  newestMinute(gridId: string): number | undefined {
    const { grids, logs, metrics } = this.kinds;
    const newest = Math.max(...[grids, logs, metrics].map((kind) => kind.newestMinute(gridId) ?? -Infinity));
    return newest === -Infinity ? undefined : newest;
  }

  /** Telemetry of the Grid that ended before this time (ms) has left, some of it at least, as of the last look; 0: nothing has. */
  keptFromMs(gridId: string): number {
    const { grids, logs, metrics } = this.kinds;
    return Math.max(...[grids, logs, metrics].map((kind) => kind.keptFromMs(gridId)));
  }

  /**
   * Rollups of the minutes (since 1970) from ≤ minute < to, of one service or all, ascending by time and name; in a long
   * window by the hour. Shows all that was committed before the last look.
   */
  load<P extends RollupPart>(part: P, gridId: string, from: number, to: number, onlyService?: string): Promise<Rollups[P]> {
    return this.kinds[part].load(gridId, from, to, onlyService) as Promise<unknown> as Promise<Rollups[P]>;
  }

  /**
   * Where the rollups of these minutes stand in the store, ascending: `byHour` whole hours by the hour, else all by the
   * minute. For those who read without keeping what they read. As of the last look.
   */
  storedRuns(part: RollupPart, gridId: string, from: number, to: number, byHour: boolean): StoredRun[] {
    return this.kinds[part].storedRuns(gridId, from, to, byHour);
  }

  /** When names were first and last seen, services ascending, as of the last look or later. */
  async serviceCatalogs(gridId: string): Promise<readonly ServiceCatalog[]> {
    const look = this.lastChange(gridId);
    const known = this.catalogs.get(gridId);
    if (known?.look === look) return known.catalogs;
    const version = await activeVersion(this.store, TRACES_PROJECTION);
    const found = version === undefined ? [] : await this.store.find(spanRollups(version).catalogs, { filter: eq('gridId', gridId) });
    const catalogs = found.map(({ document }) => document).sort((a, b) => byText(a.service, b.service));
    if (this.catalogs.size >= MAX_CATALOGS) this.catalogs.clear();
    this.catalogs.set(gridId, { look, catalogs });
    return catalogs;
  }

  private async lookNow(): Promise<number> {
    const number = ++this.looks;
    try {
      for (const kind of Object.values(this.kinds)) {
        const changed = await kind.look();
        if (changed === 'all') this.changeOfAll = number;
        else for (const gridId of changed) this.changes.set(gridId, number);
      }
    } catch (error) {
      this.changeOfAll = number; // some of what it found may be lost
      throw error;
    }
    return number;
  }
}
