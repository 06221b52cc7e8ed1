import Type from 'typebox';
import {
  count,
  flag,
  fraction,
  instant,
  listing,
  listOf,
  nullable,
  number,
  record,
  text,
  uuid,
} from './schema-builders.js';

export const GRID_ID = '0a0a0a0a-1111-4222-8333-0123456789ab';
export const INSTANCE_ID = '4b825dc6-42cb-4eb9-a060-e54bf8d69288';
export const gridSecondaryId = uuid('Id of the Grid.', GRID_ID);

export const AssistantSession = record('AssistantSession', 'A session of the assistant within one Grid.', {
  instanceSecondaryId: uuid('Id of the assistant instance, which chat and speech are asked by.', INSTANCE_ID),
  gridSecondaryId,
  startedAt: instant('When it started.'),
  expiresAt: instant(
    'When it ends by itself unless it is used: 30 minutes after the last use.',
    '2026-03-14T09:56:00.000Z',
  ),
});

export const Source = record('Source', 'What an answer rests on: a question that was asked of the data.', {
  type: text('The question, such as a diagnostic.', 'health'),
  description: text('What it looked at.', '7 services, last 15 minutes'),
  confidence: Type.Optional(fraction('Of diagnoses: chance that the cause is right.', 0.87)),
  traceCount: Type.Optional(count('Traces that it rests on.', 214)),
});

export const ChatReply = record('ChatReply', 'An answer of the assistant.', {
  response: text(
    'The answer, in Markdown.',
    'payment answers slowly since 09:26 UTC: its p95 rose from 210 ms to 1,840 ms.',
  ),
  conversationId: uuid('Id of the conversation: send it with the next prompt.', '1f0e9d8c-7b6a-4958-8776-655443322110'),
  sources: listOf(Source, 'What the answer rests on, in the order in which it was consulted.'),
  suggestedFollowUps: listOf(
    text('A question.', 'What changed before 09:26?'),
    'Questions that the assistant can answer.',
  ),
  energyConsumed: count('Energy that the answer cost: 1, and 1 for each source, at most 10.', 2),
});

const Voice = record('Voice', 'A voice that texts can be read with.', {
  name: text('What `voice` takes.', 'hindsight'),
  description: text('What it is like.', 'The voice of the assistant'),
  language: text('Language that it speaks (BCP 47).', 'en'),
});

export const Voices = listing('Voices', 'Voices that texts can be read with.', {
  voices: listOf(Voice, 'The first is the default.'),
});

export const Transcript = record('Transcript', 'What a recording says.', {
  text: text('The words; empty where nothing was understood.', 'is anything broken'),
  confidence: fraction('How sure the recognition is.', 0.91),
  durationMs: count('Length of the recording. Whole milliseconds.', 2_140),
});

const enabled = flag('Whether the assistant can be used.', true);
const promptsUsedToday = count("The caller's prompts in the Grid today; days are those of UTC.", 3);
const promptLimitToday = count('Prompts that each user has in the Grid a day.', 100);

export const Energy = record('Energy', "The caller's energy, which replies cost, over all Grids.", {
  currentEnergy: count('Energy that there is.', 88),
  maxEnergy: count('Energy that there can be.', 100),
  regenerationRate: count('Energy that comes back in one interval.', 10),
  regenerationIntervalMinutes: count('Length of an interval. Minutes.', 60),
  nextRegenerationAt: instant(
    'When the next of it comes; with full energy one interval from now.',
    '2026-03-14T10:00:00.000Z',
  ),
});

export const UsageStatus = record('UsageStatus', "The caller's usage in a Grid.", {
  gridSecondaryId,
  enabled,
  promptsUsedToday,
  promptLimitToday,
  lastUsedAt: nullable(
    instant('When the caller asked last.'),
    'When the caller asked last; null before the first prompt.',
  ),
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
  promptsUsedToday,
  promptLimitToday,
  enabled,
});

export const OwnUsage = listing('OwnUsage', "The caller's usage in all of its Grids.", {
  grids: listOf(UsageInGrid, 'By name of the Grid.'),
});

const limits = {
  gridSecondaryId,
  dailyPromptLimit: count('Prompts that each user has a day; 0 switches the assistant off.', 100),
  monthlySpeechMinutes: count(
    'Minutes of audio, read aloud and written down, that the Grid has a month; months are those of UTC.',
    60,
  ),
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
