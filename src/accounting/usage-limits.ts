/** What the assistant may be used for in a Grid (contract §5). */
export interface GridLimits {
  /** A user's prompts a UTC day; 0 switches the assistant off. */
  readonly dailyPromptLimit: number;
  /** Minutes of synthesised and recognised audio a UTC month. */
  readonly monthlySpeechMinutes: number;
  readonly maxConcurrentSessions: number;
}

/** Of a new Grid. */
export const INITIAL_LIMITS: GridLimits = {
  dailyPromptLimit: 100,
  monthlySpeechMinutes: 60,
  maxConcurrentSessions: 10,
};

/** Each limit is a whole number from 0 to this. */
export const MAX_LIMIT = 1_000_000;

/** A session that is not used ends by itself. */
export const SESSION_IDLE_MS = 30 * 60_000;

/** What is reserved and not settled comes back: a crash must not hold it. */
export const RESERVATION_TIMEOUT_MS = 2 * 60_000;

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
export const RESERVATION_RETENTION_MS = 10 * 60_000;

/** Whether it has to be counted: what was not settled in time has lapsed, as if it had never been. */
export function isReservationCounted({ isSettled, reservedAt }: Reservation, nowMs: number): boolean {
  return isSettled || nowMs - reservedAt < RESERVATION_TIMEOUT_MS;
}

/** What can still be settled or refunded, or has been; undefined for all that is older than REMEMBERED_MS. */
export function findReservation<Kind extends Reservation>(
  recent: readonly Kind[],
  id: string,
  nowMs: number,
): Kind | undefined {
  return recent.find((each) => each.id === id && nowMs - each.reservedAt < RESERVATION_RETENTION_MS);
}
