import type { Revision } from '../../event-store.js';
import type { CategoryIndexScan } from './category-index-scan.js';
import { isUnreadablePage } from './disk-errors.js';
import type { Connection } from './event-log-connection.js';
import type { LogHead } from './log-head.js';

/** A stream as the log names it. */
export interface StreamRow {
  readonly id: number;
  readonly category: number;
  /** Retention has deleted all revisions below. */
  readonly floor: Revision;
}

/** Where an event of a stream is. `revision` is undefined if its row cannot be read or is missing. */
export interface StreamPlace {
  readonly position: number;
  readonly revision: Revision | undefined;
}

/**
 * Location of the event with a revision. `lost`: the stream continues after it, but it cannot be read; the position is
 * that of its row as far as that is known, otherwise the one after its predecessor.
 */
export type FoundEvent = { readonly kind: 'found' | 'lost'; readonly position: number } | { readonly kind: 'absent' };

/** The last readable event before a revision; position 0 and the revision before the first one if there is none. */
interface Predecessor {
  readonly position: number;
  readonly revision: Revision;
}

/**
 * Finds events of a stream without the index by stream: by a binary search over positions, along which the revisions of
 * a stream ascend. For what that index lacks, or where it is damaged.
 */
export class StreamSearch {
  readonly #row;

  constructor(
    database: Connection,
    private readonly scan: CategoryIndexScan,
    private readonly head: LogHead,
  ) {
    this.#row = database.prepare('SELECT stream, revision FROM events WHERE position = ?');
  }

  find(stream: StreamRow, revision: Revision): FoundEvent {
    const head = this.head.rowid();
    const before = this.#findPredecessor(stream, revision, head);
    const unreadable: number[] = [];
    for (const place of this.#places(stream, before.position, head)) {
      if (place.revision === revision) return { kind: 'found', position: place.position };
      if (place.revision !== undefined) return { kind: 'lost', position: unreadable[0] ?? before.position + 1 };
      if (unreadable.push(place.position) === revision - before.revision)
        return { kind: 'lost', position: place.position };
    }
    return { kind: 'absent' };
  }

  /** Places of the events of the stream from a revision on, in order. */
  *placesFrom(stream: StreamRow, revision: Revision): Generator<StreamPlace, void, void> {
    const head = this.head.rowid();
    const before = this.#findPredecessor(stream, revision, head);
    yield* this.#places(stream, before.position, head);
  }

  #findPredecessor(stream: StreamRow, revision: Revision, head: number): Predecessor {
    let before: Predecessor = { position: 0, revision: stream.floor - 1 };
    for (let high = head + 1; high - before.position > 1;) {
      const middle = Math.floor((before.position + high) / 2);
      const next = this.#firstReadable(stream, middle - 1, high - 1);
      if (next === undefined || next.revision >= revision) high = middle;
      else before = next;
    }
    return before;
  }

  #firstReadable(stream: StreamRow, after: number, until: number): Predecessor | undefined {
    for (const { position, revision } of this.#places(stream, after, until))
      if (revision !== undefined) return { position, revision };
    return undefined;
  }

  *#places({ id, category }: StreamRow, after: number, until: number): Generator<StreamPlace, void, void> {
    for (const { position, stream } of this.scan.entries(category, after, until)) {
      if (stream !== undefined && stream !== id) continue;
      const row = this.#readRow(position);
      if (row === 'unreadable') yield { position, revision: undefined };
      else if (row?.stream === id) yield { position, revision: row.revision };
      else if (row === undefined && stream === id) yield { position, revision: undefined };
    }
  }

  #readRow(position: number): { readonly stream: number; readonly revision: Revision } | 'unreadable' | undefined {
    try {
      return this.#row.get(position) as { stream: number; revision: Revision } | undefined;
    } catch (error) {
      if (!isUnreadablePage(error)) throw error;
      return 'unreadable';
    }
  }
}
