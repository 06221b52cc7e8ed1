import Type from 'typebox';
import { gridSecondaryId } from './assistant.js';
import { count, flag, instant, listing, listOf, nullable, number, record, text } from './terms.js';

const enabled = flag('Whether the assistant can be used.', true);
const promptsUsedToday = count("The caller's prompts in the Grid today; days are those of UTC.", 3);
const promptLimitToday = count('Prompts that each user has in the Grid a day.', 100);

export const Energy = record('Energy', "The caller's energy, which replies cost, over all Grids.", {
  currentEnergy: count('Energy that there is.', 88),
  maxEnergy: count('Energy that there can be.', 100),
  regenerationRate: count('Energy that comes back in one interval.', 10),
  regenerationIntervalMinutes: count('Length of an interval. Minutes.', 60),
  nextRegenerationAt: instant('When the next of it comes; with full energy one interval from now.', '2026-03-14T10:00:00.000Z'),
});

export const UsageStatus = record('UsageStatus', "The caller's usage in a Grid.", {
  gridSecondaryId, enabled, promptsUsedToday, promptLimitToday,
  lastUsedAt: nullable(instant('When the caller asked last.'), 'When the caller asked last; null before the first prompt.'),
});

const UsageOfDay = record('UsageOfDay', 'Usage of one day of UTC.', {
  date: Type.String({ format: 'date', description: 'The day, YYYY-MM-DD.', examples: ['2026-03-14'] }),
  prompts: count('Prompts of all members.', 12),
  energy: count('Energy that they cost.', 41),
});

export const UsageSummary = record('UsageSummary', 'Usage of a Grid by all of its members.', {
  gridSecondaryId,
  from: instant('Start of the range.', '2026-03-14T00:00:00.000Z'),
  to: instant('End of the range.', '2026-03-15T00:00:00.000Z'),
  totalPrompts: count('Prompts.', 12),
  totalEnergyConsumed: count('Energy that they cost.', 41),
  totalSpeechSyntheses: count('Texts that were read aloud.', 2),
  totalSpeechRecognitions: count('Recordings that were written down.', 1),
  dailyBreakdown: listOf(UsageOfDay, 'Every day of the range, by date.'),
});

export const UsageInGrid = record('UsageInGrid', "The caller's usage in one of its Grids.", {
  gridSecondaryId,
  gridName: text('Name of the Grid.', 'shop'),
  promptsUsedToday, promptLimitToday, enabled,
});
export const OwnUsage = listing('OwnUsage', "The caller's usage in all of its Grids.", { grids: listOf(UsageInGrid, 'By name of the Grid.') });

const limits = {
  gridSecondaryId,
  dailyPromptLimit: count('Prompts that each user has a day; 0 switches the assistant off.', 100),
  monthlySpeechMinutes: count('Minutes of audio, read aloud and written down, that the Grid has a month; months are those of UTC.', 60),
  maxConcurrentSessions: count('Assistant sessions that may be in use at once.', 10),
};

export const GridLimits = record('GridLimits', 'Limits of a Grid, and what is used of them.', {
  ...limits,
  dailyPromptsUsed: count("The caller's prompts today.", 3),
  monthlySpeechMinutesUsed: number("The Grid's minutes of this month.", 4.25),
  activeSessions: count('Sessions of the Grid that are in use.', 1),
});

export const UpdatedLimits = record('UpdatedLimits', 'Limits of a Grid, and who set them.', {
  ...limits,
  updatedAt: instant('When they were set.'),
  updatedBy: text('Id of the user who set them.', 'owner'),
});
