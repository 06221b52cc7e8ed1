import { startOfNextDay } from '../../accounting/utc-calendar.js';
import { type EnergyFigures, toEnergyFigures } from '../../accounting/prompt-account.js';
import { toSpeechMinutes } from '../../accounting/speech-account.js';
import type { Tool, ToolContext } from '../tool.js';
import { datetimeField, defineArguments, requiredField, toEpochMs, toIsoString } from './tool-arguments.js';
import { createParameterlessTool, formatCountOrNone, readOperation } from './tool-builders.js';
import type { UsageSummary } from '../../queries/usage/usage-query-types.js';
import { describeTimeframe } from './window-arguments.js';

/** Remaining use of the assistant, with the API's member names. */
export interface AssistantUsage {
  readonly energy: Omit<EnergyFigures, 'nextRegeneration'> & { readonly nextRegenerationAt: string };
  /** Prompts of the caller in this Grid on this UTC day, including the current one. */
  readonly promptsUsedToday: number;
  readonly promptLimitToday: number;
  readonly promptsLeftToday: number;
  readonly promptsResetAt: string;
  /** For the Grid in this UTC month. */
  readonly monthlySpeechMinutes: number;
  readonly monthlySpeechMinutesUsed: number;
  readonly maxConcurrentSessions: number;
  readonly activeSessions: number;
}

export const getUsage = createParameterlessTool({
  name: 'GetUsage',
  description:
    'What the caller used of the assistant and what is left: energy, prompts today, speech minutes of the month and sessions of the Grid.',
  ask: loadUsage,
  source: ({ promptsUsedToday, promptLimitToday }) => ({
    type: 'usage',
    description: `${promptsUsedToday} of ${promptLimitToday} prompts today`,
  }),
});

async function loadUsage({ queries: { usage }, gridId, userId, nowMs }: ToolContext): Promise<AssistantUsage> {
  const [limits, level, prompts, speechSeconds, activeSessions] = await Promise.all([
    usage.limits(gridId),
    usage.energy(userId, nowMs),
    usage.promptsToday(userId, gridId, nowMs),
    usage.speechSecondsThisMonth(gridId, nowMs),
    usage.activeSessions(gridId, nowMs),
  ]);
  const { nextRegeneration, ...energy } = toEnergyFigures(level, nowMs);
  return {
    energy: { ...energy, nextRegenerationAt: toIsoString(nextRegeneration) },
    promptsUsedToday: prompts.used,
    promptLimitToday: limits.dailyPromptLimit,
    promptsLeftToday: Math.max(0, limits.dailyPromptLimit - prompts.used),
    promptsResetAt: toIsoString(startOfNextDay(nowMs)),
    monthlySpeechMinutes: limits.monthlySpeechMinutes,
    monthlySpeechMinutesUsed: toSpeechMinutes(speechSeconds),
    maxConcurrentSessions: limits.maxConcurrentSessions,
    activeSessions,
  };
}

interface UsageSummaryArguments {
  readonly from: string;
  readonly to: string;
}

/** Longest range with a daily breakdown. */
const MAX_RANGE_MS = 31 * 86_400_000;

export const getUsageSummary: Tool<UsageSummaryArguments, UsageSummary> = {
  name: 'GetUsageSummary',
  api: readOperation('/assistant/usage/{gridSecondaryId}/summary'),
  description:
    'What all users of the Grid used of the assistant between two moments, at most 31 days apart: prompts and energy by UTC day, syntheses and recognitions.',
  ...defineArguments<UsageSummaryArguments>(
    {
      from: requiredField(datetimeField('Start; its whole day counts.')),
      to: requiredField(datetimeField('End; its whole day counts.')),
    },
    ({ from, to }) =>
      toEpochMs(to) < toEpochMs(from)
        ? 'to must not be before from.'
        : toEpochMs(to) - toEpochMs(from) > MAX_RANGE_MS
          ? 'to must be at most 31 days after from.'
          : undefined,
  ),
  async run({ queries, gridId }, { from, to }) {
    const data = await queries.usage.usageSummary(gridId, toEpochMs(from), toEpochMs(to));
    return {
      data,
      source: {
        type: 'usage-summary',
        description: `${formatCountOrNone(data.totalPrompts, 'prompt')}, ${describeTimeframe({ fromMs: toEpochMs(from), toMs: toEpochMs(to) })}`,
      },
    };
  },
};
