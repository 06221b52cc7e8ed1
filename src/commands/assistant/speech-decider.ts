import { startOfNextMonth } from '../../accounting/utc-calendar.js';
import { isReservationCounted, findReservation } from '../../accounting/usage-limits.js';
import {
  NEW_SPEECH_ACCOUNT,
  refundSpeech,
  reserveSpeech,
  settleSpeech,
  toSpeechMs,
  usedSpeechMs,
  type SpeechAccount,
} from '../../accounting/speech-account.js';
import type { SpeechEvent, SpeechKind } from '../../streams/events/assistant-events.js';
import { reject, rejectUntil, type Decider, type Decision } from '../decider.js';
import { toFieldErrors, isWithin } from '../field-validation.js';

interface GridScopedCommand {
  readonly gridId: string;
  readonly speechId: string;
  /** ms since 1970. */
  readonly at: number;
}

interface ReserveSpeech extends GridScopedCommand {
  readonly type: 'ReserveSpeech';
  readonly userId: string;
  readonly kind: SpeechKind;
  /** Duration of the audio; counted in whole milliseconds. */
  readonly seconds: number;
  readonly monthlySpeechMinutes: number;
}

interface CloseSpeech extends GridScopedCommand {
  readonly type: 'SettleSpeech' | 'RefundSpeech';
}

export type SpeechCommand = ReserveSpeech | CloseSpeech;
const MINUTE_MS = 60_000;
const NO_CHANGE: readonly SpeechEvent[] = [];
const eventTypes: ReadonlySet<string> = new Set<SpeechEvent['type']>([
  'SpeechReserved.v1',
  'SpeechSettled.v1',
  'SpeechRefunded.v1',
]);

/** Audio synthesized and recognized by the assistant in one Grid. */
export const speechDecider: Decider<SpeechCommand, SpeechAccount, SpeechEvent> = {
  eventTypes,
  initialState: NEW_SPEECH_ACCOUNT,
  decide,
  evolve,
};

function decide(command: SpeechCommand, account: SpeechAccount): Decision<SpeechEvent> {
  switch (command.type) {
    case 'ReserveSpeech':
      return reserve(command, account);
    case 'SettleSpeech':
      return settle(command, account);
    case 'RefundSpeech':
      return refund(command, account);
    default:
      return throwUnknownCommand(command);
  }
}

function reserve(
  { gridId, userId, speechId, kind, seconds, monthlySpeechMinutes, at }: ReserveSpeech,
  account: SpeechAccount,
): Decision<SpeechEvent> {
  if (!isWithin(seconds, 0, Number.MAX_SAFE_INTEGER / 1000))
    return reject(
      'invalid-request',
      'The audio has no valid duration.',
      toFieldErrors('seconds', 'must be a number of at least 0'),
    );
  const ms = toSpeechMs(seconds);
  const leftMs = monthlySpeechMinutes * MINUTE_MS - usedSpeechMs(account, at);
  if (ms > leftMs)
    return rejectUntil(startOfNextMonth(at), 'speech-minutes-exceeded', formatRejection(ms, Math.max(0, leftMs)));
  return [{ type: 'SpeechReserved.v1', data: { gridId, userId, speechId, kind, seconds: ms / 1000, at } }];
}

function formatRejection(ms: number, leftMs: number): string {
  return `The audio lasts ${ms / 1000} s; this Grid has ${leftMs / 1000} s left this month.`;
}

/** Settling again changes nothing. Counts even after the reservation expired, because the audio was produced. */
function settle({ gridId, speechId, at }: CloseSpeech, account: SpeechAccount): Decision<SpeechEvent> {
  const speech = findReservation(account.recent, speechId, at);
  if (speech === undefined)
    return reject('not-found', 'There is no such reservation: it never existed, was refunded, or expired long ago.');
  if (speech.isSettled) return NO_CHANGE;
  const { userId, kind, ms, reservedAt } = speech;
  return [{ type: 'SpeechSettled.v1', data: { gridId, userId, speechId, kind, seconds: ms / 1000, reservedAt, at } }];
}

/** Changes nothing for settled audio, and for expired reservations, which have already been returned. */
function refund({ gridId, speechId, at }: CloseSpeech, account: SpeechAccount): Decision<SpeechEvent> {
  const speech = findReservation(account.recent, speechId, at);
  if (speech === undefined || speech.isSettled || !isReservationCounted(speech, at)) return NO_CHANGE;
  return [{ type: 'SpeechRefunded.v1', data: { gridId, speechId, reservedAt: speech.reservedAt, at } }];
}

function evolve(account: SpeechAccount, { type, data }: SpeechEvent): SpeechAccount {
  switch (type) {
    case 'SpeechReserved.v1':
      return reserveSpeech(
        account,
        { id: data.speechId, userId: data.userId, kind: data.kind, ms: toSpeechMs(data.seconds) },
        data.at,
      );
    case 'SpeechSettled.v1':
      return settleSpeech(account, data.speechId, data.at);
    case 'SpeechRefunded.v1':
      return refundSpeech(account, data.speechId, data.at);
    default:
      return throwUnknownEvent(type);
  }
}

function throwUnknownCommand(command: never): never {
  throw new Error(`Unknown command ${JSON.stringify(command)}`);
}

function throwUnknownEvent(type: never): never {
  throw new Error(`Unknown event ${JSON.stringify(type)}`);
}
