import { isUnreadablePage } from './disk-errors.js';
import type { Connection } from './event-log-connection.js';

/** Finds the newest event, also if the page that holds it cannot be read: then by the category index. */
export class LogHead {
  readonly #stored;
  readonly #categories;
  readonly #indexed;

  constructor(database: Connection) {
    this.#stored = database.prepare('SELECT max(position) AS position FROM events');
    this.#categories = database.prepare('SELECT id FROM categories');
    this.#indexed = database.prepare(
      'SELECT max(position) AS position FROM events INDEXED BY events_by_category WHERE category = ?',
    );
  }

  /** 0 for an empty log. */
  rowid(): number {
    try {
      return (this.#stored.get()?.position as number | null) ?? 0;
    } catch (error) {
      if (!isUnreadablePage(error)) throw error;
      return this.#findIndexed();
    }
  }

  #findIndexed(): number {
    const categories = this.#categories.all() as { id: number }[];
    return Math.max(0, ...categories.map(({ id }) => (this.#indexed.get(id)?.position as number | null) ?? 0));
  }
}
