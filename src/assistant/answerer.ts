import type { ConversationTurn } from '../commands/assistant/assistant-commands.js';

/** What an answer rests on: a query that was asked, such as `health` with `7 services, last 15 minutes`. */
export interface AnswerSource {
  readonly type: string;
  readonly description: string;
  /** 0 to 1, of diagnoses. */
  readonly confidence?: number;
  readonly traceCount?: number;
}

/** What somebody asks, and all that an answer may depend on. */
export interface Prompt {
  readonly text: string;
  readonly gridId: string;
  readonly userId: string;
  /** The oldest first. */
  readonly turns: readonly ConversationTurn[];
  /** ms since 1970: "now" in the question. */
  readonly nowMs: number;
  /** Data sources that the answer may consult at most. Their energy, and 1 for the answer itself, is reserved: what is not needed comes back. */
  readonly mostSources: number;
}

export interface Answer {
  readonly response: string;
  /** In the order in which they were consulted; each cost one unit of energy. */
  readonly sources: readonly AnswerSource[];
  /** Questions that the assistant can answer. */
  readonly suggestedFollowUps: readonly string[];
  /** What was understood, for the next turn: plain data. */
  readonly focus: Readonly<Record<string, unknown>>;
}

/** Answers questions about one Grid. `signal` ends the work when nobody waits for it any more. */
export interface Answerer {
  answer(prompt: Prompt, signal: AbortSignal): Promise<Answer>;
}
