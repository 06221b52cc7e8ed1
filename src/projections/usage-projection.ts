import {
  type AssistantSessionDocument,
  type GridLimitsDocument,
  type PromptUsageDocument,
  type SpeechUsageDocument,
  USAGE_PROJECTION,
  USAGE_VERSION,
  usageCollections,
  type UsageDayDocument,
  usageDayId,
} from '../read-models/documents/assistant-usage-documents.js';
import type { ReadModelReader } from '../read-models/read-model-store.js';
import { GRID_PREFIX, SESSIONS_PREFIX, SPEECH_PREFIX, USAGE_PREFIX } from '../streams/stream-names.js';
import { createDocumentFold, type DocumentFold, selectEvents } from './document-fold.js';
import { checkpointName, type Projection } from './projection.js';
import { utcDay } from '../accounting/utc-calendar.js';
import { INITIAL_LIMITS, SESSION_IDLE_MS } from '../accounting/usage-limits.js';
import { NEW_PROMPT_ACCOUNT, refundPrompt, reservePrompt, settlePrompt } from '../accounting/prompt-account.js';
import {
  NEW_SPEECH_ACCOUNT,
  refundSpeech,
  reserveSpeech,
  settleSpeech,
  toSpeechMs,
} from '../accounting/speech-account.js';
import type { LimitsUpdated, SessionEvent, SpeechEvent, UsageEvent } from '../streams/events/assistant-events.js';

/** Limits and use of the assistant: sessions, prompts, energy and speech. */
export const usageProjection: Projection = {
  name: USAGE_PROJECTION,
  schema: USAGE_VERSION,
  contents: (version) => {
    const { limits, sessions, prompts, speech, days } = usageCollections(version);
    return [limits, sessions, prompts, speech, days].map((collection) => ({ kind: 'documents', collection }));
  },
};

export function createUsageRun(version: number, store: ReadModelReader) {
  const { limits, sessions, prompts, speech, days } = usageCollections(version);
  const folds = [
    { collection: limits, documentId: limitsDocumentId, evolve: evolveLimits },
    { collection: sessions, documentId: sessionDocumentId, evolve: evolveSession },
    { collection: prompts, documentId: promptsDocumentId, evolve: evolvePrompts },
    { collection: speech, documentId: speechDocumentId, evolve: evolveSpeech },
    { collection: days, documentId: usageDayDocumentId, evolve: evolveUsageDay },
  ] as DocumentFold<object, AccountedEvent>[];
  return {
    name: usageProjection.name,
    group: usageProjection.name,
    prefixes: [GRID_PREFIX, SESSIONS_PREFIX, USAGE_PREFIX, SPEECH_PREFIX],
    checkpoints: [checkpointName(usageProjection.name, version)],
    fold: createDocumentFold(folds, store, ACCOUNTED_EVENTS),
  };
}

/** Every event that changes limits or use of the assistant. */
export type AccountedEvent = LimitsUpdated | SessionEvent | UsageEvent | SpeechEvent;

const ACCOUNTED_EVENTS = selectEvents<AccountedEvent>(
  'LimitsUpdated.v1',
  'SessionStarted.v1',
  'SessionUsed.v1',
  'SessionEnded.v1',
  'PromptReserved.v1',
  'PromptSettled.v1',
  'PromptRefunded.v1',
  'SpeechReserved.v1',
  'SpeechSettled.v1',
  'SpeechRefunded.v1',
);

function limitsDocumentId({ type, data }: AccountedEvent): string | undefined {
  return type === 'LimitsUpdated.v1' ? data.gridId : undefined;
}

function evolveLimits(
  limits: GridLimitsDocument | undefined,
  { type, data }: AccountedEvent,
): GridLimitsDocument | undefined {
  return type === 'LimitsUpdated.v1' ? { ...INITIAL_LIMITS, ...limits, ...data.changes, gridId: data.gridId } : limits;
}

function sessionDocumentId({ type, data }: AccountedEvent): string | undefined {
  return type === 'SessionStarted.v1' || type === 'SessionUsed.v1' || type === 'SessionEnded.v1'
    ? data.instanceId
    : undefined;
}

function evolveSession(
  session: AssistantSessionDocument | undefined,
  event: AccountedEvent,
): AssistantSessionDocument | undefined {
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

function promptsDocumentId({ type, data }: AccountedEvent): string | undefined {
  return type === 'PromptReserved.v1' || type === 'PromptSettled.v1' || type === 'PromptRefunded.v1'
    ? data.userId
    : undefined;
}

function evolvePrompts(
  before: PromptUsageDocument | undefined,
  event: AccountedEvent,
): PromptUsageDocument | undefined {
  const prompts = before ?? { ...NEW_PROMPT_ACCOUNT, userId: '', lastPromptAt: {} };
  switch (event.type) {
    case 'PromptReserved.v1': {
      const { promptId, userId, gridId, energy, at } = event.data;
      return { ...prompts, ...reservePrompt(prompts, { id: promptId, gridId, energy }, at), userId };
    }
    case 'PromptSettled.v1': {
      const { promptId, userId, gridId, energy, reservedAt, at } = event.data;
      const lastPromptAt = {
        ...prompts.lastPromptAt,
        [gridId]: Math.max(reservedAt, prompts.lastPromptAt[gridId] ?? reservedAt),
      };
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

function speechDocumentId({ type, data }: AccountedEvent): string | undefined {
  return type === 'SpeechReserved.v1' || type === 'SpeechSettled.v1' || type === 'SpeechRefunded.v1'
    ? data.gridId
    : undefined;
}

function evolveSpeech(before: SpeechUsageDocument | undefined, event: AccountedEvent): SpeechUsageDocument | undefined {
  const speech = before ?? NEW_SPEECH_ACCOUNT;
  switch (event.type) {
    case 'SpeechReserved.v1': {
      const { speechId, gridId, userId, kind, seconds, at } = event.data;
      return { ...reserveSpeech(speech, { id: speechId, userId, kind, ms: toSpeechMs(seconds) }, at), gridId };
    }
    case 'SpeechSettled.v1':
      return { ...settleSpeech(speech, event.data.speechId, event.data.at), gridId: event.data.gridId };
    case 'SpeechRefunded.v1':
      return { ...refundSpeech(speech, event.data.speechId, event.data.at), gridId: event.data.gridId };
    default:
      return before;
  }
}

/** Reports count settled use only: a reservation may still lapse, and the figures of a day must not decrease. */
function usageDayDocumentId({ type, data }: AccountedEvent): string | undefined {
  return type === 'PromptSettled.v1' || type === 'SpeechSettled.v1'
    ? usageDayId(data.gridId, utcDay(data.reservedAt))
    : undefined;
}

function evolveUsageDay(before: UsageDayDocument | undefined, event: AccountedEvent): UsageDayDocument | undefined {
  if (event.type !== 'PromptSettled.v1' && event.type !== 'SpeechSettled.v1') return before;
  const { gridId, reservedAt } = event.data;
  const day = before ?? { gridId, day: utcDay(reservedAt), prompts: 0, energy: 0, syntheses: 0, recognitions: 0 };
  if (event.type === 'PromptSettled.v1')
    return { ...day, prompts: day.prompts + 1, energy: day.energy + event.data.energy };
  return event.data.kind === 'synthesis'
    ? { ...day, syntheses: day.syntheses + 1 }
    : { ...day, recognitions: day.recognitions + 1 };
}
