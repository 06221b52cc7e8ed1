import { extractNumbers } from './number-extraction.js';
import type { Trial } from './evaluation-runner.js';
import { formatTrial } from './evaluation-report.js';

/**
 * `right`: every fact, or a refusal where no query can answer. `refused`: no figure where one could be given. `wrong`:
 * anything else, above all figures that answer another question.
 */
export type UnseenOutcome = 'right' | 'refused' | 'wrong';
const UNSEEN_OUTCOMES: readonly UnseenOutcome[] = ['right', 'refused', 'wrong'];

/** Goals for unseen questions, in percent. */
const MIN_RIGHT_PERCENT = 85;
const MAX_REFUSED_PERCENT = 15;

export function classifyUnseen({ answer, verdict }: Trial): UnseenOutcome {
  if (verdict.faults.length === 0 && verdict.unexplained.length === 0 && !verdict.isUnanswered) return 'right';
  const claims = answer.response.replace(/“[^”]*”/g, '');
  return answer.sources.length === 0 && extractNumbers(claims).length === 0 ? 'refused' : 'wrong';
}

/** Whether all goals are met. */
export function isUnseenPassed(trials: readonly Trial[]): boolean {
  const shares = computeShares(trials);
  return shares.right >= MIN_RIGHT_PERCENT && shares.refused <= MAX_REFUSED_PERCENT && shares.wrong === 0;
}

/** One line for each outcome, for questions that a query can answer and for the others. */
export function formatUnseenTable(trials: readonly Trial[]): string {
  const answerable = trials.filter(({ isRefusalDue }) => !isRefusalDue);
  const others = trials.filter(({ isRefusalDue }) => isRefusalDue);
  const rows = [
    ['unseen questions', 'asked', ...UNSEEN_OUTCOMES],
    ...(
      [
        ['a query can answer', answerable],
        ['no query can answer', others],
        ['all', trials],
      ] as const
    ).map(([name, own]) => [
      name,
      String(own.length),
      ...UNSEEN_OUTCOMES.map((outcome) => String(own.filter((trial) => classifyUnseen(trial) === outcome).length)),
    ]),
  ];
  return rows
    .map(([name, ...cells]) => [name.padEnd(20), ...cells.map((cell) => cell.padStart(7))].join('  '))
    .join('\n');
}

/** The questions that were not answered rightly, with reasons. */
export function formatUnseenFailures(trials: readonly Trial[]): string {
  return trials
    .map((trial) => [classifyUnseen(trial), trial] as const)
    .filter(([outcome]) => outcome !== 'right')
    .map(([outcome, trial]) => formatTrial(outcome, trial))
    .join('\n');
}

function computeShares(trials: readonly Trial[]): Readonly<Record<UnseenOutcome, number>> {
  const share = (outcome: UnseenOutcome): number =>
    trials.length === 0
      ? 0
      : (100 * trials.filter((trial) => classifyUnseen(trial) === outcome).length) / trials.length;
  return { right: share('right'), refused: share('refused'), wrong: share('wrong') };
}
