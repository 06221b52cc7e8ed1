import { and, eq, range } from '../document-filter.js';
import type { RollupCollection, RollupDocument } from '../documents/rollup-documents.js';
import type { ReadModelReader } from '../read-model-store.js';
import type { IndexPart, RollupIndexMemory } from './rollup-index-memory.js';
import { byText } from './sorted-lists.js';

/** One stored rollup: its key, when it last changed, and its decoded value. */
export interface RollupEntry {
  readonly gridId: string;
  readonly minute: number;
  readonly service: string;
  stamp: number;
  /** See RollupCache. */
  value?: unknown;
  valueStamp?: number;
  bytes: number;
  usedAt: number;
}

/*
 * Memory of an entry with its place in a list, of a minute with its list, and of a chunk with its key, in bytes; rounded
 * from the heap growth by thousands of them. Names of services are shared.
 */
const ENTRY_BYTES = 110;
const MINUTE_BYTES = 100;
/** Queries about arbitrary past times meet many empty chunks: these count as well. */
const CHUNK_BYTES = 600;

/** Distinct names of services to share; beyond the limit sharing starts over. */
const MAX_NAMES = 10_000;

/** Index of some minutes of one Grid: by minute, services ascending. */
interface Chunk extends IndexPart {
  readonly gridId: string;
  readonly minutes: Map<number, RollupEntry[]>;
  /**
   * Resolves when the chunk is loaded. Refreshes update a chunk even while it is loading, so that no commit is missed.
   */
  read: Promise<void>;
}

/**
 * Index of the rollups in one collection, for the minutes that were queried. Loaded chunks are kept up to date by
 * stamps, so that a query that is repeated every second reads only what changed.
 */
export class RollupIndex {
  private readonly chunks = new Map<string, Chunk>();
  /** Highest stamp that was seen. */
  private seen: number | undefined;
  private readonly names = new Map<string, string>();

  /**
   * Minutes are loaded `chunkMinutes` at a time, and evicted by `memory`. `forget` is called for every rollup that is
   * evicted.
   */
  constructor(
    private readonly store: ReadModelReader,
    private readonly collection: RollupCollection,
    private readonly chunkMinutes: number,
    private readonly forget: (entry: RollupEntry) => void,
    private readonly memory: RollupIndexMemory,
  ) {}

  /**
   * Loads what was committed since the last refresh; returns the Grids concerned, and calls `changed` for each rollup.
   * The first refresh only notes the newest stamp. Sorting by stamp makes stores use their index on it; in any other
   * order SQLite scans every document.
   */
  async refresh(changed: (document: RollupDocument) => void = () => undefined): Promise<ReadonlySet<string>> {
    if (this.seen === undefined) {
      const [newest] = await this.store.find(this.collection, {
        filter: range('stamp', 0),
        sort: [{ field: 'stamp', descending: true }],
        limit: 1,
      });
      this.seen = newest?.document.stamp ?? -1;
      return new Set();
    }
    const found = await this.store.find(this.collection, {
      filter: range('stamp', this.seen + 1),
      sort: [{ field: 'stamp' }],
    });
    for (const { document } of found) {
      this.applyChange(document);
      changed(document);
    }
    return new Set(found.map(({ document }) => document.gridId));
  }

  /** Rollups that start in from ≤ minute < to, ascending by minute and service, as of the last refresh or later. */
  async findEntries(gridId: string, from: number, to: number, service?: string): Promise<RollupEntry[]> {
    const found: RollupEntry[] = [];
    const width = this.chunkMinutes;
    for (let start = this.chunkStart(from); start < to; start += width) {
      const { minutes } = await this.chunk(gridId, start);
      const last = Math.min(to, start + width);
      for (let minute = Math.max(from, start); minute < last; minute++)
        collectEntries(minutes.get(minute) ?? [], service, found);
    }
    return found;
  }

