import { DamagedEvent } from '../../damaged-event.js';
import { type Position, type ReadAllOptions, type RecordedEvent, type Revision, START } from '../../event-store.js';
import type { Upcast } from '../../events/event-registry.js';
import { hasPrefix } from '../../stream-names.js';
import { CategoryIndexScan } from './category-index-scan.js';
import { isUnreadablePage } from './disk-errors.js';
import type { Connection } from './event-log-connection.js';
import { decodeRow, type EventRow, HEADER_COLUMNS, toPosition, toRowid } from './event-row-format.js';
import { LogHead } from './log-head.js';
import { type StreamRow, StreamSearch } from './stream-search.js';
import { LOST, ONLY_INDEXED, toUnreadableEvent } from './unreadable-event.js';

/**
 * Synchronous reads on one connection in the calling thread. Each statement is its own short transaction: a long one
 * would prevent the WAL from restarting. Events that cannot be read are reported as `DamagedEvent`; damage of an index
 * hides none, because what it lacks is searched in the table.
 */
export class EventLogReader {
  readonly #scan: CategoryIndexScan;
  readonly #head: LogHead;
  readonly #search: StreamSearch;
  readonly #withBody;
  readonly #withoutBody;
  readonly #byRevision;
  readonly #stream;

  constructor(
    database: Connection,
    private readonly upcast: Upcast,
  ) {
    this.#scan = new CategoryIndexScan(database);
    this.#head = new LogHead(database);
    this.#search = new StreamSearch(database, this.#scan, this.#head);
    this.#withBody = database.prepare(`SELECT ${HEADER_COLUMNS}, body FROM events WHERE position = ?`);
    this.#withoutBody = database.prepare(`SELECT ${HEADER_COLUMNS} FROM events WHERE position = ?`);
    this.#byRevision = database.prepare(
      `SELECT ${HEADER_COLUMNS}, body FROM events WHERE stream = ? AND revision >= ? ORDER BY revision LIMIT ?`,
    );
    this.#stream = database.prepare('SELECT id, category, next_revision AS floor FROM streams WHERE name = ?');
  }

  head(): Position {
    const rowid = this.#head.rowid();
    return rowid === 0 ? START : toPosition(rowid);
  }

  readStream(name: string, from: Revision = 0, limit = Infinity): RecordedEvent[] {
    const stream = this.#findStream(name);
    if (stream === undefined) return [];
    const rows = this.#readIndexedRows(stream, from, limit) ?? this.#searchRows(stream, from, limit);
    return rows.map((row) => decodeRow(row, name, this.upcast));
  }

  /** Undefined if the stream never had the event, or retention has deleted it. */
  readEvent(name: string, revision: Revision): RecordedEvent | undefined {
    const event = this.readStream(name, revision, 1)[0];
    return event?.revision === revision ? event : this.#searchEvent(name, revision);
  }

  readAll(after: Position, { prefixes, limit, maxBytes = Infinity, bodies = true }: ReadAllOptions): RecordedEvent[] {
    const batch: RecordedEvent[] = [];
    if (limit <= 0) return batch;
    let bytes = 0;
    // All categories are read up to the same head; events appended meanwhile belong to the next batch.
    for (const rowid of this.#scan.rowids(toRowid(after), this.#head.rowid(), prefixes)) {
      const event = this.#readEventAt(rowid, bodies, batch.length > 0);
      if (event === 'damaged') break;
      if (event === 'gone' || !hasPrefix(event.stream, prefixes ?? [])) continue;
      batch.push(event);
      bytes += event.body?.byteLength ?? 0;
      if (batch.length >= limit || bytes >= maxBytes) break;
    }
    return batch;
  }

  #findStream(name: string): StreamRow | undefined {
    return this.#stream.get(name) as StreamRow | undefined;
  }

  /** Undefined if the index by stream is damaged, or lacks an event that the table has. */
  #readIndexedRows(stream: StreamRow, from: Revision, limit: number): EventRow[] | undefined {
    try {
      const rows = this.#byRevision.all(stream.id, from, Number.isFinite(limit) ? limit : -1) as EventRow[];
      return this.#hasLostEntry(stream, from, rows) ? undefined : rows;
    } catch (error) {
      if (!isUnreadablePage(error)) throw error;
      return undefined;
    }
  }

  /** Whether a revision is missing between these rows, or before them, that the table has. */
  #hasLostEntry(stream: StreamRow, from: Revision, rows: readonly EventRow[]): boolean {
    let expected = Math.max(from, stream.floor);
    for (const { revision } of rows) {
      if (revision > expected && this.#search.find(stream, expected).kind === 'found') return true;
      expected = revision + 1;
    }
    return false;
  }

  /** Throws `DamagedEvent` for the first row that cannot be read. */
  #searchRows(stream: StreamRow, from: Revision, limit: number): EventRow[] {
    const rows: EventRow[] = [];
    let expected = Math.max(from, stream.floor);
    for (const { position } of this.#search.placesFrom(stream, from)) {
      if (rows.length >= limit) break;
      const row = this.#readRow(position, true, expected);
      if (row === undefined && this.#isIndexed(position))
        throw new DamagedEvent(toPosition(position), ONLY_INDEXED, { revision: expected });
      if (row?.stream !== stream.id || row.revision < from) continue;
      rows.push(row);
      expected = row.revision + 1;
    }
    return rows;
  }

  /** For a revision that is not in the index by stream. */
  #searchEvent(name: string, revision: Revision): RecordedEvent | undefined {
    const stream = this.#findStream(name);
    if (stream === undefined || revision < stream.floor) return undefined;
    const found = this.#search.find(stream, revision);
    if (found.kind === 'absent') return undefined;
    const row = this.#readRow(found.position, true, revision);
    if (row?.stream === stream.id && row.revision === revision) return decodeRow(row, name, this.upcast);
    // Retention may have deleted it meanwhile.
    if (revision < this.#findStream(name)!.floor) return undefined;
    throw new DamagedEvent(toPosition(found.position), LOST, { revision });
  }

  /**
   * `gone`: truncated since the index was read. With `hasEarlierEvents`, returns `damaged` instead of throwing, so that
   * the events before it are returned first.
   */
  #readEventAt(rowid: number, bodies: boolean, hasEarlierEvents: boolean): RecordedEvent | 'gone' | 'damaged' {
    try {
      const row = this.#readRow(rowid, bodies);
      if (row !== undefined) return decodeRow(row, this.#scan.streamName(row.stream), this.upcast);
      if (!this.#isIndexed(rowid)) return 'gone';
      throw new DamagedEvent(toPosition(rowid), ONLY_INDEXED);
    } catch (error) {
      if (hasEarlierEvents) return 'damaged';
      throw error;
    }
  }

  /** Throws `DamagedEvent`, with `revision` if it is known, for a row that cannot be read. */
  #readRow(rowid: number, bodies: boolean, revision?: Revision): EventRow | undefined {
    try {
      return (bodies ? this.#withBody : this.#withoutBody).get(rowid) as EventRow | undefined;
    } catch (error) {
      throw toUnreadableEvent(rowid, error, revision);
    }
  }

  /** Of a damaged index, false: then nothing names the event. */
  #isIndexed(rowid: number): boolean {
    try {
      return this.#scan.has(rowid);
    } catch (error) {
      if (!isUnreadablePage(error)) throw error;
      return false;
    }
  }
}
