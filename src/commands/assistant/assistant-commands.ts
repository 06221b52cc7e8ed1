import type { GridLimits } from '../../accounting/usage-limits.js';
import type { SpeechKind } from '../../streams/events/assistant-events.js';
import type { EventStore } from '../../streams/event-store.js';
import {
  conversationsStream,
  gridStream,
  sessionsStream,
  speechStream,
  usageStream,
} from '../../streams/stream-names.js';
import { conversationsDecider, findTurns, type ConversationTurn } from './conversation-decider.js';
import { sessionExpiryMs, sessionsDecider } from './session-decider.js';
import { speechDecider } from './speech-decider.js';
import { usageDecider } from './prompt-usage-decider.js';
import type { CommandReceipt } from '../grids/grid-commands.js';
import { type CommandQueue, createCommandHandler } from '../handle-command.js';
import { limitsDecider } from '../limits/limits-decider.js';
import { type VisibilityWaiter, waitUntilVisible } from '../read-your-writes.js';

export type { ConversationTurn } from './conversation-decider.js';

export interface StartedSession extends CommandReceipt {
  readonly instanceId: string;
  /** Both are ms since 1970. */
  readonly startedAt: number;
  readonly expiresAt: number;
}

export interface UpdatedLimits extends CommandReceipt {
  readonly limits: GridLimits;
  readonly updatedAt: number;
  readonly updatedBy: string;
}

export interface ReservedPrompt extends CommandReceipt {
  readonly promptId: string;
  /** Maximum cost of the reply: 1 to MAX_ENERGY_PER_REPLY, at most the user's remaining energy. */
  readonly energy: number;
}

/** A conversation: its turns, oldest first, at most the last 20. */
export interface Conversation {
  readonly conversationId: string;
  readonly turns: readonly ConversationTurn[];
}

/**
 * Accounting of the assistant. Each command decides on its own stream, so that concurrent commands cannot exceed a
 * limit. Limits are passed by the caller from the read model. Each rejects with the code of the violated rule; if the
 * command may succeed later, the error contains `retryAtMs`.
 */
export interface AssistantCommands {
  /**
   * Rejects with `invalid-request` and all field errors (also if no limit is given), or `not-found`; limits that are
   * not given are unchanged. Setting a limit to its current value also counts as an update: the result says who
   * confirmed it and when.
   */
  updateLimits(actor: string, gridId: string, changes: Partial<GridLimits>): Promise<UpdatedLimits>;
  /** Rejects with `session-limit-reached` if `maxSessions` are active. */
  startSession(userId: string, gridId: string, maxSessions: number): Promise<StartedSession>;
  /** Extends the session. Rejects with `session-not-found` if it is unknown, ended, expired, or of another user. */
  useSession(userId: string, gridId: string, instanceId: string): Promise<CommandReceipt>;
  endSession(userId: string, gridId: string, instanceId: string): Promise<CommandReceipt>;
  /** Ends expired sessions; called by the session expiry policy. */
  expireSessions(gridId: string): Promise<CommandReceipt>;
  /**
   * Rejects with `assistant-disabled` if the limit is 0, `daily-prompt-limit` (until the next UTC day) or
   * `energy-exhausted` (until the next regeneration).
   */
  reservePrompt(userId: string, gridId: string, dailyPromptLimit: number): Promise<ReservedPrompt>;
  /**
   * Charges `energy` for the reply, at most the reserved amount (else `invalid-request`). Final: a settled prompt
   * cannot be refunded, and settling again changes nothing. Also works after the reservation expired, and then takes at
   * most the remaining energy. Rejects with `not-found` after ten minutes and for refunded or unknown reservations.
   */
  settlePrompt(userId: string, promptId: string, energy: number): Promise<CommandReceipt>;
  /** Cancels the reservation because there was no reply. Changes nothing if nothing is reserved. */
  refundPrompt(userId: string, promptId: string): Promise<CommandReceipt>;
  /**
   * `seconds` is rounded to whole milliseconds. Rejects with `speech-minutes-exceeded` (until the next UTC month) if
   * the audio exceeds the remaining time.
   */
  reserveSpeech(
    userId: string,
    gridId: string,
    kind: SpeechKind,
    seconds: number,
    monthlySpeechMinutes: number,
  ): Promise<CommandReceipt & { readonly speechId: string }>;
  /** As for prompts. */
  settleSpeech(gridId: string, speechId: string): Promise<CommandReceipt>;
  refundSpeech(gridId: string, speechId: string): Promise<CommandReceipt>;
  /**
   * Loads a conversation. Without an id, and if the id is unknown, of another user or Grid, or unused for a day,
   * returns an empty conversation with a new id.
   */
  loadConversation(userId: string, gridId: string, conversationId?: string): Promise<Conversation>;
  recordTurn(userId: string, gridId: string, conversationId: string, turn: ConversationTurn): Promise<CommandReceipt>;
}

