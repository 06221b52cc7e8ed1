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
import { conversationsDecider, findTurns } from './conversation-decider.js';
import { sessionExpiryMs, sessionsDecider } from './session-decider.js';
import { speechDecider } from './speech-decider.js';
import { usageDecider } from './prompt-usage-decider.js';
import type { CommandReceipt } from '../grids/grid-commands.js';
import { type CommandQueue, createCommandHandler } from '../handle-command.js';
import { limitsDecider } from '../limits/limits-decider.js';
import { type VisibilityWaiter, waitUntilVisible } from '../read-your-writes.js';

export interface StartedSession extends CommandReceipt {
  readonly instanceId: string;
  /** ms since 1970, both. */
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
  /** What the reply may cost at most: 1 to MOST_ENERGY_OF_A_REPLY, no more than the user has. */
  readonly energy: number;
}

/** One exchange with the assistant. */
export interface ConversationTurn {
  readonly prompt: string;
  readonly response: string;
  readonly focus: Readonly<Record<string, unknown>>;
  readonly at: number;
}

/** Where a conversation stands: its turns, the oldest first, at most the last 20. */
export interface Conversation {
  readonly conversationId: string;
  readonly turns: readonly ConversationTurn[];
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
  useSession(userId: string, gridId: string, instanceId: string): Promise<CommandReceipt>;
  endSession(userId: string, gridId: string, instanceId: string): Promise<CommandReceipt>;
  /** Ends those that expired; for the policy that does so. */
  expireSessions(gridId: string): Promise<CommandReceipt>;
  /** `assistant-disabled` where the limit is 0, `daily-prompt-limit` (until the next UTC day), `energy-exhausted` (until the next regeneration). */
  reservePrompt(userId: string, gridId: string, dailyPromptLimit: number): Promise<ReservedPrompt>;
  /**
   * The reply cost `energy`, at most what was reserved (`invalid-request` where it is more). Final: what is settled cannot be
   * refunded, and settling again changes nothing. Counts also after the reservation has lapsed, and then takes what is left
   * at most; `not-found` after ten minutes, for a refunded and an unknown one.
   */
  settlePrompt(userId: string, promptId: string, energy: number): Promise<CommandReceipt>;
  /** There was no reply: neither prompt nor energy is used. Changes nothing where nothing is reserved. */
  refundPrompt(userId: string, promptId: string): Promise<CommandReceipt>;
  /** `seconds` count in whole milliseconds; `speech-minutes-exceeded` (until the next UTC month) where the audio does not fit whole. */
  reserveSpeech(
    userId: string,
    gridId: string,
    kind: SpeechKind,
    seconds: number,
    monthlySpeechMinutes: number,
  ): Promise<CommandReceipt & { readonly speechId: string }>;
  /** Settled and refunded as prompts are. */
  settleSpeech(gridId: string, speechId: string): Promise<CommandReceipt>;
  refundSpeech(gridId: string, speechId: string): Promise<CommandReceipt>;
  /** An unknown or foreign id, one of another Grid and one unused for a day begin an empty conversation under a new id; so does none. */
  recall(userId: string, gridId: string, conversationId?: string): Promise<Conversation>;
  recordTurn(userId: string, gridId: string, conversationId: string, turn: ConversationTurn): Promise<CommandReceipt>;
}

export interface AssistantCommandsOptions {
  readonly log: Pick<EventStore, 'readStream' | 'append'>;
  /** UUID. */
  readonly newId: () => string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** In which all commands on streams of Grids wait; one of their own unless given. */
  readonly gridLine?: CommandQueue;
}

/** Streams of one kind whose state is kept, those used last: numbers for a user or a Grid, read in full once after a start. */
const CACHED_ACCOUNTS = 1000;
/** Conversations are texts: up to some hundred kilobytes a user. */
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
  gridLine,
}: AssistantCommandsOptions): Pick<AssistantCommands, 'updateLimits'> {
  const handle = createCommandHandler(log, limitsDecider, CACHED_ACCOUNTS, gridLine);
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
      return { position, limits: assertPresent(state), updatedAt: at, updatedBy: actor };
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
      const { energy } = assertPresent(state.recent.find(({ id }) => id === promptId));
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
}: AssistantCommandsOptions): Pick<AssistantCommands, 'recall' | 'recordTurn'> {
  const handle = createCommandHandler(log, conversationsDecider, CACHED_CONVERSATIONS);
  return {
    async recall(userId, gridId, conversationId) {
      if (conversationId === undefined) return { conversationId: newId(), turns: [] };
      // No command: what the stream says now.
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

/** What a command that was accepted leaves behind. */
function assertPresent<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('a command was accepted and left nothing behind');
  return value;
}

/**
 * The same commands, but for what the assistant is charged with: that resolves once it shows. So an answer about usage counts
 * the very prompt that it answers, and whoever was answered sees at the next question what it cost.
 */
export function withVisibleUsage(commands: AssistantCommands, showing: VisibilityWaiter): AssistantCommands {
  return {
    ...commands,
    reservePrompt: (...prompt) => waitUntilVisible(showing, commands.reservePrompt(...prompt)),
    settlePrompt: (...prompt) => waitUntilVisible(showing, commands.settlePrompt(...prompt)),
    refundPrompt: (...prompt) => waitUntilVisible(showing, commands.refundPrompt(...prompt)),
    settleSpeech: (...speech) => waitUntilVisible(showing, commands.settleSpeech(...speech)),
    refundSpeech: (...speech) => waitUntilVisible(showing, commands.refundSpeech(...speech)),
  };
}
