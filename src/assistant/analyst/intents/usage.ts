import { getUsage } from '../../tools/get-usage.js';
import type { Intent } from '../intent.js';
import { clockOf } from '../when.js';
import { counted } from '../wording.js';

export const usage: Intent = {
  name: 'usage',
  cues: { energy: 5, remaining: 2 },
  forms: ['How many prompts do I have left?', 'How much energy do I have?'],
  async answer(inquiry) {
    const { energy, ...used } = await inquiry.ask(getUsage, {});
    const { currentEnergy, maxEnergy, regenerationRate, regenerationIntervalMinutes, nextRegenerationAt } = energy;
    const lines = [
      `Prompts: ${used.promptsUsedToday} of ${used.promptLimitToday} used today, ${used.promptsLeftToday} left; this one counts. They begin anew at ${clockOf(used.promptsResetAt, inquiry.nowMs)}.`,
      `Energy: ${currentEnergy} of ${maxEnergy}, with what this answer may cost held back; ${regenerationRate} come back every ${counted(regenerationIntervalMinutes, 'minute')}, the next at ${clockOf(nextRegenerationAt, inquiry.nowMs)}.`,
      `Speech: ${used.monthlySpeechMinutesUsed} of ${counted(used.monthlySpeechMinutes, 'minute')} used this month, by everybody in this Grid.`,
      `Sessions: ${used.activeSessions} of ${used.maxConcurrentSessions} in use in this Grid.`,
    ];
    return { text: lines.join('\n'), followUps: ['What can you do?', 'Is anything broken?'] };
  },
};
