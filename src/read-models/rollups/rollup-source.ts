import type { Timed } from '../../diagnostics/rollups.js';
import { range } from '../filter.js';
import type { RollupCatalogDocument, RollupCollection, RollupCollections, RollupDocument } from '../rollups.js';
import type { ReadModelReader } from '../store.js';
import type { DecodedRollups, Decoding } from './decoded-rollups.js';
import { StretchIndex, type Stretch } from './stretch-index.js';
import { StretchVersions } from './stretch-versions.js';

const HOUR = 60;
const DAY = 24 * HOUR;
const MINUTE_MS = 60_000;

/** Up to this length (minutes) a window is read by its minutes: their rollups are at hand anyway, and tell more. */
const FINE_WINDOW = 3 * HOUR;

/** Stretches of one length that follow each other. */
interface Run {
  readonly from: number;
  readonly to: number;
  readonly minutes: 1 | 60;
}

/** Where they stand in the store. */
export interface StoredRun extends Run {
  readonly collection: RollupCollection;
  /**
   * Which version of a stretch stands there, as of the last look: another number once one of its rollups has changed. No two
   * sources, nor two looks of one, give the same number to what may differ.
   */
  versionOf(minute: number): number;
}

/** What readers of rollups may hold in memory. */
export interface RollupMemory {
  /** May be that of other readers too: then all of them together keep to its bound. */
  readonly decoded: DecodedRollups;
  /** Stretches that are known at most, of one kind and length. Default: see StretchIndex. */
  readonly maxStretches?: number;
}

/** Rollups of one kind in one version of their projection. */
export class RollupSource<T> {
  private readonly decoded: DecodedRollups;
  private readonly minutes: StretchIndex;
  private readonly hours: StretchIndex;
  private readonly versions: Readonly<Record<Run['minutes'], StretchVersions>>;
  private readonly catalogs = new Map<string, RollupCatalogDocument>();
  private seen = -1;

  constructor(
    private readonly store: ReadModelReader,
    readonly collections: RollupCollections,
    private readonly decoding: Decoding<T>,
    { decoded, maxStretches }: RollupMemory,
  ) {
    this.decoded = decoded;
    this.minutes = new StretchIndex(store, collections.minutes, HOUR, decoded.forget, maxStretches);
    this.hours = new StretchIndex(store, collections.hours, DAY, decoded.forget, maxStretches);
    this.versions = { 1: new StretchVersions(maxStretches), 60: new StretchVersions(maxStretches) };
  }

  /**
   * Takes in what was committed since the last look; answers the Grids concerned. Catalogs come first: an hour that they
   * call whole is then found whole, also when a commit falls between two of the reads.
   */
  async look(): Promise<Set<string>> {
    const found = await this.store.find(this.collections.catalogs, { filter: range('stamp', this.seen + 1) });
    for (const { document } of found) this.takeIn(document);
    const changed = await Promise.all([this.hours.look(this.noteIn(60)), this.minutes.look(this.noteIn(1))]);
    return new Set([...found.map(({ document }) => document.gridId), ...changed[0], ...changed[1]]);
  }

  /** Rollups of from ≤ minute < to, of one service or of all, ascending by minute and service. Look before. */
  async load(gridId: string, from: number, to: number, service?: string): Promise<Timed<T>[]> {
    const loaded: Timed<T>[] = [];
    for (const run of this.runs(gridId, from, to, to - from > FINE_WINDOW)) {
      const index = run.minutes === 1 ? this.minutes : this.hours;
      const stretches = await index.stretches(gridId, run.from, run.to, service);
      const values = await this.decoded.read({ store: this.store, collection: this.collectionOf(run) }, stretches, this.decoding);
      timed(stretches, values, run.minutes, loaded);
    }
    return loaded;
  }

  /**
   * Where the rollups of from ≤ minute < to stand, as far as there may be any: `byHour` whole hours by the hour, as far as
   * they are made. For those who read without keeping. Look before.
   */
  storedRuns(gridId: string, from: number, to: number, byHour: boolean): StoredRun[] {
    const known = this.catalogs.get(gridId);
    if (known === undefined) return [];
    const first = Math.max(from, Math.floor(known.expiredBefore / MINUTE_MS));
    const runs = this.runs(gridId, first, Math.min(to, known.newestMinute + 1), byHour);
    return runs.map((run) => ({ ...run, collection: this.collectionOf(run), versionOf: (minute) => this.versions[run.minutes].of(gridId, minute) }));
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
  keptFromMs(gridId: string): number {
    return this.catalogs.get(gridId)?.expiredBefore ?? 0;
  }

  /** Gives back what it holds in memory. */
  clear(): void {
    this.minutes.clear();
    this.hours.clear();
  }

  private noteIn(minutes: Run['minutes']): (changed: RollupDocument) => void {
    return ({ gridId, minute }) => this.versions[minutes].change(gridId, minute);
  }

  private takeIn(document: RollupCatalogDocument): void {
    const { gridId, expiredBefore } = document;
    this.seen = Math.max(this.seen, document.stamp);
    if (expiredBefore !== (this.catalogs.get(gridId)?.expiredBefore ?? 0)) this.expire(gridId, Math.floor(expiredBefore / MINUTE_MS));
    this.catalogs.set(gridId, document);
  }

  /** What ended before the minute has left. */
  private expire(gridId: string, before: number): void {
    this.minutes.expire(gridId, before);
    this.hours.expire(gridId, before - HOUR + 1);
  }

  private collectionOf({ minutes }: Run): RollupCollection {
    return minutes === 1 ? this.collections.minutes : this.collections.hours;
  }

  /** All by the minute; or whole hours by the hour, as far as they are made, and the rest by the minute. */
  private runs(gridId: string, from: number, to: number, byHour: boolean): Run[] {
    if (!byHour) return [{ from, to, minutes: 1 }];
    const open = new Set(this.catalogs.get(gridId)?.openHours ?? []);
    const runs: Run[] = [];
    let at = from;
    while (at < to) {
      const end = Math.min(to, (Math.floor(at / HOUR) + 1) * HOUR);
      append(runs, { from: at, to: end, minutes: end - at === HOUR && !open.has(at) ? HOUR : 1 });
      at = end;
    }
    return runs;
  }
}

function append(runs: Run[], run: Run): void {
  const last = runs.at(-1);
  if (last?.minutes === run.minutes) runs[runs.length - 1] = { ...last, to: run.to };
  else runs.push(run);
}

function timed<T>(stretches: readonly Stretch[], values: readonly (T | undefined)[], minutes: number, into: Timed<T>[]): void {
  for (let i = 0; i < stretches.length; i++) {
    const value = values[i];
    if (value !== undefined) into.push({ minute: stretches[i].minute, minutes, value });
  }
}
