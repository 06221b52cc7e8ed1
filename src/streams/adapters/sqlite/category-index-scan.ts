import { hasPrefix } from '../../stream-names.js';
import { isUnreadablePage } from './disk-errors.js';
import type { Connection } from './event-log-connection.js';
import { canContainPrefix } from './event-log-schema.js';

/** Index rows per query: few enough to end each read transaction quickly. */
const CHUNK_ROWS = 256;

/** Positions that are taken from the table where the index is damaged. */
const TABLE_WINDOW = 1_024;

/** Stream names cached per reader; the cache is cleared when it is full. */
const MAX_NAMES = 100_000;

/** `stream` is undefined where neither index nor table shows which stream has an event at the position, if any. */
export interface IndexEntry {
  readonly position: number;
  readonly stream: number | undefined;
}

/**
 * Finds the positions of events of the wanted streams by the category index. Where that cannot be read or is out of order,
 * it lists the table, and where that cannot be read either, every position: reading those shows what is damaged.
 */
export class CategoryIndexScan {
  readonly #chunk;
  readonly #stored;
  readonly #categories;
  readonly #streamName;
  readonly #entry;
  readonly #names = new Map<number, string>();

  constructor(database: Connection) {
    this.#chunk = database.prepare(`
      SELECT position, stream FROM events INDEXED BY events_by_category
      WHERE category = ? AND position > ? AND position <= ? ORDER BY position LIMIT ?`);
    this.#stored = database.prepare(`
      SELECT position, stream FROM events NOT INDEXED
      WHERE position > ? AND position <= ? AND category = ? ORDER BY position`);
    this.#categories = database.prepare('SELECT id, name FROM categories');
    this.#streamName = database.prepare('SELECT name FROM streams WHERE id = ?');
    this.#entry = database.prepare(
      'SELECT stream FROM events INDEXED BY events_by_category WHERE category = ? AND position = ?',
    );
  }

  /**
   * Ascending rowids after `after` up to and including `until` of streams with one of the prefixes; where the index is
   * damaged, possibly also of others or of no event.
   */
  *rowids(after: number, until: number, prefixes: readonly string[] = []): Generator<number, void, void> {
    const cursors = this.#selectCategories(prefixes).map((category) => this.entries(category, after, until));
    const next = cursors.map((entries) => entries.next());
    for (let last = after; ;) {
      const first = findSmallest(next);
      if (first < 0) return;
      const { position, stream } = next[first].value as IndexEntry;
      if (position > last && this.#isWanted(stream, prefixes)) yield position;
      last = position;
      next[first] = cursors[first].next();
    }
  }

  /** Entries of one category after `after` up to and including `until`, by position. */
  *entries(category: number, after: number, until: number): Generator<IndexEntry, void, void> {
    for (let from = after; from < until;) {
      const chunk = this.#readChunk(category, from, until);
      if (chunk !== undefined) {
        yield* chunk;
        if (chunk.length < CHUNK_ROWS) return;
        from = chunk[chunk.length - 1].position;
      } else {
        const end = Math.min(from + TABLE_WINDOW, until);
        yield* this.#listStored(category, from, end);
        from = end;
      }
    }
  }

  /** Whether the index names this event, now; with `stream`: as one of this stream. */
  has(rowid: number, stream?: number): boolean {
    return (this.#categories.all() as { id: number }[]).some(({ id }) => {
      const entry = this.#entry.get(id, rowid);
      return entry !== undefined && (stream === undefined || entry.stream === stream);
    });
  }

  streamName(stream: number): string | undefined {
    return this.#names.get(stream) ?? this.#loadName(stream);
  }

  /** An index entry without its stream is damage: skipping it would lose events; the row's checksum reveals it. */
  #isWanted(stream: number | undefined, prefixes: readonly string[]): boolean {
    const name = stream === undefined ? undefined : this.streamName(stream);
    return name === undefined || hasPrefix(name, prefixes);
  }

  #loadName(stream: number): string | undefined {
    const name = this.#streamName.get(stream)?.name as string | undefined;
    if (name === undefined) return undefined;
    if (this.#names.size >= MAX_NAMES) this.#names.clear();
    this.#names.set(stream, name);
    return name;
  }

  #selectCategories(prefixes: readonly string[]): number[] {
    const all = this.#categories.all() as { id: number; name: string }[];
    const matching =
      prefixes.length === 0 ? all : all.filter(({ name }) => prefixes.some((prefix) => canContainPrefix(name, prefix)));
    return matching.map(({ id }) => id);
  }

  /** Undefined where the index is damaged. */
  #readChunk(category: number, from: number, until: number): IndexEntry[] | undefined {
    try {
      const chunk = this.#chunk.all(category, from, until, CHUNK_ROWS) as IndexEntry[];
      return isAscending(chunk, from) ? chunk : undefined;
    } catch (error) {
      if (!isUnreadablePage(error)) throw error;
      return undefined;
    }
  }

  #listStored(category: number, from: number, until: number): IndexEntry[] {
    try {
      return this.#stored.all(from, until, category) as IndexEntry[];
    } catch (error) {
      if (!isUnreadablePage(error)) throw error;
      return Array.from({ length: until - from }, (_, n) => ({ position: from + 1 + n, stream: undefined }));
    }
  }
}

/** Index of the cursor at the smallest position, -1 when all have ended. */
function findSmallest(next: readonly IteratorResult<IndexEntry, void>[]): number {
  let best = -1;
  let bestPosition = Infinity;
  for (let i = 0; i < next.length; i++) {
    const entry = next[i];
    if (entry.done === true || entry.value.position >= bestPosition) continue;
    best = i;
    bestPosition = entry.value.position;
  }
  return best;
}

/** The index has no checksum, but its entries must be in order. */
function isAscending(chunk: readonly IndexEntry[], after: number): boolean {
  let last = after;
  return chunk.every(({ position, stream }) => {
    const isInOrder = Number.isInteger(position) && position > last && Number.isInteger(stream);
    last = position;
    return isInOrder;
  });
}
