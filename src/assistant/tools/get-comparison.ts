import type { Comparison } from '../../diagnostics/answers.js';
import type { Tool } from '../tool.js';
import { argumentsOf, instant, required } from './arguments.js';
import { presented, type Presented } from './presented.js';
import { rangeFault, rangeInWords, timeframe } from './window.js';

export interface ComparisonArguments {
  readonly currentStart: string;
  readonly currentEnd: string;
  readonly baselineStart: string;
  readonly baselineEnd: string;
}

export const getComparison: Tool<ComparisonArguments, { readonly answer: Presented<Comparison> }> = {
  name: 'GetComparison',
  description: 'The whole Grid in two windows of time: latency, error rate, throughput and Apdex, their differences, and what got worse by more than 20 percent in which service.',
  ...argumentsOf<ComparisonArguments>(
    {
      currentStart: required(instant('Start of the window in question.')),
      currentEnd: required(instant('Its end, at most 7 days later.')),
      baselineStart: required(instant('Start of the window to compare it with.')),
      baselineEnd: required(instant('Its end, at most 7 days later.')),
    },
    ({ currentStart, currentEnd, baselineStart, baselineEnd }) => rangeFault('current', currentStart, currentEnd) ?? rangeFault('baseline', baselineStart, baselineEnd),
  ),
  async run({ queries, gridId }, { currentStart, currentEnd, baselineStart, baselineEnd }) {
    const [current, baseline] = [timeframe(currentStart, currentEnd), timeframe(baselineStart, baselineEnd)];
    const answer = presented(await queries.diagnostics.compare(gridId, current, baseline));
    return { data: { answer }, source: { type: 'comparison', description: `${rangeInWords(current)} with ${rangeInWords(baseline)}` } };
  },
};
