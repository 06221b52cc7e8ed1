import { utcDay } from '../accounting/calendar.js';
import { INITIAL_LIMITS, SESSION_IDLE_MS } from '../accounting/limits.js';
import { NEW_PROMPT_ACCOUNT, refundPrompt, reservePrompt, settlePrompt } from '../accounting/prompt-account.js';
import { NEW_SPEECH_ACCOUNT, refundSpeech, reserveSpeech, settleSpeech, speechMs } from '../accounting/speech-account.js';
import { usageDayId, type LimitsDocument, type PromptsDocument, type SessionDocument, type SpeechDocument, type UsageDayDocument } from '../read-models/usage.js';
import type { LimitsUpdated, SessionEvent, SpeechEvent, UsageEvent } from '../streams/events/assistant-events.js';

/** All that changes what the assistant may be used for, or was. */
export type AccountedEvent = LimitsUpdated | SessionEvent | UsageEvent | SpeechEvent;

export function limitsIdOf({ type, data }: AccountedEvent): string | undefined {
  return type === 'LimitsUpdated.v1' ? data.gridId : undefined;
}

export function evolveLimits(limits: LimitsDocument | undefined, { type, data }: AccountedEvent): LimitsDocument | undefined {
  return type === 'LimitsUpdated.v1' ? { ...INITIAL_LIMITS, ...limits, ...data.changes, gridId: data.gridId } : limits;
}

export function sessionIdOf({ type, data }: AccountedEvent): string | undefined {
  return type === 'SessionStarted.v1' || type === 'SessionUsed.v1' || type === 'SessionEnded.v1' ? data.instanceId : undefined;
}

export function evolveSession(session: SessionDocument | undefined, event: AccountedEvent): SessionDocument | undefined {
  switch (event.type) {
    case 'SessionStarted.v1': {
      const { instanceId, gridId, userId, at } = event.data;
      return { instanceId, gridId, userId, startedAt: at, lastUsedAt: at, expiresAt: at + SESSION_IDLE_MS };
    }
    case 'SessionUsed.v1':
      return session && { ...session, lastUsedAt: event.data.at, expiresAt: event.data.at + SESSION_IDLE_MS };
    case 'SessionEnded.v1':
      return undefined;
    default:
      return session;
  }
}

export function promptsIdOf({ type, data }: AccountedEvent): string | undefined {
  return type === 'PromptReserved.v1' || type === 'PromptSettled.v1' || type === 'PromptRefunded.v1' ? data.userId : undefined;
}

export function evolvePrompts(before: PromptsDocument | undefined, event: AccountedEvent): PromptsDocument | undefined {
  const prompts = before ?? { ...NEW_PROMPT_ACCOUNT, userId: '', lastPromptAt: {} };
  switch (event.type) {
    case 'PromptReserved.v1': {
      const { promptId, userId, gridId, energy, at } = event.data;
      return { ...prompts, ...reservePrompt(prompts, { id: promptId, gridId, energy }, at), userId };
    }
    case 'PromptSettled.v1': {
      const { promptId, userId, gridId, energy, reservedAt, at } = event.data;
      const lastPromptAt = { ...prompts.lastPromptAt, [gridId]: Math.max(reservedAt, prompts.lastPromptAt[gridId] ?? reservedAt) };
      return { ...prompts, ...settlePrompt(prompts, promptId, energy, at), userId, lastPromptAt };
    }
    case 'PromptRefunded.v1': {
      const { promptId, userId, at } = event.data;
      return { ...prompts, ...refundPrompt(prompts, promptId, at), userId };
    }
    default:
      return before;
  }
}

export function speechIdOf({ type, data }: AccountedEvent): string | undefined {
  return type === 'SpeechReserved.v1' || type === 'SpeechSettled.v1' || type === 'SpeechRefunded.v1' ? data.gridId : undefined;
}

export function evolveSpeech(before: SpeechDocument | undefined, event: AccountedEvent): SpeechDocument | undefined {
  const speech = before ?? NEW_SPEECH_ACCOUNT;
  switch (event.type) {
    case 'SpeechReserved.v1': {
      const { speechId, gridId, userId, kind, seconds, at } = event.data;
      return { ...reserveSpeech(speech, { id: speechId, userId, kind, ms: speechMs(seconds) }, at), gridId };
    }
    case 'SpeechSettled.v1':
      return { ...settleSpeech(speech, event.data.speechId, event.data.at), gridId: event.data.gridId };
    case 'SpeechRefunded.v1':
      return { ...refundSpeech(speech, event.data.speechId, event.data.at), gridId: event.data.gridId };
    default:
      return before;
  }
}

/** Only what is settled counts in a report: a reservation may still lapse, and a day's figures must not fall afterwards. */
export function dayIdOf({ type, data }: AccountedEvent): string | undefined {
  return type === 'PromptSettled.v1' || type === 'SpeechSettled.v1' ? usageDayId(data.gridId, utcDay(data.reservedAt)) : undefined;
}

export function evolveDay(before: UsageDayDocument | undefined, event: AccountedEvent): UsageDayDocument | undefined {
  if (event.type !== 'PromptSettled.v1' && event.type !== 'SpeechSettled.v1') return before;
  const { gridId, reservedAt } = event.data;
  const day = before ?? { gridId, day: utcDay(reservedAt), prompts: 0, energy: 0, syntheses: 0, recognitions: 0 };
  if (event.type === 'PromptSettled.v1') return { ...day, prompts: day.prompts + 1, energy: day.energy + event.data.energy };
  return event.data.kind === 'synthesis' ? { ...day, syntheses: day.syntheses + 1 } : { ...day, recognitions: day.recognitions + 1 };
}
