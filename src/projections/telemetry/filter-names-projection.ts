import { eq } from '../../read-models/document-filter.js';
import {
  type FilterNamesDocument,
  OVERFLOW_NAME,
  FILTER_NAME_LIMITS,
  type FilterNameKind,
} from '../../read-models/documents/filter-option-documents.js';
import type { Collection, DocumentChange, ReadModelReader } from '../../read-models/read-model-store.js';
import type { LogColumns } from '../../telemetry/columns/log-batch-columns.js';
import { severityLevel } from '../../telemetry/log-severity.js';
import type { SpanColumns } from '../../telemetry/columns/span-batch-columns.js';
import type { EventRows, TelemetryBatch, TelemetryProjection } from './telemetry-batch.js';
import { MAX_NAME_LENGTH } from '../../diagnostics/rollups/rollup-types.js';

/** Names of one document, each with the last hour in which it was seen. */
interface NameSet {
  readonly kind: FilterNameKind;
  readonly service: string | undefined;
  readonly hours: Map<string, number>;
  changed: boolean;
}

/** Names in the telemetry of one Grid and signal, within their limits. */
export class GridFilterNames {
  private readonly sets = new Map<string, NameSet>();
  /** Names in all sets. */
  size = 0;

  constructor(
    readonly gridId: string,
    documents: readonly FilterNamesDocument[],
  ) {
    for (const { kind, service, names } of documents) {
      this.sets.set(nameSetKey(kind, service), { kind, service, hours: new Map(names), changed: false });
      this.size += names.length;
    }
  }

  /** Records a name. Returns the name that it counts under: itself, or `__other__` beyond the limits. */
  record(kind: FilterNameKind, name: string, hour: number, service?: string): string {
    const set = this.getOrCreateSet(kind, service);
    const known = set.hours.get(name);
    if (known !== undefined && known >= hour) return name;
    const counted = known === undefined && isFull(set, name) ? OVERFLOW_NAME : name;
    const before = set.hours.get(counted);
    if (before === undefined || before < hour) {
      if (before === undefined) this.size++;
      set.hours.set(counted, hour);
      set.changed = true;
    }
    return counted;
  }

  /** The name that a recorded name counts under. */
  resolve(kind: FilterNameKind, name: string, service?: string): string {
    return this.sets.get(nameSetKey(kind, service))?.hours.has(name) === true ? name : OVERFLOW_NAME;
  }

  /** Removes names that were last seen before this hour. */
  forgetBefore(hour: number): void {
    for (const set of this.sets.values()) {
      for (const [name, seen] of set.hours) {
        if (seen >= hour) continue;
        set.hours.delete(name);
        set.changed = true;
        this.size--;
      }
    }
  }

  /**
   * Documents that have changed since the last call, by a key that is unique in the Grid; undefined: the document is
   * empty now.
   */
  takeChanges(): (readonly [key: string, document: FilterNamesDocument | undefined])[] {
    const changed = [...this.sets].filter(([, set]) => set.changed);
    return changed.map(([key, set]) => {
      set.changed = false;
      if (set.hours.size === 0) this.sets.delete(key);
      return [key, set.hours.size === 0 ? undefined : toNamesDocument(this.gridId, set)];
    });
  }

  private getOrCreateSet(kind: FilterNameKind, service: string | undefined): NameSet {
    const key = nameSetKey(kind, service);
    let set = this.sets.get(key);
    if (set === undefined) this.sets.set(key, (set = { kind, service, hours: new Map(), changed: false }));
    return set;
  }
}

function nameSetKey(kind: FilterNameKind, service: string | undefined): string {
  return service === undefined ? kind : `${kind}/${service}`;
}

function isFull({ kind, hours }: NameSet, name: string): boolean {
  return name.length > MAX_NAME_LENGTH || hours.size - (hours.has(OVERFLOW_NAME) ? 1 : 0) >= FILTER_NAME_LIMITS[kind];
}

function toNamesDocument(gridId: string, { kind, service, hours }: NameSet): FilterNamesDocument {
  const names = [...hours].sort(([a], [b]) => (a < b ? -1 : 1));
  return service === undefined ? { gridId, kind, names } : { gridId, kind, service, names };
}

const HOUR_MS = 3_600_000;
const HOUR_US = HOUR_MS * 1000;

/** Names to cache over all Grids; the Grids that were inactive longest are evicted and loaded again on demand. */
const MAX_NAMES = 1_000_000;

/** Where the names are found in the columns of a signal. */
export interface NameSource<Columns> {
  timeUs(columns: Columns): Float64Array;
  /** Records the names in rows of one Grid. */
  recordNames(columns: Columns, rows: Uint32Array, names: GridFilterNames): void;
}

/** Services, their operations and attribute keys. */
export const SPAN_NAME_SOURCE: NameSource<SpanColumns> = {
  timeUs: ({ startUs }) => startUs,
  recordNames({ service, operation, startUs, strings }, rows, names) {
    for (const { first, second, newestUs } of findDistinctPairs(service, operation, startUs, rows)) {
      const hour = Math.floor(newestUs / HOUR_US);
      const counted = names.record('services', strings.text(first), hour);
      names.record('operations', strings.text(second), hour, counted);
    }
  },
};

