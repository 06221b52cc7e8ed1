import type { GridLimits } from '../accounting/limits.js';
import type { SpeechKind } from '../streams/events/assistant-events.js';
import type { EventStore } from '../streams/event-store.js';
import { conversationsStream, gridStream, sessionsStream, speechStream, usageStream } from '../streams/stream-names.js';
import { conversationsDecider, turnsOf } from './assistant/conversations.js';
import { expiryOf, sessionsDecider } from './assistant/sessions.js';
import { speechDecider } from './assistant/speech.js';
import { usageDecider } from './assistant/usage.js';
import type { Done } from './grid-commands.js';
import { createHandle, type CommandLine } from './handle.js';
import { limitsDecider } from './limits/decider.js';

export interface StartedSession extends Done {
  readonly instanceId: string;
  /** ms since 1970, both. */
  readonly startedAt: number;
  readonly expiresAt: number;
}

export interface UpdatedLimits extends Done {
  readonly limits: GridLimits;
  readonly updatedAt: number;
  readonly updatedBy: string;
}

export interface ReservedPrompt extends Done {
  readonly promptId: string;
  /** What the reply may cost at most: 1 to MOST_ENERGY_OF_A_REPLY, no more than the user has. */
  readonly energy: number;
}

/** One exchange with the assistant. */
export interface Turn {
  readonly prompt: string;
  readonly response: string;
  readonly focus: Readonly<Record<string, unknown>>;
  readonly at: number;
}

/** Where a conversation stands: its turns, the oldest first, at most the last 20. */
export interface Conversation {
  readonly conversationId: string;
  readonly turns: readonly Turn[];
}

/**
 * Accounting of the assistant. Each decides on its own stream, so that however many come at once, never one too many gets
 * through. Limits come from the caller, as the read model has them. Each rejects with the code of the rule that it breaks;
 * codes that a later moment cures carry it as `retryAtMs`.
 */
export interface AssistantCommands {
  /**
   * `invalid-request` with all faults (none given, too), `not-found`; limits that are not given stay. Those that are what they
   * were are updated all the same: the answer says by whom, and when.
   */
  updateLimits(actor: string, gridId: string, changes: Partial<GridLimits>): Promise<UpdatedLimits>;
  /** `session-limit-reached` where `maxSessions` are active. */
  startSession(userId: string, gridId: string, maxSessions: number): Promise<StartedSession>;
  /** Notes that the session is used, so that it stays. `session-not-found`: unknown, ended, expired, or another user's. */
  useSession(userId: string, gridId: string, instanceId: string): Promise<Done>;
  endSession(userId: string, gridId: string, instanceId: string): Promise<Done>;
  /** Ends those that expired; for the policy that does so. */
  expireSessions(gridId: string): Promise<Done>;
  /** `assistant-disabled` where the limit is 0, `daily-prompt-limit` (until the next UTC day), `energy-exhausted` (until the next regeneration). */
  reservePrompt(userId: string, gridId: string, dailyPromptLimit: number): Promise<ReservedPrompt>;
  /**
   * The reply cost `energy`, at most what was reserved (`invalid-request` where it is more). Final: what is settled cannot be
   * refunded, and settling again changes nothing. Counts also after the reservation has lapsed, and then takes what is left
   * at most; `not-found` after ten minutes, for a refunded and an unknown one.
   */
  settlePrompt(userId: string, promptId: string, energy: number): Promise<Done>;
  /** There was no reply: neither prompt nor energy is used. Changes nothing where nothing is reserved. */
  refundPrompt(userId: string, promptId: string): Promise<Done>;
  /** `seconds` count in whole milliseconds; `speech-minutes-exceeded` (until the next UTC month) where the audio does not fit whole. */
  reserveSpeech(userId: string, gridId: string, kind: SpeechKind, seconds: number, monthlySpeechMinutes: number): Promise<Done & { readonly speechId: string }>;
  /** Settled and refunded as prompts are. */
  settleSpeech(gridId: string, speechId: string): Promise<Done>;
  refundSpeech(gridId: string, speechId: string): Promise<Done>;
  /** An unknown or foreign id, one of another Grid and one unused for a day begin an empty conversation under a new id; so does none. */
  recall(userId: string, gridId: string, conversationId?: string): Promise<Conversation>;
  recordTurn(userId: string, gridId: string, conversationId: string, turn: Turn): Promise<Done>;
}

export interface AssistantCommandsOptions {
  readonly log: Pick<EventStore, 'readStream' | 'append'>;
  /** UUID. */
  readonly newId: () => string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** In which all commands on streams of Grids wait; one of their own unless given. */
  readonly gridLine?: CommandLine;
}

/** Streams of one kind whose state is kept, those used last: numbers for a user or a Grid, read in full once after a start. */
const ACCOUNTS_REMEMBERED = 1000;
/** Conversations are texts: up to some hundred kilobytes a user. */
const TALKERS_REMEMBERED = 100;

