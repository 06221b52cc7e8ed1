import type { GridLimits } from '../accounting/limits.js';
import type { SpeechKind } from '../streams/events/assistant-events.js';
import type { Done } from './grid-commands.js';

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
  /** `invalid-request` with all faults (none given, too); limits that are not given stay. */
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
  /** The reply cost `energy`, at most what was reserved. */
  settlePrompt(userId: string, promptId: string, energy: number): Promise<Done>;
  /** There was no reply: neither prompt nor energy is used. */
  refundPrompt(userId: string, promptId: string): Promise<Done>;
  /** `speech-minutes-exceeded` (until the next UTC month) where the audio does not fit whole. */
  reserveSpeech(userId: string, gridId: string, kind: SpeechKind, seconds: number, monthlySpeechMinutes: number): Promise<Done & { readonly speechId: string }>;
  settleSpeech(gridId: string, speechId: string): Promise<Done>;
  refundSpeech(gridId: string, speechId: string): Promise<Done>;
  /** An unknown or foreign id, one of another Grid and one unused for a day begin an empty conversation under a new id; so does none. */
  recall(userId: string, gridId: string, conversationId?: string): Promise<Conversation>;
  recordTurn(userId: string, gridId: string, conversationId: string, turn: Turn): Promise<Done>;
}
