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
 * Synchronous reads on one connection in the calling thread. Each statement is its own short transaction: a long one
 * would prevent the WAL from restarting.
 */
export class EventLogReader {
  readonly #scan: CategoryIndexScan;
  readonly #withBody;
  readonly #withoutBody;
  readonly #byRevision;
  readonly #eventPlaces;
  readonly #streamId;
  readonly #head;

  constructor(
    database: Connection,
    private readonly upcast: Upcast,
  ) {
    this.#scan = new CategoryIndexScan(database);
    this.#withBody = database.prepare(`SELECT ${HEADER_COLUMNS}, body FROM events WHERE position = ?`);
    this.#withoutBody = database.prepare(`SELECT ${HEADER_COLUMNS} FROM events WHERE position = ?`);
    this.#byRevision = database.prepare(
      `SELECT ${HEADER_COLUMNS}, body FROM events WHERE stream = ? AND revision >= ? ORDER BY revision LIMIT ?`,
    );
    // Covered by the index.
    this.#eventPlaces = database.prepare(
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
    // All categories are read up to the same head; events appended meanwhile belong to the next batch.
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
      this.#throwFirstDamaged(this.#eventPlaces.all(stream, from, limit) as EventPlace[], error);
      throw error; // perhaps a damaged index: then the position to continue from is unknown
    }
  }

  /**
   * Errors of `all` carry no error code, those of `get` do. Returns normally if none of these events is on a damaged
   * page.
   */
  #throwFirstDamaged(places: readonly EventPlace[], cause: unknown): void {
    for (const { position, revision } of places) {
      try {
        this.#withBody.get(position);
      } catch (error) {
        if (isCorrupt(error)) throw new DamagedEvent(toPosition(position), UNREADABLE_PAGES, { cause, revision });
        throw error;
      }
    }
  }

  /**
   * `gone`: truncated since the index was read. With `hasEarlierEvents`, returns `damaged` instead of throwing, so that
   * the events before it are returned first.
   */
  #readRow(rowid: number, bodies: boolean, hasEarlierEvents: boolean): RecordedEvent | 'gone' | 'damaged' {
    try {
      const row = (bodies ? this.#withBody : this.#withoutBody).get(rowid) as EventRow | undefined;
      if (row !== undefined) return decodeRow(row, this.#scan.streamName(row.stream), this.upcast);
      if (!this.#scan.has(rowid)) return 'gone';
      throw new DamagedEvent(toPosition(rowid), 'only an index names it');
    } catch (error) {
      if (hasEarlierEvents) return 'damaged';
      throw isCorrupt(error) ? new DamagedEvent(toPosition(rowid), UNREADABLE_PAGES, { cause: error }) : error;
    }
  }

  #headRowid(): number {
    return (this.#head.get()?.position as number | null) ?? 0;
  }
}

type EventPlace = Pick<EventRow, 'position' | 'revision'>;
export const UNREADABLE_PAGES = 'its pages cannot be read';
const SQLITE_CORRUPT = 11;

/** Whether SQLite reported a damaged page. The low byte of an extended error code is the primary code. */
export function isCorrupt(error: unknown): boolean {
  return (
    !isDamagedEvent(error) &&
    error instanceof Error &&
    'errcode' in error &&
    typeof error.errcode === 'number' &&
    (error.errcode & 0xff) === SQLITE_CORRUPT
  );
}

/**
 * Opens a reader of the log in `dir` with its own connection, for threads that may block on disk I/O (projector,
 * reader, rebuild): it reads in the calling thread. The connection opens at first use.
 */
export function openEventReader(dir: string, feed: LiveFeed, upcast: Upcast = upcastToNewest): EventReader {
  return new SqliteEventReader(toEventLogPath(dir), feed, upcast);
}

class SqliteEventReader implements EventReader {
  #database: Connection | undefined;
  #reader: EventLogReader | undefined;
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
    this.#reader = undefined;
    this.#database?.close();
    this.#database = undefined;
  }

  #read<T>(work: (log: EventLogReader) => T): T {
    if (this.#closed) throw new HindsightError('unavailable', 'The event reader is closed');
    try {
      return work((this.#reader ??= this.#open()));
    } catch (error) {
      if (isDamagedEvent(error)) throw error;
      throw new HindsightError('unavailable', `Cannot read the event log: ${(error as Error).message}`, [], {
        cause: error,
      });
    }
  }

  #open(): EventLogReader {
    this.#database ??= openReaderConnection(this.file);
    return new EventLogReader(this.#database, this.upcast);
  }
}