export interface AssistantCommandsOptions {
  readonly log: Pick<EventStore, 'readStream' | 'append'>;
  /** UUID. */
  readonly newId: () => string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Queue shared by all commands on Grid streams; a separate one by default. */
  readonly gridCommandQueue?: CommandQueue;
}

/** Cached accounts per kind (LRU): small states per user or Grid, whose streams are read in full once after a start. */
const CACHED_ACCOUNTS = 1000;
/** Conversations contain text: up to some hundred kilobytes per user. */
const CACHED_CONVERSATIONS = 100;

export function createAssistantCommands(options: AssistantCommandsOptions): AssistantCommands {
  return {
    ...createLimitCommands(options),
    ...createSessionCommands(options),
    ...createPromptCommands(options),
    ...createSpeechCommands(options),
    ...createConversationCommands(options),
  };
}

function createLimitCommands({
  log,
  now,
  gridCommandQueue,
}: AssistantCommandsOptions): Pick<AssistantCommands, 'updateLimits'> {
  const handle = createCommandHandler(log, limitsDecider, CACHED_ACCOUNTS, gridCommandQueue);
  return {
    async updateLimits(actor, gridId, changes) {
      const at = now();
      const { position, state } = await handle(gridStream(gridId), {
        type: 'UpdateLimits',
        actor,
        at,
        gridId,
        changes,
      });
      return { position, limits: requirePresent(state), updatedAt: at, updatedBy: actor };
    },
  };
}

function createSessionCommands({
  log,
  newId,
  now,
}: AssistantCommandsOptions): Pick<AssistantCommands, 'startSession' | 'useSession' | 'endSession' | 'expireSessions'> {
  const handle = createCommandHandler(log, sessionsDecider, CACHED_ACCOUNTS);
  return {
    async startSession(userId, gridId, maxSessions) {
      const instanceId = newId();
      const startedAt = now();
      const { position } = await handle(sessionsStream(gridId), {
        type: 'StartSession',
        gridId,
        instanceId,
        userId,
        at: startedAt,
        maxSessions,
      });
      return { position, instanceId, startedAt, expiresAt: sessionExpiryMs({ lastUsedAt: startedAt }) };
    },
    useSession: async (userId, gridId, instanceId) =>
      toReceipt(await handle(sessionsStream(gridId), { type: 'UseSession', gridId, instanceId, userId, at: now() })),
    endSession: async (userId, gridId, instanceId) =>
      toReceipt(await handle(sessionsStream(gridId), { type: 'EndSession', gridId, instanceId, userId, at: now() })),
    expireSessions: async (gridId) =>
      toReceipt(await handle(sessionsStream(gridId), { type: 'ExpireSessions', gridId, at: now() })),
  };
}