export function createAssistantCommands(options: AssistantCommandsOptions): AssistantCommands {
  return {
    ...limitCommands(options), ...sessionCommands(options), ...promptCommands(options), ...speechCommands(options), ...conversationCommands(options),
  };
}

function limitCommands({ log, now, gridLine }: AssistantCommandsOptions): Pick<AssistantCommands, 'updateLimits'> {
  const handle = createHandle(log, limitsDecider, ACCOUNTS_REMEMBERED, gridLine);
  return {
    async updateLimits(actor, gridId, changes) {
      const at = now();
      const { position, state } = await handle(gridStream(gridId), { type: 'UpdateLimits', actor, at, gridId, changes });
      return { position, limits: known(state), updatedAt: at, updatedBy: actor };
    },
  };
}

function sessionCommands({ log, newId, now }: AssistantCommandsOptions): Pick<AssistantCommands, 'startSession' | 'useSession' | 'endSession' | 'expireSessions'> {
  const handle = createHandle(log, sessionsDecider, ACCOUNTS_REMEMBERED);
  return {
    async startSession(userId, gridId, maxSessions) {
      const instanceId = newId();
      const startedAt = now();
      const { position } = await handle(sessionsStream(gridId), { type: 'StartSession', gridId, instanceId, userId, at: startedAt, maxSessions });
      return { position, instanceId, startedAt, expiresAt: expiryOf({ lastUsedAt: startedAt }) };
    },
    useSession: async (userId, gridId, instanceId) => done(await handle(sessionsStream(gridId), { type: 'UseSession', gridId, instanceId, userId, at: now() })),
    endSession: async (userId, gridId, instanceId) => done(await handle(sessionsStream(gridId), { type: 'EndSession', gridId, instanceId, userId, at: now() })),
    expireSessions: async (gridId) => done(await handle(sessionsStream(gridId), { type: 'ExpireSessions', gridId, at: now() })),
  };
}

function promptCommands({ log, newId, now }: AssistantCommandsOptions): Pick<AssistantCommands, 'reservePrompt' | 'settlePrompt' | 'refundPrompt'> {
  const handle = createHandle(log, usageDecider, ACCOUNTS_REMEMBERED);
  return {
    async reservePrompt(userId, gridId, dailyPromptLimit) {
      const promptId = newId();
      const { position, state } = await handle(usageStream(userId), { type: 'ReservePrompt', userId, gridId, promptId, dailyPromptLimit, at: now() });
      const { energy } = known(state.recent.find(({ id }) => id === promptId));
      return { position, promptId, energy };
    },
    settlePrompt: async (userId, promptId, energy) => done(await handle(usageStream(userId), { type: 'SettlePrompt', userId, promptId, energy, at: now() })),
    refundPrompt: async (userId, promptId) => done(await handle(usageStream(userId), { type: 'RefundPrompt', userId, promptId, at: now() })),
  };
}

function speechCommands({ log, newId, now }: AssistantCommandsOptions): Pick<AssistantCommands, 'reserveSpeech' | 'settleSpeech' | 'refundSpeech'> {
  const handle = createHandle(log, speechDecider, ACCOUNTS_REMEMBERED);
  return {
    async reserveSpeech(userId, gridId, kind, seconds, monthlySpeechMinutes) {
      const speechId = newId();
      const { position } = await handle(speechStream(gridId), { type: 'ReserveSpeech', gridId, userId, speechId, kind, seconds, monthlySpeechMinutes, at: now() });
      return { position, speechId };
    },
    settleSpeech: async (gridId, speechId) => done(await handle(speechStream(gridId), { type: 'SettleSpeech', gridId, speechId, at: now() })),
    refundSpeech: async (gridId, speechId) => done(await handle(speechStream(gridId), { type: 'RefundSpeech', gridId, speechId, at: now() })),
  };
}

function conversationCommands({ log, newId, now }: AssistantCommandsOptions): Pick<AssistantCommands, 'recall' | 'recordTurn'> {
  const handle = createHandle(log, conversationsDecider, TALKERS_REMEMBERED);
  return {
    async recall(userId, gridId, conversationId) {
      if (conversationId === undefined) return { conversationId: newId(), turns: [] };
      // No command: what the stream says now.
      const { state } = await handle(conversationsStream(userId));
      const turns = turnsOf(state, gridId, conversationId, now());
      return turns === undefined ? { conversationId: newId(), turns: [] } : { conversationId, turns };
    },
    recordTurn: async (userId, gridId, conversationId, turn) =>
      done(await handle(conversationsStream(userId), { type: 'RecordTurn', userId, gridId, conversationId, turn })),
  };
}

function done({ position }: Done): Done {
  return { position };
}

/** What a command that was accepted leaves behind. */
function known<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('a command was accepted and left nothing behind');
  return value;
}
