import { hasPrefix } from '../../stream-names.js';
import type { Connection } from './event-log-connection.js';
import { toPosition } from './event-row-format.js';
import { canContainPrefix } from './event-log-schema.js';

/** Rows of the category index that one look takes: small enough to end its read transaction at once. */
const CHUNK_ROWS = 256;

/** Names kept per reader; more and they are looked up again. */
const MAX_NAMES = 100_000;

/** Where events of the wanted streams stand, read from the index by category alone. */
export class CategoryIndexScan {
  readonly #chunk;
  readonly #categories;
  readonly #streamName;
  readonly #names = new Map<number, string>();

  constructor(database: Connection) {
    this.#chunk = database.prepare(`
      SELECT position, stream FROM events INDEXED BY events_by_category
      WHERE category = ? AND position > ? AND position <= ? ORDER BY position LIMIT ?`);
    this.#categories = database.prepare('SELECT id, name FROM categories');
    this.#streamName = database.prepare('SELECT name FROM streams WHERE id = ?');
  }

  /** Rowids after `after` up to and including `until`, ascending, of streams with one of the prefixes. */
  *rowids(after: number, until: number, prefixes: readonly string[] = []): Generator<number, void, void> {
    const heads = this.#selectCategories(prefixes).map((category) => this.#entries(category, after, until));
    const front = heads.map((entries) => entries.next());
    for (;;) {
      const first = findSmallest(front);
      if (first < 0) return;
      const { position, stream } = front[first].value as IndexEntry;
      const name = this.streamName(stream);
      // An index entry without its stream is damage: left out it would be silently wrong, the row's checksum tells.
      if (name === undefined || hasPrefix(name, prefixes)) yield position;
      front[first] = heads[first].next();
    }
  }

  streamName(stream: number): string | undefined {
    return this.#names.get(stream) ?? this.#lookUp(stream);
  }

  #lookUp(stream: number): string | undefined {
    const name = this.#streamName.get(stream)?.name as string | undefined;
    if (name === undefined) return undefined;
    if (this.#names.size >= MAX_NAMES) this.#names.clear();
    this.#names.set(stream, name);
    return name;
  }

  #selectCategories(prefixes: readonly string[]): number[] {
    const all = this.#categories.all() as { id: number; name: string }[];
    const wanted =
      prefixes.length === 0 ? all : all.filter(({ name }) => prefixes.some((prefix) => canContainPrefix(name, prefix)));
    return wanted.map(({ id }) => id);
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

/** Index of the cursor that stands at the smallest position, -1 when all have ended. */
function findSmallest(front: readonly IteratorResult<IndexEntry, void>[]): number {
  let best = -1;
  let bestPosition = Infinity;
  for (let i = 0; i < front.length; i++) {
    const entry = front[i];
    if (entry.done === true || entry.value.position >= bestPosition) continue;
    best = i;
    bestPosition = entry.value.position;
  }
  return best;
}

/** The index has no checksum of its own, but what it says must be in order. */
function assertAscending(chunk: readonly IndexEntry[], after: number): void {
  let last = after;
  for (const { position, stream } of chunk) {
    if (!Number.isInteger(position) || position <= last || !Number.isInteger(stream)) {
      throw new Error(`The index of the event log is damaged after position ${toPosition(last)}`);
    }
    last = position;
  }
}
