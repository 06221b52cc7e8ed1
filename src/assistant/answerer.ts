import type { ConversationTurn } from '../commands/assistant/assistant-commands.js';

/** A query that an answer is based on, such as `health` with `7 services, last 15 minutes`. */
export interface AnswerSource {
  readonly type: string;
  readonly description: string;
  /** From 0 to 1; for diagnoses only. */
  readonly confidence?: number;
  readonly traceCount?: number;
}

/** A question with everything that its answer may depend on. */
export interface Prompt {
  readonly text: string;
  readonly gridId: string;
  readonly userId: string;
  /** As in ToolContext. */
  readonly mayAdminister: boolean;
  /** Oldest first. */
  readonly turns: readonly ConversationTurn[];
  /** ms since 1970: "now" in the question. */
  readonly nowMs: number;
  /**
   * Maximum number of data sources where each costs energy: it is reserved for them, and 1 for the answer itself;
   * unused energy is refunded.
   */
  readonly maxSources: number;
}

export interface Answer {
  readonly response: string;
  /** In call order. */
  readonly sources: readonly AnswerSource[];
  /** Questions that the assistant can answer. */
  readonly suggestedFollowUps: readonly string[];
  /** The queries that were asked, in order, as one would send them to the API. */
  readonly queries: readonly string[];
  /** What the reply costs; at least 1. */
  readonly energy: number;
  /** Dialogue context for the next turn: plain, stored data. */
  readonly focus: Readonly<Record<string, unknown>>;
}

/** Answers questions about one Grid. Abort `signal` to cancel the work. */
export interface Answerer {
  answer(prompt: Prompt, signal: AbortSignal): Promise<Answer>;
}
