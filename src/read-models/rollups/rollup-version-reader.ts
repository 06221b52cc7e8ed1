import type { TimeBucket } from '../../diagnostics/rollups/rollup-types.js';
import { range } from '../document-filter.js';
import type {
  RollupCatalogDocument,
  RollupCollection,
  RollupCollections,
  RollupDocument,
} from '../documents/rollup-documents.js';
import type { ReadModelReader } from '../read-model-store.js';
import type { RollupCache, RollupDecoder } from './rollup-cache.js';
import { type RollupEntry, RollupIndex } from './rollup-index.js';
import type { RollupIndexMemory } from './rollup-index-memory.js';

const HOUR = 60;
const DAY = 24 * HOUR;
const MINUTE_MS = 60_000;

/**
 * Windows up to this length (minutes) are read by the minute: those rollups are usually cached, and have more detail.
 */
const MAX_MINUTE_WINDOW = 3 * HOUR;

/** Consecutive time buckets of one length. */
interface RollupRange {
  readonly from: number;
  readonly to: number;
  readonly minutes: 1 | 60;
}

/** Consecutive time buckets with their location in the store. */
export interface StoredRollupRange extends RollupRange {
  readonly collection: RollupCollection;
  /**
   * Version of a bucket as of the last refresh: changes whenever one of its rollups changes. Versions are unique across
   * readers and refreshes, unless the content is the same.
   */
  version(minute: number): number;
}

/** Memory limits of rollup readers. */
export interface RollupCacheOptions {
  /** May be shared with other readers: then its limit applies to all of them together. */
  readonly cache: RollupCache;
  /** The same for the indexes, which list the stored rollups. */
  readonly index: RollupIndexMemory;
}

/** Rollups of one kind in one version of their projection. */
export class RollupVersionReader<T> {
  private readonly cache: RollupCache;
  private readonly minutes: RollupIndex;
  private readonly hours: RollupIndex;
  private readonly versions: Readonly<Record<RollupRange['minutes'], IntervalVersions>>;
  private readonly catalogs = new Map<string, RollupCatalogDocument>();
  private seen = -1;

  constructor(
    private readonly store: ReadModelReader,
    readonly collections: RollupCollections,
    private readonly decoder: RollupDecoder<T>,
    { cache, index }: RollupCacheOptions,
  ) {
    this.cache = cache;
    this.minutes = new RollupIndex(store, collections.minutes, HOUR, cache.forget, index);
    this.hours = new RollupIndex(store, collections.hours, DAY, cache.forget, index);
    this.versions = { 1: new IntervalVersions(), 60: new IntervalVersions() };
  }

  /**
   * Loads what was committed since the last refresh; returns the Grids concerned. Catalogs are read first: an hour that
   * they call complete is then found complete, even if a commit falls between two of the reads.
   */
  async refresh(): Promise<Set<string>> {
    const found = await this.store.find(this.collections.catalogs, { filter: range('stamp', this.seen + 1) });
    for (const { document } of found) this.applyCatalog(document);
    const changed = await Promise.all([
      this.hours.refresh(this.trackChanges(60)),
      this.minutes.refresh(this.trackChanges(1)),
    ]);
    return new Set([...found.map(({ document }) => document.gridId), ...changed[0], ...changed[1]]);
  }

  /**
   * Rollups of from ≤ minute < to, of one service or of all, ascending by minute and service. Call `refresh` before.
   */
  async load(gridId: string, from: number, to: number, service?: string): Promise<TimeBucket<T>[]> {
    const loaded: TimeBucket<T>[] = [];
    for (const range of this.splitIntoRanges(gridId, from, to, to - from > MAX_MINUTE_WINDOW)) {
      const index = range.minutes === 1 ? this.minutes : this.hours;
      const entries = await index.findEntries(gridId, range.from, range.to, service);
      const values = await this.cache.load(
        { store: this.store, collection: this.collectionFor(range) },
        entries,
        this.decoder,
      );
      collectTimed(entries, values, range.minutes, loaded);
    }
    return loaded;
  }

  /**
   * Where the rollups of from ≤ minute < to are stored, if there can be any: with `byHour` complete hours by the hour.
   * For readers that do not cache. Call `refresh` before.
   */
  findStoredRanges(gridId: string, from: number, to: number, byHour: boolean): StoredRollupRange[] {
    const known = this.catalogs.get(gridId);
    if (known === undefined) return [];
    const first = Math.max(from, Math.floor(known.expiredBefore / MINUTE_MS));
    const ranges = this.splitIntoRanges(gridId, first, Math.min(to, known.newestMinute + 1), byHour);
    return ranges.map((range) => ({
      ...range,
      collection: this.collectionFor(range),
      version: (minute) => this.versions[range.minutes].version(gridId, minute),
    }));
  }

