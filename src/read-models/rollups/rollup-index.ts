import { and, eq, range } from '../document-filter.js';
import type { RollupCollection, RollupDocument } from '../documents/rollup-documents.js';
import type { ReadModelReader } from '../read-model-store.js';
import { byText } from './sorted-lists.js';

/** One stored rollup: where it stands, when it changed last, and what was decoded of it. */
export interface RollupEntry {
  readonly gridId: string;
  readonly minute: number;
  readonly service: string;
  stamp: number;
  /** See DecodedRollups. */
  value?: unknown;
  valueStamp?: number;
  bytes: number;
  usedAt: number;
}

/** What is known of some minutes of one Grid: by minute, services ascending. */
interface Chunk {
  readonly minutes: Map<number, RollupEntry[]>;
  size: number;
  /** False once it has left, though it may still be read. */
  isKept: boolean;
  /** Looks put into a chunk while it is read, so that no commit falls between the two. */
  read: Promise<void>;
}

/**
 * Stretches known at most, where each chunk counts as one more: whoever asks for any moment of the past meets many with
 * nothing in them. The chunk that was asked for the longest ago leaves first.
 */
export const MAX_INDEXED_ROLLUPS = 300_000;

/**
 * Which rollups stand in one collection, for the minutes that were asked for. What was read once is kept current by
 * stamps, so that a question that comes every second reads only what changed.
 */
export class RollupIndex {
  private readonly chunks = new Map<string, Chunk>();
  /** Highest stamp that was seen. */
  private seen: number | undefined;
  private size = 0;

  /** Minutes are read `chunkMinutes` at a time. `forget` is told of every stretch that leaves. */
  constructor(
    private readonly store: ReadModelReader,
    private readonly collection: RollupCollection,
    private readonly chunkMinutes: number,
    private readonly forget: (stretch: RollupEntry) => void,
    private readonly maxStretches = MAX_INDEXED_ROLLUPS,
  ) {}

  /**
   * Takes in what was committed since the last look; answers the Grids concerned, and tells `changed` of each rollup. The first
   * look finds nothing new.
   * Asking for the order of stamps has stores use their index on them; in any other order SQLite looks at every document.
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

  /** The stretches that begin in from ≤ minute < to, ascending by minute and service, as of the last look or later. */
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

  /** Retention took away what begins before this minute. */
  expire(gridId: string, before: number): void {
    for (const [key, chunk] of this.chunks) {
      if (!key.startsWith(`${gridId}/`)) continue;
      for (const minute of chunk.minutes.keys()) if (minute < before) this.dropMinute(chunk, minute);
    }
  }

  /** Forgets all. */
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
    const place = findPosition(list, service);
    if (place < list.length && list[place].service === service) {
      list[place].stamp = Math.max(list[place].stamp, stamp);
      return;
    }
    list.splice(place, 0, { gridId, minute, service, stamp, bytes: 0, usedAt: 0 });
    chunk.minutes.set(minute, list);
    chunk.size++;
    if (chunk.isKept) this.size++;
  }

  private evictOldest(keep: string): void {
    for (const key of this.chunks.keys()) {
      if (this.size <= this.maxStretches || key === keep) return;
      this.evictChunk(key);
    }
  }

  /** What is in it stays: others may have waited for it, and not looked yet. */
  private evictChunk(key: string): void {
    const chunk = this.chunks.get(key)!;
    for (const stretches of chunk.minutes.values()) stretches.forEach(this.forget);
    chunk.isKept = false;
    this.size -= chunk.size + 1;
    this.chunks.delete(key);
  }

  private dropMinute(chunk: Chunk, minute: number): void {
    const stretches = chunk.minutes.get(minute) ?? [];
    stretches.forEach(this.forget);
    chunk.minutes.delete(minute);
    chunk.size -= stretches.length;
    this.size -= stretches.length;
  }
}

function collectEntries(stretches: readonly RollupEntry[], service: string | undefined, into: RollupEntry[]): void {
  if (service === undefined) {
    for (const stretch of stretches) into.push(stretch);
    return;
  }
  const stretch = stretches.at(findPosition(stretches, service));
  if (stretch?.service === service) into.push(stretch);
}

/** Where the service stands in the list, or belongs. */
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
