import { DamagedEvent, isDamagedEvent } from '../../damaged-event.js';
import { START } from '../../event-store.js';
import type { Position, ReadAllOptions, RecordedEvent, Revision } from '../../event-store.js';
import type { Upcast } from '../../events/registry.js';
import type { Connection } from './connection.js';
import { eventOf, HEADER_COLUMNS } from './event-rows.js';
import type { EventRow } from './event-rows.js';
import { toPosition, toRowid } from './positions.js';
import { Scan } from './scan.js';

/**
 * The reading half of the port on one connection, in the thread that calls.
 * Each statement is a transaction of its own, and short: a long one would keep the WAL from starting over.
 */
export class LogReading {
  readonly #scan: Scan;
  readonly #whole;
  readonly #header;
  readonly #byRevision;
  readonly #places;
  readonly #streamId;
  readonly #head;

  constructor(database: Connection, private readonly upcast: Upcast) {
    this.#scan = new Scan(database);
    this.#whole = database.prepare(`SELECT ${HEADER_COLUMNS}, body FROM events WHERE position = ?`);
    this.#header = database.prepare(`SELECT ${HEADER_COLUMNS} FROM events WHERE position = ?`);
    this.#byRevision = database.prepare(
      `SELECT ${HEADER_COLUMNS}, body FROM events WHERE stream = ? AND revision >= ? ORDER BY revision LIMIT ?`);
    // Answered by the index alone.
    this.#places = database.prepare('SELECT position, revision FROM events WHERE stream = ? AND revision >= ? ORDER BY revision LIMIT ?');
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
    return this.#rows(id, from, Number.isFinite(limit) ? limit : -1).map((row) => eventOf(row, stream, this.upcast));
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
      const event = this.#next(rowid, bodies, batch.length > 0);
      if (event === 'damaged') break;
      if (event === 'gone') continue;
      batch.push(event);
      bytes += event.body?.byteLength ?? 0;
      if (batch.length >= limit || bytes >= maxBytes) break;
    }
    return batch;
  }

  #rows(stream: number, from: Revision, limit: number): EventRow[] {
    try {
      return this.#byRevision.all(stream, from, limit) as EventRow[];
    } catch (error) {
      this.#throwFirstBroken(this.#places.all(stream, from, limit) as Place[], error);
      throw error; // perhaps a broken index: then nothing tells what to go on with
    }
  }

  /** `all` does not tell what kind of error it met; `get` does. Returns where none of these is on a broken page. */
  #throwFirstBroken(places: readonly Place[], cause: unknown): void {
    for (const { position, revision } of places) {
      try {
        this.#whole.get(position);
      } catch (error) {
        if (isCorrupt(error)) throw new DamagedEvent(toPosition(position), BROKEN, { cause, revision });
        throw error;
      }
    }
  }

  /** `gone`: truncated since the index was read. `damaged` instead of an error where events stand before it. */
  #next(rowid: number, bodies: boolean, spare: boolean): RecordedEvent | 'gone' | 'damaged' {
    try {
      const row = (bodies ? this.#whole : this.#header).get(rowid) as EventRow | undefined;
      return row === undefined ? 'gone' : eventOf(row, this.#scan.nameOf(row.stream), this.upcast);
    } catch (error) {
      if (spare) return 'damaged';
      throw isCorrupt(error) ? new DamagedEvent(toPosition(rowid), BROKEN, { cause: error }) : error;
    }
  }

  #headRowid(): number {
    return (this.#head.get()?.position as number | null) ?? 0;
  }
}

type Place = Pick<EventRow, 'position' | 'revision'>;

const BROKEN = 'its pages cannot be read';
const SQLITE_CORRUPT = 11;

/** SQLite's own verdict on a broken page; the low byte of an extended code is the code. */
function isCorrupt(error: unknown): boolean {
  return !isDamagedEvent(error) && error instanceof Error && 'errcode' in error
    && typeof error.errcode === 'number' && (error.errcode & 0xff) === SQLITE_CORRUPT;
}
