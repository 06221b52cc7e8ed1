import { RESERVATION_MS } from './limits.js';

/** Something that is taken before the work begins, so that no other work can take it, and settled when the work is done. */
export interface Reservation {
  readonly id: string;
  /** ms since 1970. */
  readonly reservedAt: number;
  readonly isSettled: boolean;
}

/**
 * For how long accounts know single reservations, so that they can be settled, however late. After that they are part of a
 * sum, or forgotten: accounts stay small for ever.
 */
export const REMEMBERED_MS = 10 * 60_000;

/** Whether it has to be counted: what was not settled in time has lapsed, as if it had never been. */
export function isCounted({ isSettled, reservedAt }: Reservation, nowMs: number): boolean {
  return isSettled || nowMs - reservedAt < RESERVATION_MS;
}

/** What can still be settled or refunded, or has been; undefined for all that is older than REMEMBERED_MS. */
export function reservationOf<Kind extends Reservation>(recent: readonly Kind[], id: string, nowMs: number): Kind | undefined {
  return recent.find((each) => each.id === id && nowMs - each.reservedAt < REMEMBERED_MS);
}
