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

/** Something that people ask, and what a right answer says. */
export interface EvaluationQuestion {
  readonly intent: Intent;
  /** Asked before in the same conversation, the first one first. */
  readonly after: readonly string[];
  readonly ask: string;
  facts(oracle: ScenarioOracle): readonly Fact[];
}

/** Questions of one intent. A question that follows others is a list: the last one counts. */
export function defineQuestions(
  intent: Intent,
  ...rows: readonly (readonly [ask: string | readonly string[], facts: (oracle: ScenarioOracle) => readonly Fact[]])[]
): EvaluationQuestion[] {
  return rows.map(([asked, facts]) => {
    const prompts = typeof asked === 'string' ? [asked] : asked;
    return { intent, after: prompts.slice(0, -1), ask: prompts[prompts.length - 1], facts };
  });
}
