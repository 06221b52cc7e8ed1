import { DamagedEvent, isDamagedEvent } from '../../damaged-event.js';
import {
  type EventReader,
  type Position,
  type ReadAllOptions,
  type RecordedEvent,
  type Revision,
  START,
} from '../../event-store.js';
import { type Upcast, upcastToNewest } from '../../events/event-registry.js';
import { type Connection, openReaderConnection } from './event-log-connection.js';
import { decodeRow, type EventRow, HEADER_COLUMNS, toPosition, toRowid } from './event-row-format.js';
import { CategoryIndexScan } from './category-index-scan.js';
import type { Health } from '../../../component.js';
import { HindsightError } from '../../../errors.js';
import { subscribeByPolling } from '../../polling-subscription.js';
import type { LiveFeed } from '../../live/live-feed.js';
import { toEventLogPath } from './data-folder.js';

/**
 * The reading half of the port on one connection, in the thread that calls.
 * Each statement is a transaction of its own, and short: a long one would keep the WAL from starting over.
 */
export class EventLogReader {
  readonly #scan: CategoryIndexScan;
  readonly #whole;
  readonly #header;
  readonly #byRevision;
  readonly #places;
  readonly #streamId;
  readonly #head;

  constructor(
    database: Connection,
    private readonly upcast: Upcast,
  ) {
    this.#scan = new CategoryIndexScan(database);
    this.#whole = database.prepare(`SELECT ${HEADER_COLUMNS}, body FROM events WHERE position = ?`);
    this.#header = database.prepare(`SELECT ${HEADER_COLUMNS} FROM events WHERE position = ?`);
    this.#byRevision = database.prepare(
      `SELECT ${HEADER_COLUMNS}, body FROM events WHERE stream = ? AND revision >= ? ORDER BY revision LIMIT ?`,
    );
    // Answered by the index alone.
    this.#places = database.prepare(
      'SELECT position, revision FROM events WHERE stream = ? AND revision >= ? ORDER BY revision LIMIT ?',
    );
    this.#streamId = database.prepare('SELECT id FROM streams WHERE name = ?');
    this.#head = database.prepare('SELECT max(position) AS position FROM events');
  }

  head(): Position {
    const rowid = this.#headRowid();
    return rowid === 0 ? START : toPosition(rowid);
  }

  readStream(stream: string, from: Revision = 0, limit = Infinity): RecordedEvent[] {
    const id = this.#streamId.get(stream)?.id as number | undefined;
    if (id === undefined) return [];
    return this.#readRows(id, from, Number.isFinite(limit) ? limit : -1).map((row) =>
      decodeRow(row, stream, this.upcast),
    );
  }

  readEvent(stream: string, revision: Revision): RecordedEvent | undefined {
    const event = this.readStream(stream, revision, 1)[0];
    return event?.revision === revision ? event : undefined;
  }

  readAll(after: Position, { prefixes, limit, maxBytes = Infinity, bodies = true }: ReadAllOptions): RecordedEvent[] {
    const batch: RecordedEvent[] = [];
    if (limit <= 0) return batch;
    let bytes = 0;
    // All categories are read up to the same head: what is appended meanwhile belongs to the next call.
    for (const rowid of this.#scan.rowids(toRowid(after), this.#headRowid(), prefixes)) {
      const event = this.#readRow(rowid, bodies, batch.length > 0);
      if (event === 'damaged') break;
      if (event === 'gone') continue;
      batch.push(event);
      bytes += event.body?.byteLength ?? 0;
      if (batch.length >= limit || bytes >= maxBytes) break;
    }
    return batch;
  }

  #readRows(stream: number, from: Revision, limit: number): EventRow[] {
    try {
      return this.#byRevision.all(stream, from, limit) as EventRow[];
    } catch (error) {
      this.#throwFirstDamaged(this.#places.all(stream, from, limit) as EventPlace[], error);
      throw error; // perhaps a broken index: then nothing tells what to go on with
    }
  }

  /** `all` does not tell what kind of error it met; `get` does. Returns where none of these is on a broken page. */
  #throwFirstDamaged(places: readonly EventPlace[], cause: unknown): void {
    for (const { position, revision } of places) {
      try {
        this.#whole.get(position);
      } catch (error) {
        if (isCorrupt(error)) throw new DamagedEvent(toPosition(position), UNREADABLE_PAGES, { cause, revision });
        throw error;
      }
    }
  }

  /** `gone`: truncated since the index was read. `damaged` instead of an error where events stand before it. */
  #readRow(rowid: number, bodies: boolean, spare: boolean): RecordedEvent | 'gone' | 'damaged' {
    try {
      const row = (bodies ? this.#whole : this.#header).get(rowid) as EventRow | undefined;
      return row === undefined ? 'gone' : decodeRow(row, this.#scan.streamName(row.stream), this.upcast);
    } catch (error) {
      if (spare) return 'damaged';
      throw isCorrupt(error) ? new DamagedEvent(toPosition(rowid), UNREADABLE_PAGES, { cause: error }) : error;
    }
  }

  #headRowid(): number {
    return (this.#head.get()?.position as number | null) ?? 0;
  }
}

