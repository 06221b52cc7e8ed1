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

const HOUR = 60;
const DAY = 24 * HOUR;
const MINUTE_MS = 60_000;

/** Up to this length (minutes) a window is read by its minutes: their rollups are at hand anyway, and tell more. */
const MAX_MINUTE_WINDOW = 3 * HOUR;

/** Stretches of one length that follow each other. */
interface RollupRange {
  readonly from: number;
  readonly to: number;
  readonly minutes: 1 | 60;
}

/** Where they stand in the store. */
export interface StoredRollupRange extends RollupRange {
  readonly collection: RollupCollection;
  /**
   * Which version of a stretch stands there, as of the last look: another number once one of its rollups has changed. No two
   * sources, nor two looks of one, give the same number to what may differ.
   */
  version(minute: number): number;
}

/** What readers of rollups may hold in memory. */
export interface RollupCacheOptions {
  /** May be that of other readers too: then all of them together keep to its bound. */
  readonly decoded: RollupCache;
  /** Stretches that are known at most, of one kind and length. Default: see StretchIndex. */
  readonly maxStretches?: number;
}

/** Rollups of one kind in one version of their projection. */
export class RollupVersionReader<T> {
  private readonly decoded: RollupCache;
  private readonly minutes: RollupIndex;
  private readonly hours: RollupIndex;
  private readonly versions: Readonly<Record<RollupRange['minutes'], IntervalVersions>>;
  private readonly catalogs = new Map<string, RollupCatalogDocument>();
  private seen = -1;

  constructor(
    private readonly store: ReadModelReader,
    readonly collections: RollupCollections,
    private readonly decoding: RollupDecoder<T>,
    { decoded, maxStretches }: RollupCacheOptions,
  ) {
    this.decoded = decoded;
    this.minutes = new RollupIndex(store, collections.minutes, HOUR, decoded.forget, maxStretches);
    this.hours = new RollupIndex(store, collections.hours, DAY, decoded.forget, maxStretches);
    this.versions = { 1: new IntervalVersions(maxStretches), 60: new IntervalVersions(maxStretches) };
  }

  /**
   * Takes in what was committed since the last look; answers the Grids concerned. Catalogs come first: an hour that they
   * call whole is then found whole, also when a commit falls between two of the reads.
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

  /** Rollups of from ≤ minute < to, of one service or of all, ascending by minute and service. Look before. */
  async load(gridId: string, from: number, to: number, service?: string): Promise<TimeBucket<T>[]> {
    const loaded: TimeBucket<T>[] = [];
    for (const run of this.splitIntoRanges(gridId, from, to, to - from > MAX_MINUTE_WINDOW)) {
      const index = run.minutes === 1 ? this.minutes : this.hours;
      const stretches = await index.findEntries(gridId, run.from, run.to, service);
      const values = await this.decoded.load(
        { store: this.store, collection: this.collectionFor(run) },
        stretches,
        this.decoding,
      );
      collectTimed(stretches, values, run.minutes, loaded);
    }
    return loaded;
  }

  /**
   * Where the rollups of from ≤ minute < to stand, as far as there may be any: `byHour` whole hours by the hour, as far as
   * they are made. For those who read without keeping. Look before.
   */
  findStoredRanges(gridId: string, from: number, to: number, byHour: boolean): StoredRollupRange[] {
    const known = this.catalogs.get(gridId);
    if (known === undefined) return [];
    const first = Math.max(from, Math.floor(known.expiredBefore / MINUTE_MS));
    const runs = this.splitIntoRanges(gridId, first, Math.min(to, known.newestMinute + 1), byHour);
    return runs.map((run) => ({
      ...run,
      collection: this.collectionFor(run),
      version: (minute) => this.versions[run.minutes].version(gridId, minute),
    }));
  }

  /** Grids with rollups, as of the last look. */
  grids(): Iterable<string> {
    return this.catalogs.keys();
  }

  /** The newest minute of the Grid with a rollup; undefined where there is none. */
  newestMinute(gridId: string): number | undefined {
    return this.catalogs.get(gridId)?.newestMinute;
  }

  /** What ended before this time (ms) has left; 0: nothing has. */
  retainedFromMs(gridId: string): number {
    return this.catalogs.get(gridId)?.expiredBefore ?? 0;
  }

  /** Gives back what it holds in memory. */
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

  /** What ended before the minute has left. */
  private expire(gridId: string, before: number): void {
    this.minutes.expire(gridId, before);
    this.hours.expire(gridId, before - HOUR + 1);
  }

  private collectionFor({ minutes }: RollupRange): RollupCollection {
    return minutes === 1 ? this.collections.minutes : this.collections.hours;
  }

  /** All by the minute; or whole hours by the hour, as far as they are made, and the rest by the minute. */
  private splitIntoRanges(gridId: string, from: number, to: number, byHour: boolean): RollupRange[] {
    if (!byHour) return [{ from, to, minutes: 1 }];
    const open = new Set(this.catalogs.get(gridId)?.openHours ?? []);
    const runs: RollupRange[] = [];
    let at = from;
    while (at < to) {
      const end = Math.min(to, (Math.floor(at / HOUR) + 1) * HOUR);
      appendRange(runs, { from: at, to: end, minutes: end - at === HOUR && !open.has(at) ? HOUR : 1 });
      at = end;
    }
    return runs;
  }
}

function appendRange(runs: RollupRange[], run: RollupRange): void {
  const last = runs.at(-1);
  if (last?.minutes === run.minutes) runs[runs.length - 1] = { ...last, to: run.to };
  else runs.push(run);
}

function collectTimed<T>(
  stretches: readonly RollupEntry[],
  values: readonly (T | undefined)[],
  minutes: number,
  into: TimeBucket<T>[],
): void {
  for (let i = 0; i < stretches.length; i++) {
    const value = values[i];
    if (value !== undefined) into.push({ minute: stretches[i].minute, minutes, value });
  }
}

/** Stretches that are known to have changed, at most; past it all count as changed. */
const MAX_CHANGES = 100_000;

/** Counts for all: so no two give the same number to different things. */
let lastVersion = 0;

/** Numbers for the minutes or hours of one collection. That of a stretch is another one after each change that was told of. */
export class IntervalVersions {
  /** Of those that have not changed since. */
  private standing = ++lastVersion;
  private readonly changed = new Map<string, number>();
  private readonly maxChanges: number;

  constructor(maxChanges = MAX_CHANGES) {
    this.maxChanges = Math.min(maxChanges, MAX_CHANGES);
  }

  version(gridId: string, minute: number): number {
    return this.changed.get(intervalKey(gridId, minute)) ?? this.standing;
  }

  markChanged(gridId: string, minute: number): void {
    if (this.changed.size >= this.maxChanges) {
      this.changed.clear();
      this.standing = ++lastVersion;
    }
    this.changed.set(intervalKey(gridId, minute), ++lastVersion);
  }
}

function intervalKey(gridId: string, minute: number): string {
  return `${gridId}/${minute}`;
}
