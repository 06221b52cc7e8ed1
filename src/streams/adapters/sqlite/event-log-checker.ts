import { isDamagedEvent } from '../../damaged-event.js';
import type { Position } from '../../event-store.js';
import { upcastToNewest } from '../../events/event-registry.js';
import type { CheckedSlice, Damage } from '../../log-checker.js';
import { CategoryIndexScan } from './category-index-scan.js';
import { isUnreadablePage } from './disk-errors.js';
import { type Connection, openReaderConnection } from './event-log-connection.js';
import { decodeRow, type EventRow, HEADER_COLUMNS, toPosition, toRowid } from './event-row-format.js';
import { LogHead } from './log-head.js';
import { ONLY_INDEXED, UNREADABLE_PAGES } from './unreadable-event.js';

/** Limits of one slice: it takes milliseconds. A single larger event is still checked. */
const MAX_EVENTS = 128;
const MAX_BYTES = 512 * 1024;

/**
 * Opens a connection without a cache of its own, which would hide damage that came after it read a page. The operating
 * system may still answer from its cache.
 */
export function openLogChecker(file: string): { checker: EventLogChecker; connection: Connection } {
  const connection = openReaderConnection(file);
  connection.exec('PRAGMA cache_size = 0');
  return { checker: new EventLogChecker(connection), connection };
}

/** The range that a check has read, and the damage found in it, if any. */
type CheckedEvent = { readonly bytes: number } & Partial<Omit<Damage, 'position'>>;

/**
 * Checks events against their checksums, and the table against both of its indexes: an event that one of them lacks
 * would be skipped by readers without notice. Positions come from the table and from an index, so that damage to one of
 * them hides nothing that the other still names.
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
    this.#head = new LogHead(database);
  }

  checkAfter(after: Position): CheckedSlice {
    const positions = this.#listPositions(toRowid(after));
    const damaged: Damage[] = [];
    let [bytes, reached] = [0, 0];
    for (const rowid of positions) {
      const { bytes: read, ...fault } = this.#check(rowid);
      if (isDamage(fault)) damaged.push({ position: toPosition(rowid), ...fault });
      bytes += read;
      reached = rowid;
      if (bytes >= MAX_BYTES) break;
    }
    return { ...(reached > 0 && { reached: toPosition(reached) }), bytes, damaged };
  }

  /** Ascending. The first ones after `after`, of those that the table or the category index names. */
  #listPositions(after: number): number[] {
    const head = this.#head.rowid();
    const indexed = this.#listIndexed(after, head);
    const stored = this.#listStored(after, head);
    const lists = stored === undefined ? [indexed] : [indexed, stored];
    // Of a full list, nothing is known beyond its end.
    const end = Math.min(...lists.map((list) => (list.length < MAX_EVENTS ? head : list[list.length - 1])));
    return [...new Set(lists.flat())].filter((rowid) => rowid <= end).sort((a, b) => a - b);
  }

  #listIndexed(after: number, head: number): number[] {
    const rowids: number[] = [];
    for (const rowid of this.#scan.rowids(after, head)) if (rowids.push(rowid) === MAX_EVENTS) break;
    return rowids;
  }

  /** Undefined if pages of the table cannot be read. */
  #listStored(after: number, head: number): number[] | undefined {
    try {
      return (this.#stored.all(after, head, MAX_EVENTS) as { position: number }[]).map(({ position }) => position);
    } catch (error) {
      if (!isUnreadablePage(error)) throw error;
      return undefined;
    }
  }

  /** An event that retention deletes meanwhile is not damaged. */
  #check(rowid: number): CheckedEvent {
    try {
      const row = this.#event.get(rowid) as EventRow | undefined;
      if (row === undefined) return { bytes: 0, ...(this.#scan.has(rowid) && { reason: ONLY_INDEXED }) };
      const { body } = decodeRow(row, this.#scan.streamName(row.stream), upcastToNewest);
      const reason = this.#findIndexDamage(row);
      const bytes = row.data.length + (body?.byteLength ?? 0);
      return reason === undefined ? { bytes } : { bytes, reason, isIndexOnly: true };
    } catch (error) {
      if (isDamagedEvent(error)) return { bytes: 0, reason: error.reason };
      if (isUnreadablePage(error)) return { bytes: 0, reason: UNREADABLE_PAGES };
      throw error;
    }
  }

  #findIndexDamage({ position, stream, revision }: EventRow): string | undefined {
    const faults = [
      ...findFault('category', () => this.#scan.has(position, stream)),
      ...findFault('stream', () => this.#placed.get(stream, revision)?.position === position),
    ];
    if (faults.length === 0 || this.#event.get(position) === undefined) return undefined;
    return faults.join(', ');
  }
}

function isDamage(fault: Partial<Omit<Damage, 'position'>>): fault is Omit<Damage, 'position'> {
  return fault.reason !== undefined;
}

/** What is wrong with the entry of an intact event in an index, if anything. */
function findFault(index: string, hasEntry: () => boolean): string[] {
  try {
    return hasEntry() ? [] : [`the index by ${index} lacks it, so readers may miss it`];
  } catch (error) {
    if (!isUnreadablePage(error)) throw error;
    return [`the index by ${index} cannot be read there, so readers search the table`];
  }
}