type EventPlace = Pick<EventRow, 'position' | 'revision'>;
const UNREADABLE_PAGES = 'its pages cannot be read';
const SQLITE_CORRUPT = 11;

/** SQLite's own verdict on a broken page; the low byte of an extended code is the code. */
function isCorrupt(error: unknown): boolean {
  return (
    !isDamagedEvent(error) &&
    error instanceof Error &&
    'errcode' in error &&
    typeof error.errcode === 'number' &&
    (error.errcode & 0xff) === SQLITE_CORRUPT
  );
}

/**
 * A reader of the log in `dir` with a connection of its own, for threads that may wait for the disk (projector, reader,
 * rebuild): it reads in the thread that calls. The connection opens at first use.
 */
export function openEventReader(dir: string, feed: LiveFeed, upcast: Upcast = upcastToNewest): EventReader {
  return new SqliteEventReader(toEventLogPath(dir), feed, upcast);
}

class SqliteEventReader implements EventReader {
  #database: Connection | undefined;
  #reading: EventLogReader | undefined;
  #closed = false;

  constructor(
    private readonly file: string,
    private readonly feed: LiveFeed,
    private readonly upcast: Upcast,
  ) {}

  async readStream(stream: string, from?: Revision, limit?: number): Promise<RecordedEvent[]> {
    return this.#read((log) => log.readStream(stream, from, limit));
  }

  async readAll(after: Position, options: ReadAllOptions): Promise<RecordedEvent[]> {
    return this.#read((log) => log.readAll(after, options));
  }

  async readEvent(stream: string, revision: Revision): Promise<RecordedEvent | undefined> {
    return this.#read((log) => log.readEvent(stream, revision));
  }

  async head(): Promise<Position> {
    return this.#read((log) => log.head());
  }

  subscribe(after: Position, options: ReadAllOptions, signal: AbortSignal): AsyncIterable<RecordedEvent[]> {
    return subscribeByPolling(this, this.feed.hints, after, options, signal);
  }

  async check(): Promise<Health> {
    try {
      await this.head();
      return { ok: true };
    } catch (error) {
      return { ok: false, reason: (error as Error).message };
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#reading = undefined;
    this.#database?.close();
    this.#database = undefined;
  }

  #read<T>(work: (log: EventLogReader) => T): T {
    if (this.#closed) throw new HindsightError('unavailable', 'The event reader is closed');
    try {
      return work((this.#reading ??= this.#open()));
    } catch (error) {
      if (isDamagedEvent(error)) throw error;
      throw new HindsightError('unavailable', `The event log cannot be read: ${(error as Error).message}`, [], {
        cause: error,
      });
    }
  }

  #open(): EventLogReader {
    this.#database ??= openReaderConnection(this.file);
    return new EventLogReader(this.#database, this.upcast);
  }
}
