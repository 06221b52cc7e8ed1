import { DamagedEvent, isDamagedEvent } from '../../damaged-event.js';
import type { Revision } from '../../event-store.js';
import { isUnreadablePage } from './disk-errors.js';
import { toPosition } from './event-row-format.js';

/** Reasons why an event cannot be read. */
export const ONLY_INDEXED = 'only an index names it';
export const LOST = 'neither the table nor an index has it any more, and the position is an estimate';
export const UNREADABLE_PAGES = 'its pages cannot be read';

/** The `DamagedEvent` of a row that SQLite cannot read; any other error as it is. */
export function toUnreadableEvent(rowid: number, error: unknown, revision: Revision | undefined): unknown {
  if (isDamagedEvent(error) || !isUnreadablePage(error)) return error;
  return new DamagedEvent(toPosition(rowid), UNREADABLE_PAGES, { cause: error, revision, isUnreadable: true });
}
