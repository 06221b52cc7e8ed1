import type { Position } from '../../event-store.js';

/** 16 hex digits of the rowid, so that the order of strings is the order of the log. */
export function toPosition(rowid: number): Position {
  return rowid.toString(16).padStart(16, '0') as Position;
}

/** START becomes 0, which is before every rowid. */
export function toRowid(position: Position): number {
  return position === '' ? 0 : Number.parseInt(position, 16);
}