  /** Grids with rollups, as of the last refresh. */
  grids(): Iterable<string> {
    return this.catalogs.keys();
  }

  /** Newest minute of the Grid with a rollup; undefined if there is none. */
  newestMinute(gridId: string): number | undefined {
    return this.catalogs.get(gridId)?.newestMinute;
  }

  /** What ended before this time (ms) has expired; 0: nothing has. */
  retainedFromMs(gridId: string): number {
    return this.catalogs.get(gridId)?.expiredBefore ?? 0;
  }

  /** Releases its memory. */
  clear(): void {
    this.minutes.clear();
    this.hours.clear();
  }

  private trackChanges(minutes: RollupRange['minutes']): (changed: RollupDocument) => void {
    return ({ gridId, minute }) => this.versions[minutes].markChanged(gridId, minute);
  }

  private applyCatalog(document: RollupCatalogDocument): void {
    const { gridId, expiredBefore } = document;
    this.seen = Math.max(this.seen, document.stamp);
    if (expiredBefore !== (this.catalogs.get(gridId)?.expiredBefore ?? 0))
      this.expire(gridId, Math.floor(expiredBefore / MINUTE_MS));
    this.catalogs.set(gridId, document);
  }

  /** Drops what ended before the minute, because it has expired. */
  private expire(gridId: string, before: number): void {
    this.minutes.expire(gridId, before);
    this.hours.expire(gridId, before - HOUR + 1);
  }

  private collectionFor({ minutes }: RollupRange): RollupCollection {
    return minutes === 1 ? this.collections.minutes : this.collections.hours;
  }

  /** Everything by the minute; or complete hours by the hour and the rest by the minute. */
  private splitIntoRanges(gridId: string, from: number, to: number, byHour: boolean): RollupRange[] {
    if (!byHour) return [{ from, to, minutes: 1 }];
    const open = new Set(this.catalogs.get(gridId)?.openHours ?? []);
    const ranges: RollupRange[] = [];
    let at = from;
    while (at < to) {
      const end = Math.min(to, (Math.floor(at / HOUR) + 1) * HOUR);
      appendRange(ranges, { from: at, to: end, minutes: end - at === HOUR && !open.has(at) ? HOUR : 1 });
      at = end;
    }
    return ranges;
  }
}

function appendRange(ranges: RollupRange[], range: RollupRange): void {
  const last = ranges.at(-1);
  if (last?.minutes === range.minutes) ranges[ranges.length - 1] = { ...last, to: range.to };
  else ranges.push(range);
}

function collectTimed<T>(
  entries: readonly RollupEntry[],
  values: readonly (T | undefined)[],
  minutes: number,
  into: TimeBucket<T>[],
): void {
  for (let i = 0; i < entries.length; i++) {
    const value = values[i];
    if (value !== undefined) into.push({ minute: entries[i].minute, minutes, value });
  }
}

/**
 * Maximum number of buckets with individual versions, about 2 MB; beyond it all count as changed.
 */
const MAX_CHANGES = 50_000;

/** Shared by all instances, so that no two use the same number for different content. */
let lastVersion = 0;

/** Versions of the minutes or hours of one collection. The version of a bucket changes with each reported change. */
export class IntervalVersions {
  /** Version of the buckets that have not changed since. */
  private unchangedVersion = ++lastVersion;
  /** By Grid and minute. */
  private readonly changed = new Map<string, Map<number, number>>();
  private changes = 0;

  constructor(private readonly maxChanges = MAX_CHANGES) {}

  version(gridId: string, minute: number): number {
    return this.changed.get(gridId)?.get(minute) ?? this.unchangedVersion;
  }

  markChanged(gridId: string, minute: number): void {
    if (this.changes >= this.maxChanges) this.forgetChanges();
    const ofGrid = this.changed.get(gridId) ?? new Map<number, number>();
    if (!ofGrid.has(minute)) this.changes++;
    ofGrid.set(minute, ++lastVersion);
    this.changed.set(gridId, ofGrid);
  }

  private forgetChanges(): void {
    this.changed.clear();
    this.changes = 0;
    this.unchangedVersion = ++lastVersion;
  }
}
