import type { ServiceCatalog } from '../../diagnostics/rollups.js';
import { eq } from '../filter.js';
import { LOGS_PROJECTION } from '../logs.js';
import { activeVersion } from '../projections.js';
import { logRollups, METRICS_PROJECTION, metricRollups, spanRollups } from '../rollups.js';
import { TRACES_PROJECTION } from '../spans.js';
import type { ReadModelReader } from '../store.js';
import { CurrentRollups } from './current-rollups.js';
import { DecodedRollups } from './decoded-rollups.js';
import type { GridRollups, RollupPart, Rollups } from './grid-rollups.js';
import { byText } from './ordering.js';
import type { RollupMemory, StoredRun } from './rollup-source.js';
import { GRID_ROLLUPS, LOG_ROLLUPS, METRIC_ROLLUPS, SERVICE_ROLLUPS } from './rollup-kinds.js';

/** Decoded rollups kept: the two hours that live answers look at, of 50 services with 40 operations each, take 190 MB. */
export const DEFAULT_ROLLUP_CACHE_BYTES = 256 * 1024 * 1024;

/** After a pause this long (ms) a look begins anew: all that has changed meanwhile would be far more than is asked for. */
const LONG_PAUSE_MS = 30_000;

/** Catalogs of Grids kept. */
const MAX_CATALOGS = 256;

/**
 * Rollups of Grids as one thread reads them: what it was asked for is kept decoded, up to a bound. A look takes in what
 * concerns any Grid.
 */
export class RollupReader implements GridRollups {
  private readonly kinds;
  private readonly catalogs = new Map<string, { readonly look: number; readonly catalogs: readonly ServiceCatalog[] }>();
  /** By Grid, the number of the look that found its last change, and of the last look that concerned all. */
  private readonly changes = new Map<string, number>();
  private changeOfAll = 0;
  private looks = 0;
  private lookedAt = -Infinity;
  private line: Promise<unknown> = Promise.resolve();
  /** The look that has not begun yet: it is for all who ask until it does. */
  private nextLook: Promise<number> | undefined;

  constructor(
    private readonly store: ReadModelReader,
    memory: RollupMemory = { decoded: new DecodedRollups(DEFAULT_ROLLUP_CACHE_BYTES) },
    private readonly stopwatch: () => number = () => performance.now(),
  ) {
    this.kinds = {
      grids: new CurrentRollups(store, TRACES_PROJECTION, (version) => spanRollups(version).grids, GRID_ROLLUPS, memory),
      services: new CurrentRollups(store, TRACES_PROJECTION, (version) => spanRollups(version).services, SERVICE_ROLLUPS, memory),
      logs: new CurrentRollups(store, LOGS_PROJECTION, logRollups, LOG_ROLLUPS, memory),
      metrics: new CurrentRollups(store, METRICS_PROJECTION, metricRollups, METRIC_ROLLUPS, memory),
    };
  }

  /** One look at a time: however many ask, there is one under way and one to follow. */
  look(): Promise<number> {
    if (this.nextLook !== undefined) return this.nextLook;
    const look = this.line.then(() => {
      this.nextLook = undefined;
      return this.lookNow();
    });
    this.nextLook = look;
    this.line = look.catch(() => undefined); // whoever asked is told
    return look;
  }

  async lookAtGrids(): Promise<void> {
    await this.look();
  }

  async lookAtShares(): Promise<void> {
    await this.look();
  }

  lastChange(gridId: string): number {
    return Math.max(this.changes.get(gridId) ?? 0, this.changeOfAll);
  }

  grids(): ReadonlySet<string> {
    const { grids, logs, metrics } = this.kinds;
    return new Set([grids, logs, metrics].flatMap((kind) => [...kind.grids()]));
  }

  newestMinute(gridId: string): number | undefined {
    const { grids, logs, metrics } = this.kinds;
    const newest = Math.max(...[grids, logs, metrics].map((kind) => kind.newestMinute(gridId) ?? -Infinity));
    return newest === -Infinity ? undefined : newest;
  }

  keptFromMs(gridId: string): number {
    const { grids, logs, metrics } = this.kinds;
    return Math.max(...[grids, logs, metrics].map((kind) => kind.keptFromMs(gridId)));
  }

  load<P extends RollupPart>(part: P, gridId: string, from: number, to: number, onlyService?: string): Promise<Rollups[P]> {
    return this.kinds[part].load(gridId, from, to, onlyService) as Promise<unknown> as Promise<Rollups[P]>;
  }

  storedRuns(part: RollupPart, gridId: string, from: number, to: number, byHour: boolean): StoredRun[] {
    return this.kinds[part].storedRuns(gridId, from, to, byHour);
  }

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

  /** The kinds at once: of a store far away, each would wait for the answers of those before it. */
  private async lookNow(): Promise<number> {
    const number = ++this.looks;
    if (this.stopwatch() - this.lookedAt > LONG_PAUSE_MS) this.clear();
    for (const outcome of await Promise.allSettled(Object.values(this.kinds).map((kind) => kind.look()))) {
      if (outcome.status === 'rejected' || outcome.value === 'all') this.changeOfAll = number; // of a failure, some of what it found may be lost
      else for (const gridId of outcome.value) this.changes.set(gridId, number);
      if (outcome.status === 'rejected') throw outcome.reason;
    }
    this.lookedAt = this.stopwatch();
    return number;
  }

  private clear(): void {
    for (const kind of Object.values(this.kinds)) kind.clear();
    this.catalogs.clear();
    this.changes.clear();
  }
}