  /** Drops rollups that start before this minute, because they have expired. */
  expire(gridId: string, before: number): void {
    for (const chunk of this.chunks.values()) {
      if (chunk.gridId !== gridId) continue;
      for (const minute of chunk.minutes.keys()) if (minute < before) this.dropMinute(chunk, minute);
    }
  }

  /** Drops everything. */
  clear(): void {
    for (const chunk of [...this.chunks.values()]) this.memory.evict(chunk);
    this.names.clear();
  }

  private chunkStart(minute: number): number {
    return Math.floor(minute / this.chunkMinutes) * this.chunkMinutes;
  }

  private async chunk(gridId: string, start: number): Promise<Chunk> {
    const key = `${gridId}/${start}`;
    const chunk = this.chunks.get(key) ?? this.startChunk(key, gridId, start);
    this.memory.use(chunk);
    try {
      await chunk.read;
    } catch (error) {
      this.memory.evict(chunk);
      throw error;
    }
    return chunk;
  }

  private startChunk(key: string, gridId: string, start: number): Chunk {
    const minutes: Chunk['minutes'] = new Map();
    const evict = (): void => {
      // Its content stays: other callers may have awaited it and not read it yet.
      for (const entries of minutes.values()) entries.forEach(this.forget);
      this.chunks.delete(key);
    };
    const chunk: Chunk = { gridId, minutes, evict, read: Promise.resolve() };
    this.chunks.set(key, chunk);
    this.memory.use(chunk);
    this.memory.resize(chunk, CHUNK_BYTES);
    chunk.read = this.read(chunk, start);
    return chunk;
  }

  private async read(chunk: Chunk, start: number): Promise<void> {
    const found = await this.store.find(this.collection, {
      filter: and(eq('gridId', chunk.gridId), range('minute', start, start + this.chunkMinutes)),
    });
    for (const { document } of found) this.put(chunk, document);
  }

  private applyChange(document: RollupDocument): void {
    this.seen = Math.max(this.seen ?? -1, document.stamp);
    const chunk = this.chunks.get(`${document.gridId}/${this.chunkStart(document.minute)}`);
    if (chunk !== undefined) this.put(chunk, document);
  }

  private put(chunk: Chunk, { minute, service, stamp }: RollupDocument): void {
    const known = chunk.minutes.get(minute);
    const list = known ?? [];
    const position = findPosition(list, service);
    if (position < list.length && list[position].service === service) {
      list[position].stamp = Math.max(list[position].stamp, stamp);
      return;
    }
    const { gridId } = chunk;
    list.splice(position, 0, { gridId, minute, service: this.shareName(service), stamp, bytes: 0, usedAt: 0 });
    chunk.minutes.set(minute, list);
    this.memory.resize(chunk, known === undefined ? MINUTE_BYTES + ENTRY_BYTES : ENTRY_BYTES);
  }

  private shareName(name: string): string {
    const known = this.names.get(name);
    if (known !== undefined) return known;
    if (this.names.size >= MAX_NAMES) this.names.clear();
    this.names.set(name, name);
    return name;
  }

  private dropMinute(chunk: Chunk, minute: number): void {
    const entries = chunk.minutes.get(minute) ?? [];
    entries.forEach(this.forget);
    chunk.minutes.delete(minute);
    this.memory.resize(chunk, -(MINUTE_BYTES + entries.length * ENTRY_BYTES));
  }
}

function collectEntries(entries: readonly RollupEntry[], service: string | undefined, into: RollupEntry[]): void {
  if (service === undefined) {
    for (const entry of entries) into.push(entry);
    return;
  }
  const entry = entries.at(findPosition(entries, service));
  if (entry?.service === service) into.push(entry);
}

/** Index of the service in the list, or where to insert it. */
function findPosition(list: readonly RollupEntry[], service: string): number {
  let from = 0;
  let to = list.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (byText(list[middle].service, service) < 0) from = middle + 1;
    else to = middle;
  }
  return from;
}
