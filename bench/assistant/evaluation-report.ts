import { INTENTS } from './evaluation-question.js';
import type { FollowedSuggestion, Trial } from './evaluation-runner.js';

export type Outcome = 'right' | 'wrong number' | 'incomplete' | 'not understood';
const OUTCOMES: readonly Outcome[] = ['right', 'wrong number', 'incomplete', 'not understood'];

/** Minimum percentage of correct answers; no answer may contain a wrong number. */
export const MIN_RIGHT_PERCENT = 90;

/**
 * Order of outcomes by severity: a wrong number is worst. An answer that misses facts was misunderstood if no tool was
 * called.
 */
export function classifyOutcome({ verdict: { unexplained, faults, isUnanswered } }: Trial): Outcome {
  if (unexplained.length > 0) return 'wrong number';
  if (isUnanswered) return 'not understood';
  return faults.length > 0 ? 'incomplete' : 'right';
}

export interface Score {
  readonly asked: number;
  readonly outcomes: Readonly<Record<Outcome, number>>;
  /** Percent. */
  readonly rightShare: number;
}

export function computeScore(trials: readonly Trial[]): Score {
  const count = (outcome: Outcome): number => trials.filter((trial) => classifyOutcome(trial) === outcome).length;
  const outcomes = {
    right: count('right'),
    'wrong number': count('wrong number'),
    incomplete: count('incomplete'),
    'not understood': count('not understood'),
  };
  return {
    asked: trials.length,
    outcomes,
    rightShare: trials.length === 0 ? 0 : (100 * outcomes.right) / trials.length,
  };
}

export function isPassed(trials: readonly Trial[]): boolean {
  const { rightShare, outcomes } = computeScore(trials);
  return rightShare >= MIN_RIGHT_PERCENT && outcomes['wrong number'] === 0;
}

/** Formats the table by intent. */
export function formatIntentTable(title: string, trials: readonly Trial[]): string {
  const rows = INTENTS.map(
    (intent) => [intent, trials.filter(({ question }) => question.intent === intent)] as const,
  ).filter(([, own]) => own.length > 0);
  const cells = [...rows, ['all', trials] as const].map(([name, own]) => {
    const { asked, outcomes, rightShare } = computeScore(own);
    return [name, String(asked), ...OUTCOMES.map((outcome) => String(outcomes[outcome])), `${rightShare.toFixed(1)} %`];
  });
  const all = [[title, 'asked', ...OUTCOMES, 'right'], ...cells];
  const widths = all[0].map((_, column) => Math.max(...all.map((row) => row[column].length)));
  return all
    .map((row) =>
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[column]) : cell.padStart(widths[column])))
        .join('  '),
    )
    .join('\n');
}

/** Formats the answers that were not correct, with reasons. */
export function formatFailures(trials: readonly Trial[]): string {
  return trials
    .filter((trial) => classifyOutcome(trial) !== 'right')
    .map((trial) => formatTrial(classifyOutcome(trial), trial))
    .join('\n');
}

/** A question with its answer and what is missing. */
export function formatTrial(outcome: string, { question, answer, verdict }: Trial): string {
  const conversation = [...question.after, question.ask].join(' → ');
  const reasons = [...verdict.unexplained.map((number) => `unexplained: ${number}`), ...verdict.faults];
  const responseLines = answer.response.split('\n').map((line) => `    | ${line}`);
  return [
    `${outcome}, ${question.intent}: ${conversation}`,
    ...responseLines,
    ...reasons.map((reason) => `    - ${reason}`),
  ].join('\n');
}

/** Formats suggestions that the assistant could not answer itself, or answered with a wrong number. */
export function findBrokenSuggestions(suggestions: readonly FollowedSuggestion[]): FollowedSuggestion[] {
  return suggestions.filter(({ isAnswered, unexplained }) => !isAnswered || unexplained.length > 0);
}

export function formatSuggestions(suggestions: readonly FollowedSuggestion[]): string {
  const broken = findBrokenSuggestions(suggestions);
  const lines = broken.flatMap(({ suggestion, suggestedBy, response, unexplained }) => [
    `    - ${suggestion} (after: ${suggestedBy})`,
    ...response.split('\n').map((line) => `      | ${line}`),
    ...unexplained.map((each) => `      unexplained: ${each}`),
  ]);
  return [`${suggestions.length} suggestions taken up, ${suggestions.length - broken.length} answered`, ...lines].join(
    '\n',
  );
}
