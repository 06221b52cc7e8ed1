import { MINUTE_MS } from '../../../diagnostics/time-windows.js';
import { and, eq, range } from '../../../read-models/document-filter.js';
import { ROLLUP_BLOB, rollupId, type RollupDocument } from '../../../read-models/documents/rollup-documents.js';
import type {
  AnyCollection,
  DocumentChange,
  Collection,
  ReadModelReader,
} from '../../../read-models/read-model-store.js';
import type { Stamped } from '../../projection.js';
import { firstMinuteOfHour, GridRollupCatalog, HOUR_MINUTES, HourlyRollupMerger } from './hourly-rollup-merger.js';
import type { RollupFormat } from './rollup-format.js';

/** A rollup of a Grid: `minute` since 1970, `service` "" for the whole Grid. */
export interface RollupKey {
  readonly minute: number;
  readonly service: string;
}

interface Entry<A> {
  readonly gridId: string;
  readonly minute: number;
  readonly service: string;
  readonly accumulator: A;
  /** Size of its blob as last read or written. */
  bytes: number;
  /** Stamp of the commit for which it was last opened. */
  openedFor: number;
}

/** Encoded bytes of rollups to buffer; in memory they take several times as much. */
export const ROLLUP_BUFFER_BYTES = 8 * 1024 * 1024;

/**
 * The rollups of one kind: minutes that telemetry adds to, loaded on demand and cached within a byte limit, and the
 * hours merged from them. Everything is returned as changes of the current commit: the results of `changes` and
 * `expire` MUST be committed before the next call of anything but `restore`.
 */
export class RollupBuffer<A> {
  /** Least recently used first. */
  private readonly entries = new Map<string, Entry<A>>();
  /** Entries that were opened since the last commit. They are not evicted. */
  private readonly dirty = new Map<string, Entry<A>>();
  private readonly catalogs = new Map<string, GridRollupCatalog>();
  private readonly hours: HourlyRollupMerger;
  private bytes = 0;
  private stamp = 0;
  /** Stamp at the last release. */
  private releasedAt = 0;

  constructor(
    private readonly kind: RollupFormat<A>,
    private readonly store: ReadModelReader,
    private readonly maxBytes = ROLLUP_BUFFER_BYTES,
  ) {
    this.hours = new HourlyRollupMerger(kind, store);
  }

  /** Discards everything that is not in the store. */
  async restore(): Promise<void> {
    const { minutes, hours, catalogs } = this.kind.collections;
    this.entries.clear();
    this.dirty.clear();
    this.catalogs.clear();
    this.hours.clear();
    this.bytes = 0;
    for (const { document } of await this.store.find(catalogs, {}))
      this.catalogs.set(document.gridId, new GridRollupCatalog(document.gridId, document));
    for (const collection of [minutes, hours, catalogs])
      this.stamp = Math.max(this.stamp, await findNewestStamp(collection, this.store));
  }

  /** What ended before this time (ms) has expired. */
  expiredBefore(gridId: string): number {
    return this.catalogs.get(gridId)?.expiredBefore ?? 0;
  }

  /** Accumulators in the order of the keys; all of them are written with the next commit. */
  async openAll(gridId: string, keys: readonly RollupKey[]): Promise<A[]> {
    this.evict();
    const accumulators: A[] = [];
    for (const { minute, service } of keys) accumulators.push(await this.open(gridId, minute, service));
    return accumulators;
  }

  /** As `openAll`. The accumulator of an expired minute can be added to, but is never written. */
  async open(gridId: string, minute: number, service: string): Promise<A> {
    if (this.getOrCreateCatalog(gridId).isExpired(minute)) return this.kind.create(service);
    const id = rollupId({ gridId, minute, service });
    const entry = this.entries.get(id) ?? (await this.load(id, { gridId, minute, service }));
    this.entries.delete(id);
    entry.openedFor = this.stamp + 1;
    this.entries.set(id, entry);
    this.dirty.set(id, entry);
    return entry.accumulator;
  }

