import { and, eq, range } from '../document-filter.js';
import type { RollupCollection, RollupDocument } from '../documents/rollup-documents.js';
import type { ReadModelReader } from '../read-model-store.js';
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

/** Index of some minutes of one Grid: by minute, services ascending. */
interface Chunk {
  readonly minutes: Map<number, RollupEntry[]>;
  size: number;
  /** False once it was evicted, though it may still be read. */
  isKept: boolean;
  /**
   * Resolves when the chunk is loaded. Refreshes update a chunk even while it is loading, so that no commit is missed.
   */
  read: Promise<void>;
}

/**
 * Maximum number of indexed rollups. Each chunk counts as one more, because queries about arbitrary past times meet
 * many empty ones. The least recently used chunk is evicted first.
 */
export const MAX_INDEXED_ROLLUPS = 300_000;

/**
 * Index of the rollups in one collection, for the minutes that were queried. Loaded chunks are kept up to date by
 * stamps, so that a query that is repeated every second reads only what changed.
 */
export class RollupIndex {
  private readonly chunks = new Map<string, Chunk>();
  /** Highest stamp that was seen. */
  private seen: number | undefined;
  private size = 0;

  /** Minutes are loaded `chunkMinutes` at a time. `forget` is called for every rollup that is evicted. */
  constructor(
    private readonly store: ReadModelReader,
    private readonly collection: RollupCollection,
    private readonly chunkMinutes: number,
    private readonly forget: (entry: RollupEntry) => void,
    private readonly maxEntries = MAX_INDEXED_ROLLUPS,
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
    for (const [key, chunk] of this.chunks) {
      if (!key.startsWith(`${gridId}/`)) continue;
      for (const minute of chunk.minutes.keys()) if (minute < before) this.dropMinute(chunk, minute);
    }
  }

  /** Drops everything. */
  clear(): void {
    for (const key of [...this.chunks.keys()]) this.evictChunk(key);
  }

  private chunkStart(minute: number): number {
    return Math.floor(minute / this.chunkMinutes) * this.chunkMinutes;
  }

  private async chunk(gridId: string, start: number): Promise<Chunk> {
    const key = `${gridId}/${start}`;
    const chunk = this.chunks.get(key) ?? this.startChunk(gridId, start);
    this.chunks.delete(key);
    this.chunks.set(key, chunk);
    try {
      await chunk.read;
    } catch (error) {
      if (this.chunks.get(key) === chunk) this.evictChunk(key);
      throw error;
    }
    this.evictOldest(key);
    return chunk;
  }

  private startChunk(gridId: string, start: number): Chunk {
    const chunk: Chunk = { minutes: new Map(), size: 0, isKept: true, read: Promise.resolve() };
    this.size++;
    chunk.read = this.read(chunk, gridId, start);
    return chunk;
  }

  private async read(chunk: Chunk, gridId: string, start: number): Promise<void> {
    const found = await this.store.find(this.collection, {
      filter: and(eq('gridId', gridId), range('minute', start, start + this.chunkMinutes)),
    });
    for (const { document } of found) this.put(chunk, document);
  }

  private applyChange(document: RollupDocument): void {
    this.seen = Math.max(this.seen ?? -1, document.stamp);
    const chunk = this.chunks.get(`${document.gridId}/${this.chunkStart(document.minute)}`);
    if (chunk !== undefined) this.put(chunk, document);
  }

  private put(chunk: Chunk, { gridId, minute, service, stamp }: RollupDocument): void {
    const list = chunk.minutes.get(minute) ?? [];
    const position = findPosition(list, service);
    if (position < list.length && list[position].service === service) {
      list[position].stamp = Math.max(list[position].stamp, stamp);
      return;
    }
    list.splice(position, 0, { gridId, minute, service, stamp, bytes: 0, usedAt: 0 });
    chunk.minutes.set(minute, list);
    chunk.size++;
    if (chunk.isKept) this.size++;
  }

  private evictOldest(keep: string): void {
    for (const key of this.chunks.keys()) {
      if (this.size <= this.maxEntries || key === keep) return;
      this.evictChunk(key);
    }
  }

  /** Its content stays: other callers may have awaited it and not read it yet. */
  private evictChunk(key: string): void {
    const chunk = this.chunks.get(key)!;
    for (const entries of chunk.minutes.values()) entries.forEach(this.forget);
    chunk.isKept = false;
    this.size -= chunk.size + 1;
    this.chunks.delete(key);
  }

  private dropMinute(chunk: Chunk, minute: number): void {
    const entries = chunk.minutes.get(minute) ?? [];
    entries.forEach(this.forget);
    chunk.minutes.delete(minute);
    chunk.size -= entries.length;
    this.size -= entries.length;
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
