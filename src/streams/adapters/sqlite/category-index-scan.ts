import { hasPrefix } from '../../stream-names.js';
import type { Connection } from './event-log-connection.js';
import { toPosition } from './event-row-format.js';
import { canContainPrefix } from './event-log-schema.js';

/** Index rows per query: few enough to end each read transaction quickly. */
const CHUNK_ROWS = 256;

/** Stream names cached per reader; the cache is cleared when it is full. */
const MAX_NAMES = 100_000;

/** Finds the positions of events of the wanted streams using only the category index. */
export class CategoryIndexScan {
  readonly #chunk;
  readonly #categories;
  readonly #streamName;
  readonly #entry;
  readonly #names = new Map<number, string>();

  constructor(database: Connection) {
    this.#chunk = database.prepare(`
      SELECT position, stream FROM events INDEXED BY events_by_category
      WHERE category = ? AND position > ? AND position <= ? ORDER BY position LIMIT ?`);
    this.#entry = database.prepare(
      'SELECT 1 FROM events INDEXED BY events_by_category WHERE category = ? AND position = ?',
    );
    this.#categories = database.prepare('SELECT id, name FROM categories');
    this.#streamName = database.prepare('SELECT name FROM streams WHERE id = ?');
  }

  /** Ascending rowids after `after` up to and including `until` of streams with one of the prefixes. */
  *rowids(after: number, until: number, prefixes: readonly string[] = []): Generator<number, void, void> {
    const cursors = this.#selectCategories(prefixes).map((category) => this.#entries(category, after, until));
    const next = cursors.map((entries) => entries.next());
    for (;;) {
      const first = findSmallest(next);
      if (first < 0) return;
      const { position, stream } = next[first].value as IndexEntry;
      const name = this.streamName(stream);
      // An index entry without its stream is damage: skipping it would lose events silently; the row's checksum reveals
      // it.
      if (name === undefined || hasPrefix(name, prefixes)) yield position;
      next[first] = cursors[first].next();
    }
  }

  /** Whether the index names this event, now. */
  has(rowid: number): boolean {
    return (this.#categories.all() as { id: number }[]).some(({ id }) => this.#entry.get(id, rowid) !== undefined);
  }

  streamName(stream: number): string | undefined {
    return this.#names.get(stream) ?? this.#loadName(stream);
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

  *#entries(category: number, after: number, until: number): Generator<IndexEntry, void, void> {
    for (let from = after; ;) {
      const chunk = this.#chunk.all(category, from, until, CHUNK_ROWS) as IndexEntry[];
      assertAscending(chunk, from);
      yield* chunk;
      if (chunk.length < CHUNK_ROWS) return;
      from = chunk[chunk.length - 1].position;
    }
  }
}

interface IndexEntry {
  readonly position: number;
  readonly stream: number;
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
function assertAscending(chunk: readonly IndexEntry[], after: number): void {
  let last = after;
  for (const { position, stream } of chunk) {
    if (!Number.isInteger(position) || position <= last || !Number.isInteger(stream)) {
      throw new Error(`The index of the event log is damaged after position ${toPosition(last)}`);
    }
    last = position;
  }
}
