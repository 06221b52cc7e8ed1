import { getUsage } from '../../tools/get-usage.js';
import type { Intent } from '../intent.js';
import { clockOf } from '../when.js';
import { counted } from '../wording.js';

export const usage: Intent = {
  name: 'usage',
  cues: { energy: 5, remaining: 2 },
  forms: ['How many prompts do I have left?', 'How much energy do I have?'],
  async answer(inquiry, { term = '' }) {
    const { energy, ...used } = await inquiry.ask(getUsage, {});
    const { currentEnergy, maxEnergy, regenerationRate, regenerationIntervalMinutes, nextRegenerationAt } = energy;
    const lines = {
      prompts: `You have used ${used.promptsUsedToday} of ${used.promptLimitToday} prompts today, this one included: ${used.promptsLeftToday} left until ${clockOf(used.promptsResetAt, inquiry.nowMs)}.`,
      energy: `Energy: ${currentEnergy} of ${maxEnergy}, without what this answer may cost; ${regenerationRate} come back every ${counted(regenerationIntervalMinutes, 'minute')}, the next at ${clockOf(nextRegenerationAt, inquiry.nowMs)}.`,
      speech: `Speech: ${used.monthlySpeechMinutesUsed} of ${counted(used.monthlySpeechMinutes, 'minute')} used this month, by everybody in this Grid.`,
      sessions: `Sessions: ${used.activeSessions} of ${used.maxConcurrentSessions} in use in this Grid.`,
    };
    const wanted = ABOUT.filter(([pattern]) => pattern.test(term)).map(([, about]) => lines[about]);
    return { text: (wanted.length === 0 ? Object.values(lines) : wanted).join('\n'), followUps: ['What are my limits?', 'What can you do?', 'Is anything broken?'] };
  },
};

const ABOUT = [[/\bprompts?\b|\bquestions?\b/i, 'prompts'], [/\benergy\b|\bregenerat|\brefill/i, 'energy'], [/\bspeech\b|\bvoice\b|\bminutes\b/i, 'speech'], [/\bsessions?\b/i, 'sessions']] as const;
