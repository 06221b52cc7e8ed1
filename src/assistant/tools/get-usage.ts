import { startOfNextDay } from '../../accounting/calendar.js';
import { energyFigures, type EnergyFigures } from '../../accounting/energy.js';
import { speechMinutes } from '../../accounting/speech-account.js';
import type { ToolContext } from '../tool.js';
import { isoOf } from './instant.js';
import { plainTool } from './plain-tool.js';

/** What is left of the assistant, with the names that the API has for it. */
export interface Usage {
  readonly energy: Omit<EnergyFigures, 'nextRegeneration'> & { readonly nextRegenerationAt: string };
  /** Of the caller in this Grid, on this UTC day; the running prompt counts. */
  readonly promptsUsedToday: number;
  readonly promptLimitToday: number;
  readonly promptsLeftToday: number;
  readonly promptsResetAt: string;
  /** Of the Grid in this UTC month. */
  readonly monthlySpeechMinutes: number;
  readonly monthlySpeechMinutesUsed: number;
  readonly maxConcurrentSessions: number;
  readonly activeSessions: number;
}

export const getUsage = plainTool({
  name: 'GetUsage',
  description: 'What the caller used of the assistant and what is left: energy, prompts today, speech minutes of the month and sessions of the Grid.',
  ask: usageOf,
  source: ({ promptsUsedToday, promptLimitToday }) => ({ type: 'usage', description: `${promptsUsedToday} of ${promptLimitToday} prompts today` }),
});

async function usageOf({ queries: { usage }, gridId, userId, nowMs }: ToolContext): Promise<Usage> {
  const [limits, level, prompts, speechSeconds, activeSessions] = await Promise.all([
    usage.limits(gridId), usage.energy(userId, nowMs), usage.promptsToday(userId, gridId, nowMs), usage.speechSecondsThisMonth(gridId, nowMs), usage.activeSessions(gridId, nowMs),
  ]);
  const { nextRegeneration, ...energy } = energyFigures(level, nowMs);
  return {
    energy: { ...energy, nextRegenerationAt: isoOf(nextRegeneration) },
    promptsUsedToday: prompts.used,
    promptLimitToday: limits.dailyPromptLimit,
    promptsLeftToday: Math.max(0, limits.dailyPromptLimit - prompts.used),
    promptsResetAt: isoOf(startOfNextDay(nowMs)),
    monthlySpeechMinutes: limits.monthlySpeechMinutes,
    monthlySpeechMinutesUsed: speechMinutes(speechSeconds),
    maxConcurrentSessions: limits.maxConcurrentSessions,
    activeSessions,
  };
}
