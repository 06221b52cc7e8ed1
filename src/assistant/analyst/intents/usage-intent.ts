import { getUsage, getUsageSummary } from '../../tools/usage-tools.js';
import type { QueryContext } from '../query-context.js';
import type { Draft, Intent } from './intent.js';
import type { TimeReference } from '../understanding/slots.js';
import { formatIsoClock } from '../time/window-resolver.js';
import { utcDay, utcMonth } from '../../../accounting/utc-calendar.js';
import { formatCount, formatList } from '../answers/answer-formatting.js';

export const usageIntent: Intent = {
  name: 'usage',
  cues: { energy: 5, remaining: 2 },
  forms: ['How many prompts do I have left?', 'How much energy do I have?'],
  async answer(context, { term = '', time }) {
    if (GRID_USAGE_WORDS.test(term) || isBeforeToday(time, context.nowMs)) return answerGridUsage(context, time, term);
    const { energy, ...used } = await context.callTool(getUsage, {});
    const { currentEnergy, maxEnergy, regenerationRate, regenerationIntervalMinutes, nextRegenerationAt } = energy;
    const lines = {
      prompts: `You have used ${used.promptsUsedToday} of ${used.promptLimitToday} prompts today, this one included: ${used.promptsLeftToday} left until ${formatIsoClock(used.promptsResetAt, context.nowMs)}.`,
      // What was reserved beyond the price of this answer is refunded with it.
      energy: `Energy: ${currentEnergy + context.refundedEnergy} of ${maxEnergy} after this answer; ${regenerationRate} regenerate every ${formatCount(regenerationIntervalMinutes, 'minute')}, the next at ${formatIsoClock(nextRegenerationAt, context.nowMs)}.`,
      speech: `Speech: ${used.monthlySpeechMinutesUsed} of ${formatCount(used.monthlySpeechMinutes, 'minute')} used this month, by everybody in this Grid.`,
      cost: 'My replies cost 1 energy each. Those of a language model, where one is configured, cost 1 more for each data source that they use, at most 10.',
      sessions: `Sessions: ${used.activeSessions} of ${used.maxConcurrentSessions} in use in this Grid.`,
    };
    const requested = USAGE_TOPICS.filter(([pattern]) => pattern.test(term)).map(([, about]) => lines[about]);
    return {
      text: (requested.length === 0
        ? Object.entries(lines)
            .filter(([about]) => about !== 'cost')
            .map(([, line]) => line)
        : requested
      ).join('\n'),
      followUps: ['What are my limits?', 'What can you do?', 'Is anything broken?'],
    };
  },
};

const GRID_USAGE_WORDS =
  /\b(?:we|everybody|everyone|all (?:the )?users|team|others|altogether|in total|total|per day|synthes\w*|recognitions?|each day|daily usage|summary|report)\b/i;
const USAGE_TOPICS = [
  [/\bcosts?\b|\bprice\b/i, 'cost'],
  [/\bprompts?\b|\bquestions?\b/i, 'prompts'],
  [/\benergy\b|\bregenerat|\brefill/i, 'energy'],
  [/\bspeech\b|\bvoice\b|\bminutes\b/i, 'speech'],
  [/\bsessions?\b/i, 'sessions'],
] as const;

/** Balances exist for today and this month only; for earlier days there are sums. */
function isBeforeToday(time: TimeReference | undefined, nowMs: number): boolean {
  const fromMs = time?.kind === 'range' ? time.fromMs : time?.kind === 'moment' ? time.atMs : nowMs;
  return (
    utcDay(fromMs) < utcDay(nowMs) &&
    !(time?.kind === 'range' && time.last === undefined && time.toMs === nowMs && utcDay(fromMs).endsWith('-01'))
  );
}

/** Usage of all members of the Grid on the days that the time touches; today by default. */
async function answerGridUsage(context: QueryContext, time: TimeReference | undefined, term: string): Promise<Draft> {
  const { fromMs, toMs } =
    time?.kind === 'range'
      ? time
      : {
          fromMs:
            time?.kind === 'moment'
              ? time.atMs
              : /synthes|recogni/i.test(term)
                ? Date.parse(`${utcMonth(context.nowMs)}-01`)
                : context.nowMs,
          toMs: context.nowMs,
        };
  // Exclusive end: a day ends before the next one begins.
  const { totalPrompts, totalEnergyConsumed, totalSpeechSyntheses, totalSpeechRecognitions, dailyBreakdown } =
    await context.callTool(getUsageSummary, {
      from: new Date(Math.max(fromMs, toMs - 31 * 86_400_000)).toISOString(),
      to: new Date(Math.max(fromMs, toMs - 1)).toISOString(),
    });
  const days =
    dailyBreakdown.length < 2
      ? ''
      : `:${formatList(
          dailyBreakdown.map(
            ({ date, prompts, energy }) => `${date}: ${formatCount(prompts, 'prompt')}, ${energy} energy`,
          ),
          7,
        )}`;
  const dates =
    dailyBreakdown.length === 0
      ? 'today'
      : [...new Set([dailyBreakdown[0].date, dailyBreakdown[dailyBreakdown.length - 1].date])].join(' to ');
  const text = `Everybody in this Grid, ${dates}: ${formatCount(totalPrompts, 'prompt')}, ${totalEnergyConsumed} energy, ${formatCount(totalSpeechSyntheses, 'speech synthesis', 'speech syntheses')} and ${formatCount(totalSpeechRecognitions, 'recognition')}${days === '' ? '.' : days}`;
  return { text, followUps: ['How many prompts do I have left?', 'What are my limits?'] };
}
