import { isDamagedEvent } from '../../damaged-event.js';
import type { Position } from '../../event-store.js';
import { upcastToNewest } from '../../events/event-registry.js';
import type { CheckedSlice, Damage } from '../../log-checker.js';
import { CategoryIndexScan } from './category-index-scan.js';
import { type Connection, openReaderConnection } from './event-log-connection.js';
import { isCorrupt, UNREADABLE_PAGES } from './event-log-reader.js';
import { decodeRow, type EventRow, HEADER_COLUMNS, toPosition, toRowid } from './event-row-format.js';

/** Limits of one slice: it takes milliseconds. A single larger event is still checked. */
const MAX_EVENTS = 128;
const MAX_BYTES = 512 * 1024;

/** Opens a connection that reads every page from the file, because a cached page would hide damage of the file. */
export function openLogChecker(file: string): { checker: EventLogChecker; connection: Connection } {
  const connection = openReaderConnection(file);
  connection.exec('PRAGMA cache_size = 0');
  return { checker: new EventLogChecker(connection), connection };
}

/**
 * Checks events against their checksums, and the table against both of its indexes: an event that one of them lacks would
 * be skipped by readers without notice. Positions come from the table and from an index, so that damage to one of them
 * hides nothing that the other still names.
 */
export class EventLogChecker {
  readonly #scan;
  readonly #event;
  readonly #stored;
  readonly #placed;
  readonly #head;

  constructor(database: Connection) {
    this.#scan = new CategoryIndexScan(database);
    this.#event = database.prepare(`SELECT ${HEADER_COLUMNS}, body FROM events WHERE position = ?`);
    this.#stored = database.prepare(
      'SELECT position FROM events WHERE position > ? AND position <= ? ORDER BY position LIMIT ?',
    );
    this.#placed = database.prepare(
      'SELECT position FROM events INDEXED BY events_by_stream WHERE stream = ? AND revision = ?',
    );
    this.#head = database.prepare('SELECT max(position) AS position FROM events');
  }

  checkAfter(after: Position): CheckedSlice {
    const positions = this.#listPositions(toRowid(after));
    const damaged: Damage[] = [];
    let [bytes, reached] = [0, 0];
    for (const rowid of positions) {
      const checked = this.#check(rowid);
      if (checked.reason !== undefined) damaged.push({ position: toPosition(rowid), reason: checked.reason });
      bytes += checked.bytes;
      reached = rowid;
      if (bytes >= MAX_BYTES) break;
    }
    return { ...(reached > 0 && { reached: toPosition(reached) }), bytes, damaged };
  }

  /** Ascending. Throws only if neither the table nor the index can be read. */
  #listPositions(after: number): number[] {
    const head = (this.#head.get()?.position as number | null) ?? 0;
    const lists = [this.#listIndexed(after, head), this.#listStored(after, head)];
    const readable = lists.filter((list) => Array.isArray(list));
    if (readable.length === 0) throw lists[0] as Error;
    // Of a full list, nothing is known beyond its end.
    const end = Math.min(...readable.map((list) => (list.length < MAX_EVENTS ? head : list[list.length - 1])));
    return [...new Set(readable.flat())].filter((rowid) => rowid <= end).sort((a, b) => a - b);
  }

  #listIndexed(after: number, head: number): number[] | Error {
    const rowids: number[] = [];
    try {
      for (const rowid of this.#scan.rowids(after, head)) if (rowids.push(rowid) === MAX_EVENTS) break;
      return rowids;
    } catch (error) {
      return error as Error;
    }
  }

  #listStored(after: number, head: number): number[] | Error {
    try {
      return (this.#stored.all(after, head, MAX_EVENTS) as { position: number }[]).map(({ position }) => position);
    } catch (error) {
      return error as Error;
    }
  }

  /** `reason`: what is damaged. An event that retention deletes meanwhile is not. */
  #check(rowid: number): { readonly bytes: number; readonly reason?: string } {
    try {
      const row = this.#event.get(rowid) as EventRow | undefined;
      if (row === undefined) return { bytes: 0, ...(this.#scan.has(rowid) && { reason: 'only an index names it' }) };
      const { body } = decodeRow(row, this.#scan.streamName(row.stream), upcastToNewest);
      const reason = this.#findIndexDamage(row);
      return { bytes: row.data.length + (body?.byteLength ?? 0), ...(reason !== undefined && { reason }) };
    } catch (error) {
      if (isDamagedEvent(error)) return { bytes: 0, reason: error.reason };
      if (isCorrupt(error)) return { bytes: 0, reason: UNREADABLE_PAGES };
      throw error;
    }
  }

  #findIndexDamage({ position, stream, revision }: EventRow): string | undefined {
    const lacking = [
      ...(this.#scan.has(position) ? [] : ['category']),
      ...(this.#placed.get(stream, revision)?.position === position ? [] : ['stream']),
    ];
    if (lacking.length === 0 || this.#event.get(position) === undefined) return undefined;
    return `the index by ${lacking.join(' and by ')} lacks it, so that readers miss it`;
  }
}
