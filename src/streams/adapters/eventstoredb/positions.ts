import { START } from '../../event-store.js';
import type { Position } from '../../event-store.js';

/** A place in `$all`, as EventStoreDB numbers it: decimal digits of unsigned 64-bit integers. */
export interface LogPosition {
  readonly commit: string;
  readonly prepare: string;
}

/** What servers before 22.6 give for a position that they do not know. */
const UNKNOWN = '18446744073709551615';

/**
 * Hex digits of fixed length, so that strings stand in the order of the log. The second half is there only where the two
 * differ: for events of explicit transactions, which nobody writes any more.
 */
export function positionOf({ commit, prepare }: LogPosition): Position {
  if (commit === UNKNOWN || prepare === UNKNOWN) {
    throw new Error('The server does not tell positions of events in streams: EventStoreDB 22.6 or newer is needed');
  }
  return (commit === prepare ? hex(commit) : `${hex(commit)}/${hex(prepare)}`) as Position;
}

/** Undefined for START. */
export function logPositionOf(position: Position): LogPosition | undefined {
  if (position === START) return undefined;
  const [commit, prepare = commit] = position.split('/');
  return { commit: decimal(commit), prepare: decimal(prepare) };
}

function hex(digits: string): string {
  return BigInt(digits).toString(16).padStart(16, '0');
}

function decimal(digits: string): string {
  return BigInt(`0x${digits}`).toString();
}
