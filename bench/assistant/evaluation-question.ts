import type { Fact } from './expected-facts.js';
import type { ScenarioOracle } from './scenario-oracle.js';

export const INTENTS = [
  'health',
  'diagnosis',
  'latency',
  'errors',
  'exceptions',
  'traces',
  'logs',
  'changes',
  'alerts',
  'pressure',
  'dependencies',
  'slowest endpoints',
  'trends',
  'comparison',
  'timeline',
  'services',
  'service detail',
  'metrics',
  'usage',
  'help',
  'refusal',
] as const;
export type Intent = (typeof INTENTS)[number];

/** A question, and what a correct answer contains. */
export interface EvaluationQuestion {
  readonly intent: Intent;
  /** Earlier prompts of the conversation, the first one first. */
  readonly after: readonly string[];
  readonly ask: string;
  facts(oracle: ScenarioOracle): readonly Fact[];
}

/** Questions of one intent. A list is a conversation: its last question is graded. */
export function defineQuestions(
  intent: Intent,
  ...rows: readonly (readonly [ask: string | readonly string[], facts: (oracle: ScenarioOracle) => readonly Fact[]])[]
): EvaluationQuestion[] {
  return rows.map(([entry, facts]) => {
    const prompts = typeof entry === 'string' ? [entry] : entry;
    return { intent, after: prompts.slice(0, -1), ask: prompts[prompts.length - 1], facts };
  });
}
