import type { ServiceCatalog, TimeBucket } from '../../diagnostics/rollups/rollup-types.js';
import { eq } from '../document-filter.js';
import { LOGS_PROJECTION, TRACES_PROJECTION } from '../documents/block-documents.js';
import { readActiveVersion } from '../documents/projection-documents.js';
import {
  logRollupCollections,
  metricRollupCollections,
  METRICS_PROJECTION,
  type RollupCollections,
  spanRollupCollections,
} from '../documents/rollup-documents.js';
import type { ReadModelReader } from '../read-model-store.js';
import {
  GRID_ROLLUP_DECODER,
  LOG_ROLLUP_DECODER,
  METRIC_ROLLUP_DECODER,
  RollupCache,
  type RollupDecoder,
  SERVICE_ROLLUP_DECODER,
} from './rollup-cache.js';
import type { GridRollupReader, RollupPart, RollupsByPart } from './grid-rollup-reader.js';
import { byText } from './sorted-lists.js';
import { type RollupCacheOptions, RollupVersionReader, type StoredRollupRange } from './rollup-version-reader.js';

/** Decoded rollups kept: the two hours that live answers look at, of 50 services with 40 operations each, take 190 MB. */
export const DEFAULT_ROLLUP_CACHE_BYTES = 256 * 1024 * 1024;

/** After a pause this long (ms) a look begins anew: all that has changed meanwhile would be far more than is asked for. */
const MAX_REFRESH_GAP_MS = 30_000;

/** Catalogs of Grids kept. */
const MAX_CATALOGS = 256;

/**
 * Rollups of Grids as one thread reads them: what it was asked for is kept decoded, up to a bound. A look takes in what
 * concerns any Grid.
 */
export class RollupReader implements GridRollupReader {
  private readonly kinds;
  private readonly catalogs = new Map<
    string,
    { readonly look: number; readonly catalogs: readonly ServiceCatalog[] }
  >();
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
    memory: RollupCacheOptions = { decoded: new RollupCache(DEFAULT_ROLLUP_CACHE_BYTES) },
    private readonly stopwatch: () => number = () => performance.now(),
  ) {
    this.kinds = {
      grids: new RollupKindReader(
        store,
        TRACES_PROJECTION,
        (version) => spanRollupCollections(version).grids,
        GRID_ROLLUP_DECODER,
        memory,
      ),
      services: new RollupKindReader(
        store,
        TRACES_PROJECTION,
        (version) => spanRollupCollections(version).services,
        SERVICE_ROLLUP_DECODER,
        memory,
      ),
      logs: new RollupKindReader(store, LOGS_PROJECTION, logRollupCollections, LOG_ROLLUP_DECODER, memory),
      metrics: new RollupKindReader(store, METRICS_PROJECTION, metricRollupCollections, METRIC_ROLLUP_DECODER, memory),
    };
  }

  /** One look at a time: however many ask, there is one under way and one to follow. */
  refresh(): Promise<number> {
    if (this.nextLook !== undefined) return this.nextLook;
    const look = this.line.then(() => {
      this.nextLook = undefined;
      return this.refreshNow();
    });
    this.nextLook = look;
    this.line = look.catch(() => undefined); // whoever asked is told
    return look;
  }

  async refreshGrids(): Promise<void> {
    await this.refresh();
  }

  async refreshShards(): Promise<void> {
    await this.refresh();
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

  retainedFromMs(gridId: string): number {
    const { grids, logs, metrics } = this.kinds;
    return Math.max(...[grids, logs, metrics].map((kind) => kind.retainedFromMs(gridId)));
  }

  load<P extends RollupPart>(
    part: P,
    gridId: string,
    from: number,
    to: number,
    onlyService?: string,
  ): Promise<RollupsByPart[P]> {
    return this.kinds[part].load(gridId, from, to, onlyService) as Promise<unknown> as Promise<RollupsByPart[P]>;
  }

  findStoredRanges(part: RollupPart, gridId: string, from: number, to: number, byHour: boolean): StoredRollupRange[] {
    return this.kinds[part].findStoredRanges(gridId, from, to, byHour);
  }

  async loadServiceCatalogs(gridId: string): Promise<readonly ServiceCatalog[]> {
    const look = this.lastChange(gridId);
    const known = this.catalogs.get(gridId);
    if (known?.look === look) return known.catalogs;
    const version = await readActiveVersion(this.store, TRACES_PROJECTION);
    const found =
      version === undefined
        ? []
        : await this.store.find(spanRollupCollections(version).catalogs, { filter: eq('gridId', gridId) });
    const catalogs = found.map(({ document }) => document).sort((a, b) => byText(a.service, b.service));
    if (this.catalogs.size >= MAX_CATALOGS) this.catalogs.clear();
    this.catalogs.set(gridId, { look, catalogs });
    return catalogs;
  }

  /** The kinds at once: of a store far away, each would wait for the answers of those before it. */
  private async refreshNow(): Promise<number> {
    const number = ++this.looks;
    if (this.stopwatch() - this.lookedAt > MAX_REFRESH_GAP_MS) this.clear();
    for (const outcome of await Promise.allSettled(Object.values(this.kinds).map((kind) => kind.refresh()))) {
      if (outcome.status === 'rejected' || outcome.value === 'all')
        this.changeOfAll = number; // of a failure, some of what it found may be lost
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

/** Rollups of one kind, of whichever version of their projection answers queries. */
class RollupKindReader<T> {
  private version: number | undefined;
  private source: RollupVersionReader<T> | undefined;

  constructor(
    private readonly store: ReadModelReader,
    private readonly projection: string,
    private readonly collections: (version: number) => RollupCollections,
    private readonly decoding: RollupDecoder<T>,
    private readonly memory: RollupCacheOptions,
  ) {}

  /** Takes in what was committed since the last look; answers the Grids concerned: all, where another version took over. */
  async refresh(): Promise<ReadonlySet<string> | 'all'> {
    const version = await readActiveVersion(this.store, this.projection);
    const isOther = version !== this.version;
    if (isOther) this.switchVersion(version);
    const changed = (await this.source?.refresh()) ?? new Set<string>();
    return isOther ? 'all' : changed;
  }

  /** Rollups of from ≤ minute < to, ascending by minute and service. */
  async load(gridId: string, from: number, to: number, service?: string): Promise<TimeBucket<T>[]> {
    return (await this.source?.load(gridId, from, to, service)) ?? [];
  }

  findStoredRanges(gridId: string, from: number, to: number, byHour: boolean): StoredRollupRange[] {
    return this.source?.findStoredRanges(gridId, from, to, byHour) ?? [];
  }

  grids(): Iterable<string> {
    return this.source?.grids() ?? [];
  }

  newestMinute(gridId: string): number | undefined {
    return this.source?.newestMinute(gridId);
  }

  retainedFromMs(gridId: string): number {
    return this.source?.retainedFromMs(gridId) ?? 0;
  }

  /** Gives back what it holds in memory; the next look begins anew. */
  clear(): void {
    this.switchVersion(undefined);
  }

  private switchVersion(version: number | undefined): void {
    this.source?.clear();
    this.version = version;
    this.source =
      version === undefined
        ? undefined
        : new RollupVersionReader(this.store, this.collections(version), this.decoding, this.memory);
  }
}