function createPromptCommands({
  log,
  newId,
  now,
}: AssistantCommandsOptions): Pick<AssistantCommands, 'reservePrompt' | 'settlePrompt' | 'refundPrompt'> {
  const handle = createCommandHandler(log, usageDecider, CACHED_ACCOUNTS);
  return {
    async reservePrompt(userId, gridId, dailyPromptLimit) {
      const promptId = newId();
      const { position, state } = await handle(usageStream(userId), {
        type: 'ReservePrompt',
        userId,
        gridId,
        promptId,
        dailyPromptLimit,
        at: now(),
      });
      const { energy } = requirePresent(state.recent.find(({ id }) => id === promptId));
      return { position, promptId, energy };
    },
    settlePrompt: async (userId, promptId, energy) =>
      toReceipt(await handle(usageStream(userId), { type: 'SettlePrompt', userId, promptId, energy, at: now() })),
    refundPrompt: async (userId, promptId) =>
      toReceipt(await handle(usageStream(userId), { type: 'RefundPrompt', userId, promptId, at: now() })),
  };
}

function createSpeechCommands({
  log,
  newId,
  now,
}: AssistantCommandsOptions): Pick<AssistantCommands, 'reserveSpeech' | 'settleSpeech' | 'refundSpeech'> {
  const handle = createCommandHandler(log, speechDecider, CACHED_ACCOUNTS);
  return {
    async reserveSpeech(userId, gridId, kind, seconds, monthlySpeechMinutes) {
      const speechId = newId();
      const { position } = await handle(speechStream(gridId), {
        type: 'ReserveSpeech',
        gridId,
        userId,
        speechId,
        kind,
        seconds,
        monthlySpeechMinutes,
        at: now(),
      });
      return { position, speechId };
    },
    settleSpeech: async (gridId, speechId) =>
      toReceipt(await handle(speechStream(gridId), { type: 'SettleSpeech', gridId, speechId, at: now() })),
    refundSpeech: async (gridId, speechId) =>
      toReceipt(await handle(speechStream(gridId), { type: 'RefundSpeech', gridId, speechId, at: now() })),
  };
}

function createConversationCommands({
  log,
  newId,
  now,
}: AssistantCommandsOptions): Pick<AssistantCommands, 'loadConversation' | 'recordTurn'> {
  const handle = createCommandHandler(log, conversationsDecider, CACHED_CONVERSATIONS);
  return {
    async loadConversation(userId, gridId, conversationId) {
      if (conversationId === undefined) return { conversationId: newId(), turns: [] };
      // Without a command, returns the current state of the stream.
      const { state } = await handle(conversationsStream(userId));
      const turns = findTurns(state, gridId, conversationId, now());
      return turns === undefined ? { conversationId: newId(), turns: [] } : { conversationId, turns };
    },
    recordTurn: async (userId, gridId, conversationId, turn) =>
      toReceipt(
        await handle(conversationsStream(userId), { type: 'RecordTurn', userId, gridId, conversationId, turn }),
      ),
  };
}

function toReceipt({ position }: CommandReceipt): CommandReceipt {
  return { position };
}

/** The result of an accepted command is part of the state. */
function requirePresent<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('The result of an accepted command is missing from the state');
  return value;
}

/**
 * Wraps the commands so that charges resolve once they are visible in read models. An answer about usage then includes
 * its own prompt, and the next request sees what the last one cost.
 */
export function withVisibleUsage(commands: AssistantCommands, waiter: VisibilityWaiter): AssistantCommands {
  return {
    ...commands,
    reservePrompt: (...prompt) => waitUntilVisible(waiter, commands.reservePrompt(...prompt)),
    settlePrompt: (...prompt) => waitUntilVisible(waiter, commands.settlePrompt(...prompt)),
    refundPrompt: (...prompt) => waitUntilVisible(waiter, commands.refundPrompt(...prompt)),
    settleSpeech: (...speech) => waitUntilVisible(waiter, commands.settleSpeech(...speech)),
    refundSpeech: (...speech) => waitUntilVisible(waiter, commands.refundSpeech(...speech)),
  };
}