/** Services, severity levels and attribute keys. */
export const LOG_NAME_SOURCE: NameSource<LogColumns> = {
  timeUs: ({ timeUs }) => timeUs,
  recordNames({ service, severity, timeUs, strings }, rows, names) {
    for (const { first, second, newestUs } of findDistinctPairs(service, severity, timeUs, rows)) {
      const hour = Math.floor(newestUs / HOUR_US);
      names.record('services', strings.text(first), hour);
      names.record('severities', severityLevel(second), hour);
    }
  },
};

/** Maintains the names that searches can filter by. Steady telemetry changes a document once an hour. */
export class FilterNamesProjection<Columns> implements TelemetryProjection<Columns> {
  /** Least recently used first. */
  private readonly grids = new Map<string, GridFilterNames>();

  constructor(
    private readonly collection: Collection<FilterNamesDocument>,
    private readonly source: NameSource<Columns>,
    private readonly store: ReadModelReader,
  ) {}

  restore(): Promise<void> {
    this.grids.clear();
    return Promise.resolve();
  }

  async foldBatch(batch: TelemetryBatch<Columns>): Promise<DocumentChange[]> {
    const { columns, eventRows, rows } = batch;
    this.evict();
    const touched = new Set<GridFilterNames>();
    for (const [gridId, gridRows] of rows) {
      const names = await this.loadNames(gridId);
      this.source.recordNames(columns, gridRows, names);
      touched.add(names);
    }
    for (const entry of eventRows) {
      const names = await this.loadNames(entry.gridId);
      this.recordKeys(columns, entry, batch.floorUs(entry.gridId), names);
      touched.add(names);
    }
    return [...touched].flatMap((names) => this.collectChanges(names));
  }

  /** The name under which a service of the last batch counts: its own, or `__other__` beyond the limits. */
  resolveService(gridId: string, service: string): string {
    return this.grids.get(gridId)?.resolve('services', service) ?? OVERFLOW_NAME;
  }

  async expire(gridId: string, before: number): Promise<DocumentChange[]> {
    const names = await this.loadNames(gridId);
    names.forgetBefore(Math.floor(before / HOUR_MS));
    return this.collectChanges(names);
  }

  /** Keys are known per event, not per record: they count at the time of the event's newest record, repeated or not. */
  private recordKeys(columns: Columns, { from, to, keys }: EventRows, floorUs: number, names: GridFilterNames): void {
    const timeUs = this.source.timeUs(columns);
    let newestUs = -Infinity;
    for (let row = from; row < to; row++) if (timeUs[row] > newestUs) newestUs = timeUs[row];
    const hour = Math.floor(newestUs / HOUR_US);
    if (hour >= Math.floor(floorUs / HOUR_US)) for (const key of keys) names.record('keys', key, hour);
  }

  private async loadNames(gridId: string): Promise<GridFilterNames> {
    let names = this.grids.get(gridId);
    if (names === undefined) {
      const found = await this.store.find(this.collection, { filter: eq('gridId', gridId) });
      names = new GridFilterNames(
        gridId,
        found.map(({ document }) => document),
      );
    } else this.grids.delete(gridId);
    this.grids.set(gridId, names);
    return names;
  }

  private collectChanges(names: GridFilterNames): DocumentChange[] {
    const { collection } = this;
    return names.takeChanges().map(([key, document]) => {
      const id = `${names.gridId}/${key}`;
      return document === undefined ? { kind: 'delete', collection, id } : { kind: 'put', collection, id, document };
    });
  }

  /** Call when all changes are committed. */
  private evict(): void {
    let total = 0;
    for (const { size } of this.grids.values()) total += size;
    for (const [gridId, { size }] of this.grids) {
      if (total <= MAX_NAMES) return;
      this.grids.delete(gridId);
      total -= size;
    }
  }
}

/** A pair of ids that occurs in rows, and the newest time (µs) of those rows. */
interface Pair {
  readonly first: number;
  readonly second: number;
  newestUs: number;
}

const CACHE_SLOTS = 1 << 12;

/** Distinct pairs in the order of their first row. Costs one lookup in a small array per row, because pairs recur. */
export function findDistinctPairs(
  first: ArrayLike<number>,
  second: ArrayLike<number>,
  timeUs: Float64Array,
  rows: Uint32Array,
): Pair[] {
  const pairs: Pair[] = [];
  const indexOf = new Map<string, number>();
  const cache = new Int32Array(CACHE_SLOTS).fill(-1);
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i];
    const slot = (Math.imul(first[row], 0x9e3779b1) ^ Math.imul(second[row], 0x85ebca6b)) >>> 20;
    let index = cache[slot];
    if (index < 0 || pairs[index].first !== first[row] || pairs[index].second !== second[row]) {
      cache[slot] = index = findOrAddPair(pairs, indexOf, first[row], second[row]);
    }
    const pair = pairs[index];
    if (timeUs[row] > pair.newestUs) pair.newestUs = timeUs[row];
  }
  return pairs;
}

function findOrAddPair(pairs: Pair[], indexOf: Map<string, number>, first: number, second: number): number {
  const key = `${first}/${second}`;
  let index = indexOf.get(key);
  if (index === undefined) {
    index = pairs.push({ first, second, newestUs: -Infinity }) - 1;
    indexOf.set(key, index);
  }
  return index;
}
