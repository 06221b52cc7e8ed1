import type { UsageSummary } from '../../queries/assistant/questions.js';
import type { Tool } from '../tool.js';
import { argumentsOf, instant, required } from './arguments.js';
import { counted } from './counted.js';
import { msOf } from './instant.js';
import { rangeInWords } from './window.js';

export interface SummaryArguments {
  readonly from: string;
  readonly to: string;
}

/** As long as every day can be told. */
const MAX_RANGE_MS = 31 * 86_400_000;

export const getUsageSummary: Tool<SummaryArguments, UsageSummary> = {
  name: 'GetUsageSummary',
  description: 'What all users of the Grid used of the assistant between two moments, at most 31 days apart: prompts and energy by UTC day, syntheses and recognitions.',
  ...argumentsOf<SummaryArguments>(
    { from: required(instant('Start; its whole day counts.')), to: required(instant('End; its whole day counts.')) },
    ({ from, to }) => (msOf(to) < msOf(from) ? 'to must not be before from.' : msOf(to) - msOf(from) > MAX_RANGE_MS ? 'to must be at most 31 days after from.' : undefined),
  ),
  async run({ queries, gridId }, { from, to }) {
    const data = await queries.usage.usageSummary(gridId, msOf(from), msOf(to));
    return { data, source: { type: 'usage-summary', description: `${counted(data.totalPrompts, 'prompt')}, ${rangeInWords({ fromMs: msOf(from), toMs: msOf(to) })}` } };
  },
};
