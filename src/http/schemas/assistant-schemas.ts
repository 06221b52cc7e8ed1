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

export const EXAMPLE_GRID_ID = '0a0a0a0a-1111-4222-8333-0123456789ab';
export const EXAMPLE_INSTANCE_ID = '4b825dc6-42cb-4eb9-a060-e54bf8d69288';
export const gridSecondaryId = uuid('Id of the Grid.', EXAMPLE_GRID_ID);

export const AssistantSession = record('AssistantSession', 'A session of the assistant within one Grid.', {
  instanceSecondaryId: uuid('Id of the session, used in the chat and speech operations.', EXAMPLE_INSTANCE_ID),
  gridSecondaryId,
  startedAt: instant('When the session started.'),
  expiresAt: instant('When the session expires: 30 minutes after its last use.', '2026-03-14T09:56:00.000Z'),
});

export const Source = record('Source', 'A source of an answer: a query of the data.', {
  type: text('The query, such as a diagnostic.', 'health'),
  description: text('What the query covered.', '7 services, last 15 minutes'),
  confidence: Type.Optional(fraction('For diagnoses: probability that the cause is correct.', 0.87)),
  traceCount: Type.Optional(count('Number of traces used.', 214)),
});

export const ChatReply = record('ChatReply', 'An answer of the assistant.', {
  response: text(
    'The answer, in Markdown, and below it the queries that were asked, as requests to the API.',
    'payment has been slow since 09:26 UTC: its p95 rose from 210 ms to 1,840 ms.',
  ),
  conversationId: uuid('Id of the conversation. Send it with the next prompt.', '1f0e9d8c-7b6a-4958-8776-655443322110'),
  sources: listOf(Source, 'Sources of the answer, in the order in which they were queried.'),
  suggestedFollowUps: listOf(text('A question.', 'What changed before 09:26?'), 'Suggested next questions.'),
  energyConsumed: count(
    'Energy consumed by the answer: 1; by one of a language model 1 more per source, at most 10.',
    1,
  ),
});

const Voice = record('Voice', 'A voice for speech synthesis.', {
  name: text('Value for `voice`.', 'hindsight'),
  description: text('Description of the voice.', 'The voice of the assistant'),
  language: text('Language (BCP 47).', 'en'),
});

export const Voices = listing('Voices', 'The voices for speech synthesis.', {
  voices: listOf(Voice, 'The first voice is the default.'),
});

export const Transcript = record('Transcript', 'The transcript of a recording.', {
  text: text('The recognized words; empty if nothing was recognized.', 'is anything broken'),
  confidence: fraction('Confidence of the recognition.', 0.91),
  durationMs: count('Duration of the recording. Whole milliseconds.', 2_140),
});

const enabled = flag('Whether the assistant is enabled.', true);
const promptsUsedToday = count('Prompts that the caller has used in the Grid today (UTC).', 3);
const promptLimitToday = count('Prompts per user and day in the Grid.', 100);

export const Energy = record('Energy', 'Energy of the caller, shared across all Grids. Each reply consumes energy.', {
  currentEnergy: count('Available energy.', 88),
  maxEnergy: count('Maximum energy.', 100),
  regenerationRate: count('Energy regenerated per interval.', 10),
  regenerationIntervalMinutes: count('Length of the regeneration interval. Minutes.', 60),
  nextRegenerationAt: instant(
    'Time of the next regeneration; at full energy, one interval from now.',
    '2026-03-14T10:00:00.000Z',
  ),
});

export const UsageStatus = record('UsageStatus', 'Assistant usage of the caller in a Grid.', {
  gridSecondaryId,
  enabled,
  promptsUsedToday,
  promptLimitToday,
  lastUsedAt: nullable(
    instant('Time of the last prompt of the caller.'),
    'Time of the last prompt of the caller; null before the first prompt.',
  ),
});

const UsageOfDay = record('UsageOfDay', 'Usage of one day (UTC).', {
  date: Type.String({ format: 'date', description: 'The day, YYYY-MM-DD.', examples: ['2026-03-14'] }),
  prompts: count('Prompts of all members.', 12),
  energy: count('Energy consumed.', 41),
});

export const UsageSummary = record('UsageSummary', 'Assistant usage of all members of a Grid.', {
  gridSecondaryId,
  from: instant('Start of the range.', '2026-03-14T00:00:00.000Z'),
  to: instant('End of the range.', '2026-03-15T00:00:00.000Z'),
  totalPrompts: count('Total prompts.', 12),
  totalEnergyConsumed: count('Energy consumed.', 41),
  totalSpeechSyntheses: count('Number of speech syntheses.', 2),
  totalSpeechRecognitions: count('Number of speech recognitions.', 1),
  dailyBreakdown: listOf(UsageOfDay, 'One entry for every day of the range, sorted by date.'),
});

export const UsageInGrid = record('UsageInGrid', 'Assistant usage of the caller in one Grid.', {
  gridSecondaryId,
  gridName: text('Name of the Grid.', 'shop'),
  promptsUsedToday,
  promptLimitToday,
  enabled,
});

export const OwnUsage = listing('OwnUsage', 'Assistant usage of the caller in all of its Grids.', {
  grids: listOf(UsageInGrid, 'Sorted by the name of the Grid.'),
});

const limits = {
  gridSecondaryId,
  dailyPromptLimit: count('Prompts per user and day; 0 disables the assistant.', 100),
  monthlySpeechMinutes: count('Minutes of audio (synthesis and recognition) per month (UTC).', 60),
  maxConcurrentSessions: count('Maximum number of concurrent assistant sessions.', 10),
};

export const GridLimits = record('GridLimits', 'Limits of a Grid and their current usage.', {
  ...limits,
  dailyPromptsUsed: count('Prompts that the caller has used today.', 3),
  monthlySpeechMinutesUsed: number('Minutes of audio used this month.', 4.25),
  activeSessions: count('Number of active assistant sessions.', 1),
});

export const UpdatedLimits = record('UpdatedLimits', 'Limits of a Grid and who set them.', {
  ...limits,
  updatedAt: instant('When the limits were set.'),
  updatedBy: text('Id of the user who set the limits.', 'owner'),
});
