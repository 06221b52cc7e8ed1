import { getUsage } from '../../tools/get-usage.js';
import { getUsageSummary } from '../../tools/get-usage-summary.js';
import type { Inquiry } from '../inquiry.js';
import type { Draft, Intent } from '../intent.js';
import type { SpokenTime } from '../slots.js';
import { clockOf } from '../when.js';
import { utcDay, utcMonth } from '../../../accounting/calendar.js';
import { counted, listed } from '../wording.js';

export const usage: Intent = {
  name: 'usage',
  cues: { energy: 5, remaining: 2 },
  forms: ['How many prompts do I have left?', 'How much energy do I have?'],
  async answer(inquiry, { term = '', time }) {
    if (OF_ALL.test(term) || isOfBefore(time, inquiry.nowMs)) return ofAll(inquiry, time, term);
    const { energy, ...used } = await inquiry.ask(getUsage, {});
    const { currentEnergy, maxEnergy, regenerationRate, regenerationIntervalMinutes, nextRegenerationAt } = energy;
    const lines = {
      prompts: `You have used ${used.promptsUsedToday} of ${used.promptLimitToday} prompts today, this one included: ${used.promptsLeftToday} left until ${clockOf(used.promptsResetAt, inquiry.nowMs)}.`,
      // Sources that are reserved and not consulted come back with the answer, which consults no more.
      energy: `Energy: ${currentEnergy + inquiry.left} of ${maxEnergy} once this answer is paid; ${regenerationRate} come back every ${counted(regenerationIntervalMinutes, 'minute')}, the next at ${clockOf(nextRegenerationAt, inquiry.nowMs)}.`,
      speech: `Speech: ${used.monthlySpeechMinutesUsed} of ${counted(used.monthlySpeechMinutes, 'minute')} used this month, by everybody in this Grid.`,
      cost: 'A reply costs 1 energy, and 1 more for every data source that it consulted.',
      sessions: `Sessions: ${used.activeSessions} of ${used.maxConcurrentSessions} in use in this Grid.`,
    };
    const wanted = ABOUT.filter(([pattern]) => pattern.test(term)).map(([, about]) => lines[about]);
    return { text: (wanted.length === 0 ? Object.entries(lines).filter(([about]) => about !== 'cost').map(([, line]) => line) : wanted).join('\n'), followUps: ['What are my limits?', 'What can you do?', 'Is anything broken?'] };
  },
};

const OF_ALL = /\b(?:we|everybody|everyone|all (?:the )?users|team|others|altogether|in total|total|per day|synthes\w*|recognitions?|each day|daily usage|summary|report)\b/i;
const ABOUT = [[/\bcosts?\b|\bprice\b/i, 'cost'], [/\bprompts?\b|\bquestions?\b/i, 'prompts'], [/\benergy\b|\bregenerat|\brefill/i, 'energy'], [/\bspeech\b|\bvoice\b|\bminutes\b/i, 'speech'], [/\bsessions?\b/i, 'sessions']] as const;

/** What is told of today and of this month is the caller's balance; of earlier days only sums are kept. */
function isOfBefore(time: SpokenTime | undefined, nowMs: number): boolean {
  const fromMs = time?.kind === 'range' ? time.fromMs : time?.kind === 'moment' ? time.atMs : nowMs;
  return utcDay(fromMs) < utcDay(nowMs) && !(time?.kind === 'range' && time.last === undefined && time.toMs === nowMs && utcDay(fromMs).endsWith('-01'));
}

/** Of everybody in the Grid, on the days that the time touches; today where none was spoken of. */
async function ofAll(inquiry: Inquiry, time: SpokenTime | undefined, term: string): Promise<Draft> {
  const { fromMs, toMs } = time?.kind === 'range' ? time : { fromMs: time?.kind === 'moment' ? time.atMs : /synthes|recogni/i.test(term) ? Date.parse(`${utcMonth(inquiry.nowMs)}-01`) : inquiry.nowMs, toMs: inquiry.nowMs };
  // A day ends before the next one begins.
  const { totalPrompts, totalEnergyConsumed, totalSpeechSyntheses, totalSpeechRecognitions, dailyBreakdown } = await inquiry.ask(getUsageSummary, {
    from: new Date(Math.max(fromMs, toMs - 31 * 86_400_000)).toISOString(), to: new Date(Math.max(fromMs, toMs - 1)).toISOString(),
  });
  const days = dailyBreakdown.length < 2 ? '' : `:${listed(dailyBreakdown.map(({ date, prompts, energy }) => `${date}: ${counted(prompts, 'prompt')}, ${energy} energy`), 7)}`;
  const dates = dailyBreakdown.length === 0 ? 'today' : [...new Set([dailyBreakdown[0].date, dailyBreakdown[dailyBreakdown.length - 1].date])].join(' to ');
  const text = `Everybody in this Grid, ${dates}: ${counted(totalPrompts, 'prompt')}, ${totalEnergyConsumed} energy, ${counted(totalSpeechSyntheses, 'speech synthesis', 'speech syntheses')} and ${counted(totalSpeechRecognitions, 'recognition')}${days === '' ? '.' : days}`;
  return { text, followUps: ['How many prompts do I have left?', 'What are my limits?'] };
}
