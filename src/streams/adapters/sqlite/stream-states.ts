import type { Revision } from '../../event-store.js';
import type { Connection } from './connection.js';
import { categoryOf } from './schema.js';

/** Streams kept in memory; more and they are looked up again. */
const MAX_STREAMS = 50_000;

export interface StreamState {
  readonly id: number;
  readonly category: number;
  /** Revision of the next event. */
  next: Revision;
}

/**
 * What the writer knows of the streams, so that an append asks SQLite nothing.
 * True only as long as this connection's transactions commit: forget it after a rollback.
 */
export class StreamStates {
  readonly #known = new Map<string, StreamState>();
  readonly #find;
  readonly #newest;
  readonly #create;
  readonly #findCategory;
  readonly #createCategory;

  constructor(database: Connection) {
    this.#find = database.prepare('SELECT id, category, next_revision AS floor FROM streams WHERE name = ?');
    this.#newest = database.prepare('SELECT max(revision) AS revision FROM events WHERE stream = ?');
    this.#create = database.prepare('INSERT INTO streams (name, category) VALUES (?, ?)');
    this.#findCategory = database.prepare('SELECT id FROM categories WHERE name = ?');
    this.#createCategory = database.prepare('INSERT INTO categories (name) VALUES (?)');
  }

  /** Undefined for a stream that does not exist yet. */
  find(name: string): StreamState | undefined {
    return this.#known.get(name) ?? this.#load(name);
  }

  create(name: string): StreamState {
    const category = this.#categoryId(categoryOf(name));
    const id = Number(this.#create.run(name, category).lastInsertRowid);
    return this.#keep(name, { id, category, next: 0 });
  }

  #load(name: string): StreamState | undefined {
    const row = this.#find.get(name) as { id: number; category: number; floor: number } | undefined;
    if (row === undefined) return undefined;
    const newest = this.#newest.get(row.id)?.revision as number | null;
    return this.#keep(name, { id: row.id, category: row.category, next: Math.max(row.floor, (newest ?? -1) + 1) });
  }

  #keep(name: string, state: StreamState): StreamState {
    if (this.#known.size >= MAX_STREAMS) this.#known.clear();
    this.#known.set(name, state);
    return state;
  }

  #categoryId(name: string): number {
    const found = this.#findCategory.get(name)?.id as number | undefined;
    return found ?? Number(this.#createCategory.run(name).lastInsertRowid);
  }
}
