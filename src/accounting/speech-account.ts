import { utcMonth } from './utc-calendar.js';
import { isReservationCounted, RESERVATION_RETENTION_MS, type Reservation } from './usage-limits.js';

export interface SpeechReservation extends Reservation {
  readonly userId: string;
  readonly kind: 'synthesis' | 'recognition';
  /** Length of the audio. Whole milliseconds: sums of seconds would depend on their order. */
  readonly ms: number;
}

/** Audio of one Grid: what the events of its speech stream add up to. Plain data; single reservations for REMEMBERED_MS, then a sum. */
export interface SpeechAccount {
  readonly recent: readonly SpeechReservation[];
  /** The newest UTC month that has audio which is no longer in `recent`; "" before there is one. */
  readonly month: string;
  /** That audio of that month. */
  readonly ms: number;
}

export const NEW_SPEECH_ACCOUNT: SpeechAccount = { recent: [], month: '', ms: 0 };

/** Milliseconds of audio in the UTC month of the moment; the month of a piece is that of its reservation. */
export function usedSpeechMs({ recent, month, ms }: SpeechAccount, nowMs: number): number {
  const thisMonth = utcMonth(nowMs);
  const counted = recent.filter(
    (speech) => isReservationCounted(speech, nowMs) && utcMonth(speech.reservedAt) === thisMonth,
  );
  return counted.reduce((sum, speech) => sum + speech.ms, month === thisMonth ? ms : 0);
}

/** Whole milliseconds, in which audio is counted. */
export function toSpeechMs(seconds: number): number {
  return Math.round(seconds * 1000);
}

/** Minutes as they are told: to 4 decimals, of which the last is 6 ms. */
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

/** The audio was made or understood; it counts also where the reservation had lapsed. Changes nothing where the account does not know it. */
export function settleSpeech(account: SpeechAccount, id: string, nowMs: number): SpeechAccount {
  return compactSpeechAccount(
    {
      ...account,
      recent: account.recent.map((speech) => (speech.id === id ? { ...speech, isSettled: true } : speech)),
    },
    nowMs,
  );
}

/** As if it had never been. */
export function refundSpeech(account: SpeechAccount, id: string, nowMs: number): SpeechAccount {
  return compactSpeechAccount({ ...account, recent: account.recent.filter((speech) => speech.id !== id) }, nowMs);
}

/** Adds up what is too old to change any more. */
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