  /** Changes for everything opened since the last commit, and for hours that are due. */
  async changes(): Promise<DocumentChange[]> {
    this.evict();
    const stamp = ++this.stamp;
    const touched = new Set<string>();
    const changes: DocumentChange[] = [];
    for (const [id, entry] of this.dirty) {
      changes.push(this.put(id, entry, stamp));
      this.getOrCreateCatalog(entry.gridId).touch(entry.minute);
      touched.add(`${entry.gridId}/${firstMinuteOfHour(entry.minute)}`);
    }
    this.dirty.clear();
    changes.push(
      ...(await this.hours.changes(this.catalogs.values(), stamp, (gridId, hour) => touched.has(`${gridId}/${hour}`))),
    );
    changes.push(...this.catalogChanges(stamp));
    return changes;
  }

  /** Drops rollups that were not opened since the previous release. MUST NOT be called before they are committed. */
  releaseMemory(): void {
    for (const [id, entry] of this.entries)
      if (entry.openedFor <= this.releasedAt && !this.dirty.has(id)) this.drop(id, entry);
    this.releasedAt = this.stamp;
  }

  /** Removes the Grid's rollups of what ended before this time (ms); they are not opened again. */
  async expire(gridId: string, before: number): Promise<DocumentChange[]> {
    if (!this.getOrCreateCatalog(gridId).expire(before)) return [];
    this.hours.clear();
    const { minutes, hours } = this.kind.collections;
    const floor = Math.floor(before / MINUTE_MS);
    for (const [id, entry] of this.entries) if (entry.gridId === gridId && entry.minute < floor) this.drop(id, entry);
    return [
      ...(await this.deletions(minutes, gridId, floor)),
      ...(await this.deletions(hours, gridId, floor - HOUR_MINUTES + 1)),
      ...this.catalogChanges(++this.stamp),
    ];
  }

  private async load(
    id: string,
    { gridId, minute, service }: RollupKey & { readonly gridId: string },
  ): Promise<Entry<A>> {
    const blob = await this.store.readBlob(this.kind.collections.minutes, id, ROLLUP_BLOB);
    const accumulator = blob === undefined ? this.kind.create(service) : this.kind.decode(blob);
    const bytes = blob?.byteLength ?? 0;
    this.bytes += bytes;
    return { gridId, minute, service, accumulator, bytes, openedFor: this.stamp + 1 };
  }

  private put(id: string, entry: Entry<A>, stamp: number): DocumentChange {
    const { gridId, minute, service, accumulator } = entry;
    const blob = this.kind.encode(accumulator);
    this.bytes += blob.byteLength - entry.bytes;
    entry.bytes = blob.byteLength;
    const document: RollupDocument = { gridId, minute, service, stamp };
    return { kind: 'put', collection: this.kind.collections.minutes, id, document, blobs: { [ROLLUP_BLOB]: blob } };
  }

  private catalogChanges(stamp: number): DocumentChange[] {
    const collection = this.kind.collections.catalogs;
    return [...this.catalogs.values()].flatMap((catalog): DocumentChange[] => {
      const document = catalog.takeChange(stamp);
      return document === undefined ? [] : [{ kind: 'put', collection, id: catalog.gridId, document }];
    });
  }

  private async deletions(
    collection: Collection<RollupDocument>,
    gridId: string,
    floor: number,
  ): Promise<DocumentChange[]> {
    const found = await this.store.find(collection, {
      filter: and(eq('gridId', gridId), range('minute', undefined, floor)),
    });
    return found.map(({ id }) => ({ kind: 'delete', collection, id }));
  }

  private getOrCreateCatalog(gridId: string): GridRollupCatalog {
    let catalog = this.catalogs.get(gridId);
    if (catalog === undefined) this.catalogs.set(gridId, (catalog = new GridRollupCatalog(gridId)));
    return catalog;
  }

  /** Evicts the least recently used entries that are in the store. */
  private evict(): void {
    for (const [id, entry] of this.entries) {
      if (this.bytes <= this.maxBytes) return;
      if (!this.dirty.has(id)) this.drop(id, entry);
    }
  }

  private drop(id: string, { bytes }: Entry<A>): void {
    this.entries.delete(id);
    this.bytes -= bytes;
  }
}

async function findNewestStamp(collection: AnyCollection, store: ReadModelReader): Promise<number> {
  // All documents have a stamp; a store sorts by an index only what it filters by it.
  const [newest] = await store.find(collection as Collection<Stamped>, {
    filter: range('stamp', 0),
    sort: [{ field: 'stamp', descending: true }],
    limit: 1,
  });
  return newest?.document.stamp ?? 0;
}
