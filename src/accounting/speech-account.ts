import { utcMonth } from './utc-calendar.js';
import { isReservationCounted, RESERVATION_RETENTION_MS, type Reservation } from './usage-limits.js';

export interface SpeechReservation extends Reservation {
  readonly userId: string;
  readonly kind: 'synthesis' | 'recognition';
  /** Duration of the audio in whole milliseconds: sums of fractions would depend on their order. */
  readonly ms: number;
}

/**
 * Audio of one Grid: the fold of its speech stream. Plain data: individual reservations for RESERVATION_RETENTION_MS,
 * then a sum.
 */
export interface SpeechAccount {
  readonly recent: readonly SpeechReservation[];
  /** The newest UTC month with audio that is no longer in `recent`; "" before there is one. */
  readonly month: string;
  /** Milliseconds of that audio in that month. */
  readonly ms: number;
}

export const NEW_SPEECH_ACCOUNT: SpeechAccount = { recent: [], month: '', ms: 0 };

/** Milliseconds of audio in the UTC month of `nowMs`. Audio belongs to the month of its reservation. */
export function usedSpeechMs({ recent, month, ms }: SpeechAccount, nowMs: number): number {
  const thisMonth = utcMonth(nowMs);
  const counted = recent.filter(
    (speech) => isReservationCounted(speech, nowMs) && utcMonth(speech.reservedAt) === thisMonth,
  );
  return counted.reduce((sum, speech) => sum + speech.ms, month === thisMonth ? ms : 0);
}

/** Converts seconds to whole milliseconds, the unit of the account. */
export function toSpeechMs(seconds: number): number {
  return Math.round(seconds * 1000);
}

/** Converts seconds to minutes for display, rounded to 4 decimals (the last one is 6 ms). */
export function toSpeechMinutes(seconds: number): number {
  return Number((seconds / 60).toFixed(4));
}

export function reserveSpeech(
  account: SpeechAccount,
  reserved: Omit<SpeechReservation, 'reservedAt' | 'isSettled'>,
  nowMs: number,
): SpeechAccount {
  const { recent, ...rest } = compactSpeechAccount(account, nowMs);
  const { id, userId, kind, ms } = reserved;
  return { ...rest, recent: [...recent, { id, userId, kind, ms, reservedAt: nowMs, isSettled: false }] };
}

/**
 * Settles audio that was produced; counts even if the reservation had expired. Changes nothing if the account does not
 * contain it.
 */
export function settleSpeech(account: SpeechAccount, id: string, nowMs: number): SpeechAccount {
  return compactSpeechAccount(
    {
      ...account,
      recent: account.recent.map((speech) => (speech.id === id ? { ...speech, isSettled: true } : speech)),
    },
    nowMs,
  );
}

/** Removes the audio as if it had never been reserved. */
export function refundSpeech(account: SpeechAccount, id: string, nowMs: number): SpeechAccount {
  return compactSpeechAccount({ ...account, recent: account.recent.filter((speech) => speech.id !== id) }, nowMs);
}

/** Aggregates reservations that are too old to change. */
function compactSpeechAccount(account: SpeechAccount, nowMs: number): SpeechAccount {
  const isOld = ({ reservedAt }: SpeechReservation): boolean => nowMs - reservedAt >= RESERVATION_RETENTION_MS;
  if (!account.recent.some(isOld)) return account;
  const old = account.recent.filter((speech) => isOld(speech) && speech.isSettled);
  return old.reduce(addToMonthlySpeech, { ...account, recent: account.recent.filter((speech) => !isOld(speech)) });
}

function addToMonthlySpeech(account: SpeechAccount, { reservedAt, ms }: SpeechReservation): SpeechAccount {
  const month = utcMonth(reservedAt);
  if (month < account.month) return account;
  return { ...account, month, ms: ms + (month === account.month ? account.ms : 0) };
}
