import type { ServiceCatalog, TimeBucket } from '../../diagnostics/rollups/rollup-types.js';
import { eq } from '../document-filter.js';
import { LOGS_PROJECTION, TRACES_PROJECTION } from '../documents/block-documents.js';
import { readActiveVersion } from '../documents/projection-documents.js';
import {
  logRollupCollections,
  metricRollupCollections,
  METRICS_PROJECTION,
  requestRollupCollections,
  type RollupCollections,
  spanRollupCollections,
} from '../documents/rollup-documents.js';
import type { ReadModelReader } from '../read-model-store.js';
import {
  GRID_ROLLUP_DECODER,
  LOG_ROLLUP_DECODER,
  METRIC_ROLLUP_DECODER,
  REQUEST_ROLLUP_DECODER,
  RollupCache,
  type RollupDecoder,
  SERVICE_ROLLUP_DECODER,
} from './rollup-cache.js';
import type { GridRollupReader, RollupPart, RollupsByPart } from './grid-rollup-reader.js';
import { RollupIndexMemory } from './rollup-index-memory.js';
import { byText } from './sorted-lists.js';
import { type RollupCacheOptions, RollupVersionReader, type StoredRollupRange } from './rollup-version-reader.js';

/**
 * Bytes of decoded rollups to cache: the two hours that live diagnostics read take 190 MB for 50 services with 40
 * operations each.
 */
export const DEFAULT_ROLLUP_CACHE_BYTES = 256 * 1024 * 1024;

/**
 * After a gap this long (ms) a refresh starts over: loading everything that has changed meanwhile would cost far more
 * than is needed.
 */
const MAX_REFRESH_GAP_MS = 30_000;

/** Catalogs of Grids to cache. */
const MAX_CATALOGS = 256;

/** Rollups of Grids for one thread: what was read is cached decoded, up to a limit. A refresh covers all Grids. */
export class RollupReader implements GridRollupReader {
  private readonly kinds;
  private readonly catalogs = new Map<
    string,
    { readonly look: number; readonly catalogs: readonly ServiceCatalog[] }
  >();
  /** By Grid, number of the refresh that found its last change; and of the last refresh that affected all. */
  private readonly changes = new Map<string, number>();
  private changeOfAll = 0;
  private refreshCount = 0;
  private refreshedAt = -Infinity;
  /** The store's counter of commits as of the last refresh; undefined if it failed or the store has none. */
  private changeCounter: number | undefined;
  private queue: Promise<unknown> = Promise.resolve();
  /** The refresh that has not started yet: it serves all callers until it does. */
  private nextRefresh: Promise<number> | undefined;

  constructor(
    private readonly store: ReadModelReader,
    { cache, index = new RollupIndexMemory() }: Pick<RollupCacheOptions, 'cache'> & Partial<RollupCacheOptions> = {
      cache: new RollupCache(DEFAULT_ROLLUP_CACHE_BYTES),
    },
    private readonly stopwatch: () => number = () => performance.now(),
  ) {
    const memory = { cache, index };
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
      requests: new RollupKindReader(
        store,
        METRICS_PROJECTION,
        requestRollupCollections,
        REQUEST_ROLLUP_DECODER,
        memory,
      ),
    };
  }

  /** One refresh at a time: however many callers, one is running and one is pending. */
  refresh(): Promise<number> {
    if (this.nextRefresh !== undefined) return this.nextRefresh;
    const refresh = this.queue.then(() => {
      this.nextRefresh = undefined;
      return this.refreshNow();
    });
    this.nextRefresh = refresh;
    this.queue = refresh.catch(() => undefined); // the callers handle the error
    return refresh;
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
    const refresh = this.lastChange(gridId);
    const known = this.catalogs.get(gridId);
    if (known?.look === refresh) return known.catalogs;
    const version = await readActiveVersion(this.store, TRACES_PROJECTION);
    const found =
      version === undefined
        ? []
        : await this.store.find(spanRollupCollections(version).catalogs, { filter: eq('gridId', gridId) });
    const catalogs = found.map(({ document }) => document).sort((a, b) => byText(a.service, b.service));
    if (this.catalogs.size >= MAX_CATALOGS) this.catalogs.clear();
    this.catalogs.set(gridId, { look: refresh, catalogs });
    return catalogs;
  }

  /** All kinds concurrently: with a remote store, each would wait for the previous ones. */
  private async refreshNow(): Promise<number> {
    // Read before the changes: what is committed while they are read changes the counter again.
    const counter = await this.store.readChangeCounter?.();
    if (counter !== undefined && counter === this.changeCounter) {
      this.refreshedAt = this.stopwatch();
      return this.refreshCount;
    }
    this.changeCounter = undefined;
    const number = ++this.refreshCount;
    if (this.stopwatch() - this.refreshedAt > MAX_REFRESH_GAP_MS) this.clear();
    for (const outcome of await Promise.allSettled(Object.values(this.kinds).map((kind) => kind.refresh()))) {
      if (outcome.status === 'rejected' || outcome.value === 'all')
        this.changeOfAll = number; // after a failure some changes may be lost
      else for (const gridId of outcome.value) this.changes.set(gridId, number);
      if (outcome.status === 'rejected') throw outcome.reason;
    }
    this.refreshedAt = this.stopwatch();
    this.changeCounter = counter;
    return number;
  }

  private clear(): void {
    for (const kind of Object.values(this.kinds)) kind.clear();
    this.catalogs.clear();
    this.changes.clear();
  }
}

/** Rollups of one kind, in the active version of their projection. */
class RollupKindReader<T> {
  private version: number | undefined;
  private source: RollupVersionReader<T> | undefined;

  constructor(
    private readonly store: ReadModelReader,
    private readonly projection: string,
    private readonly collections: (version: number) => RollupCollections,
    private readonly decoder: RollupDecoder<T>,
    private readonly memory: RollupCacheOptions,
  ) {}

  /**
   * Loads what was committed since the last refresh; returns the Grids concerned, or `all` if another version became
   * active.
   */
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

  /** Releases its memory; the next refresh starts over. */
  clear(): void {
    this.switchVersion(undefined);
  }

  private switchVersion(version: number | undefined): void {
    this.source?.clear();
    this.version = version;
    this.source =
      version === undefined
        ? undefined
        : new RollupVersionReader(this.store, this.collections(version), this.decoder, this.memory);
  }
}
