/** Limits of the assistant in a Grid (contract §5). */
export interface GridLimits {
  /** Prompts per user and UTC day; 0 disables the assistant. */
  readonly dailyPromptLimit: number;
  /** Minutes of synthesized and recognized audio per UTC month. */
  readonly monthlySpeechMinutes: number;
  readonly maxConcurrentSessions: number;
}

/** Limits of a new Grid. */
export const INITIAL_LIMITS: GridLimits = {
  dailyPromptLimit: 100,
  monthlySpeechMinutes: 60,
  maxConcurrentSessions: 10,
};

/** Maximum of each limit; limits are whole numbers of at least 0. */
export const MAX_LIMIT = 1_000_000;

/** A session without use for this time (ms) ends. */
export const SESSION_IDLE_MS = 30 * 60_000;

/** An unsettled reservation expires after this time (ms), so that a crash cannot hold it forever. */
export const RESERVATION_TIMEOUT_MS = 2 * 60_000;

/** An amount taken before the work starts, so that concurrent work cannot use it, and settled when the work is done. */
export interface Reservation {
  readonly id: string;
  /** ms since 1970. */
  readonly reservedAt: number;
  readonly isSettled: boolean;
}

/**
 * How long (ms) accounts keep individual reservations, so that they can be settled late. Afterwards they are aggregated
 * or dropped, which bounds the size of accounts.
 */
export const RESERVATION_RETENTION_MS = 10 * 60_000;

/** Whether the reservation counts: an unsettled one expires as if it had never existed. */
export function isReservationCounted({ isSettled, reservedAt }: Reservation, nowMs: number): boolean {
  return isSettled || nowMs - reservedAt < RESERVATION_TIMEOUT_MS;
}

/** The reservation if it can be settled or refunded, or was; undefined if it is older than RESERVATION_RETENTION_MS. */
export function findReservation<Kind extends Reservation>(
  recent: readonly Kind[],
  id: string,
  nowMs: number,
): Kind | undefined {
  return recent.find((each) => each.id === id && nowMs - each.reservedAt < RESERVATION_RETENTION_MS);
}
