import { type EnergyFigures, toEnergyFigures } from '../../accounting/prompt-account.js';
import { findQuotaOwner, type Principal } from '../../auth/principal.js';
import type { NamedGrid, PromptsToday, UsageQueries, UsageSummary } from '../../queries/usage/usage-query-types.js';
import { LimitsModel, UsageRangeModel } from '../requests/assistant-requests.js';
import { floorMs } from '../requests/diagnostics-requests.js';
import { defineRoute, EVERY_ROLE, type Route } from '../route.js';
import { listNamedGrids } from '../steps/grids-of-member.js';
import {
  Energy,
  GridLimits as GridLimitsSchema,
  OwnUsage,
  UpdatedLimits as UpdatedLimitsSchema,
  type UsageInGrid,
  UsageStatus,
  UsageSummary as UsageSummarySchema,
} from '../schemas/assistant-schemas.js';
import type { ResponseBody } from '../schemas/schema-builders.js';
import { formatTimestamp } from './value-conversions.js';
import type { GridLimits } from '../../accounting/usage-limits.js';
import { toSpeechMinutes } from '../../accounting/speech-account.js';
import type { UpdatedLimits } from '../../commands/assistant/assistant-commands.js';
import { waitUntilVisible } from '../../commands/read-your-writes.js';

const USAGE_ROUTE = { tag: 'Assistant', method: 'GET', roles: EVERY_ROLE } as const;

export const usageRoutes: readonly Route[] = [
  defineRoute({
    ...USAGE_ROUTE,
    grid: 'none',
    path: '/assistant/usage/energy',
    operationId: 'getEnergy',
    summary: 'Read the energy of the caller',
    run: async ({ usage }, { principal, nowMs }) =>
      toEnergyFigures(await usage.energy(findQuotaOwner(principal), nowMs), nowMs),
    responseSchema: Energy,
    present: presentEnergy,
  }),
  defineRoute({
    ...USAGE_ROUTE,
    grid: 'path',
    path: '/assistant/usage/{gridSecondaryId}/status',
    operationId: 'getUsageStatus',
    summary: 'Read the assistant usage of the caller in a Grid',
    run: ({ usage }, { principal, params, nowMs }) => readGridUsage(usage, principal, params.gridSecondaryId, nowMs),
    responseSchema: UsageStatus,
    present: presentUsageStatus,
  }),
  defineRoute({
    ...USAGE_ROUTE,
    grid: 'path',
    path: '/assistant/usage/{gridSecondaryId}/summary',
    operationId: 'getUsageSummary',
    summary: 'Read the daily assistant usage of a Grid',
    query: UsageRangeModel,
    async run({ usage }, { params: { gridSecondaryId }, query }) {
      const [fromMs, toMs] = [floorMs(query.from), floorMs(query.to)];
      return { gridSecondaryId, fromMs, toMs, summary: await usage.usageSummary(gridSecondaryId, fromMs, toMs) };
    },
    responseSchema: UsageSummarySchema,
    present: presentUsageSummary,
  }),
  defineRoute({
    ...USAGE_ROUTE,
    grid: 'none',
    path: '/assistant/usage/me',
    operationId: 'getOwnUsage',
    summary: 'Read the assistant usage of the caller in all of its Grids',
    async run({ usage }, { principal, nowMs }) {
      const grids = await findGrids(usage, principal);
      return Promise.all(
        grids.map(async (grid) => ({ grid, ...(await readGridUsage(usage, principal, grid.gridId, nowMs)) })),
      );
    },
    responseSchema: OwnUsage,
    present: (grids) => ({ grids: grids.map(presentGridUsage) }),
  }),
];

/** An API key belongs to its own Grid only; memberships of users with the same id do not apply to it. */
async function findGrids(usage: UsageQueries, principal: Principal): Promise<readonly NamedGrid[]> {
  if (principal.kind !== 'key') return listNamedGrids(usage, principal);
  const grid = await usage.namedGrid(principal.gridId);
  return grid === undefined ? [] : [grid];
}

interface GridUsage {
  readonly gridId: string;
  readonly dailyPromptLimit: number;
  readonly prompts: PromptsToday;
}

async function readGridUsage(
  usage: UsageQueries,
  principal: Principal,
  gridId: string,
  nowMs: number,
): Promise<GridUsage> {
  const [{ dailyPromptLimit }, prompts] = await Promise.all([
    usage.limits(gridId),
    usage.promptsToday(findQuotaOwner(principal), gridId, nowMs),
  ]);
  return { gridId, dailyPromptLimit, prompts };
}

function presentEnergy({
  currentEnergy,
  maxEnergy,
  regenerationRate,
  regenerationIntervalMinutes,
  nextRegeneration,
}: EnergyFigures): ResponseBody<typeof Energy> {
  return {
    currentEnergy,
    maxEnergy,
    regenerationRate,
    regenerationIntervalMinutes,
    nextRegenerationAt: formatTimestamp(nextRegeneration),
  };
}

function presentUsageStatus({
  gridId,
  dailyPromptLimit,
  prompts: { used, lastUsedAt },
}: GridUsage): ResponseBody<typeof UsageStatus> {
  return {
    gridSecondaryId: gridId,
    enabled: dailyPromptLimit > 0,
    promptsUsedToday: used,
    promptLimitToday: dailyPromptLimit,
    lastUsedAt: lastUsedAt === undefined ? null : formatTimestamp(lastUsedAt),
  };
}

/** The assistant is disabled while the subscription is inactive. */
function presentGridUsage({
  grid: { gridId, name, subscriptionActive },
  dailyPromptLimit,
  prompts: { used },
}: GridUsage & { readonly grid: NamedGrid }): ResponseBody<typeof UsageInGrid> {
  return {
    gridSecondaryId: gridId,
    gridName: name,
    promptsUsedToday: used,
    promptLimitToday: dailyPromptLimit,
    enabled: subscriptionActive && dailyPromptLimit > 0,
  };
}

interface UsageSummaryResult {
  readonly gridSecondaryId: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly summary: UsageSummary;
}

function presentUsageSummary({
  gridSecondaryId,
  fromMs,
  toMs,
  summary,
}: UsageSummaryResult): ResponseBody<typeof UsageSummarySchema> {
  const { totalPrompts, totalEnergyConsumed, totalSpeechSyntheses, totalSpeechRecognitions, dailyBreakdown } = summary;
  return {
    gridSecondaryId,
    from: formatTimestamp(fromMs),
    to: formatTimestamp(toMs),
    totalPrompts,
    totalEnergyConsumed,
    totalSpeechSyntheses,
    totalSpeechRecognitions,
    dailyBreakdown: dailyBreakdown.map(({ date, prompts, energy }) => ({ date, prompts, energy })),
  };
}

const LIMIT_ROUTE = { tag: 'Assistant', grid: 'path', path: '/assistant/limits/{gridSecondaryId}' } as const;

export const limitRoutes: readonly Route[] = [
  defineRoute({
    ...LIMIT_ROUTE,
    roles: EVERY_ROLE,
    method: 'GET',
    operationId: 'getLimits',
    summary: 'Read the limits of a Grid and their current usage',
    async run({ usage }, { principal, params: { gridSecondaryId: gridId }, nowMs }) {
      const [limits, { used: promptsUsed }, speechSeconds, activeSessions] = await Promise.all([
        usage.limits(gridId),
        usage.promptsToday(findQuotaOwner(principal), gridId, nowMs),
        usage.speechSecondsThisMonth(gridId, nowMs),
        usage.activeSessions(gridId, nowMs),
      ]);
      return { gridId, limits, promptsUsed, speechSeconds, activeSessions };
    },
    responseSchema: GridLimitsSchema,
    present: presentLimitUsage,
  }),
  defineRoute({
    ...LIMIT_ROUTE,
    roles: ['Owner'],
    method: 'PUT',
    operationId: 'updateLimits',
    summary: 'Update the limits of a Grid',
    body: LimitsModel,
    refusals: ['conflict', 'not-found'],
    run: async ({ assistantCommands }, { principal, params: { gridSecondaryId: gridId }, body }) => ({
      gridId,
      ...(await waitUntilVisible(assistantCommands, assistantCommands.updateLimits(principal.id, gridId, { ...body }))),
    }),
    responseSchema: UpdatedLimitsSchema,
    present: presentUpdatedLimits,
  }),
];

interface LimitUsage {
  readonly gridId: string;
  readonly limits: GridLimits;
  /** Of the caller. The speech seconds and sessions are those of the Grid. */
  readonly promptsUsed: number;
  readonly speechSeconds: number;
  readonly activeSessions: number;
}

function presentLimitUsage({
  gridId,
  limits,
  promptsUsed,
  speechSeconds,
  activeSessions,
}: LimitUsage): ResponseBody<typeof GridLimitsSchema> {
  const { dailyPromptLimit, monthlySpeechMinutes, maxConcurrentSessions } = limits;
  return {
    gridSecondaryId: gridId,
    dailyPromptLimit,
    dailyPromptsUsed: promptsUsed,
    monthlySpeechMinutes,
    monthlySpeechMinutesUsed: toSpeechMinutes(speechSeconds),
    maxConcurrentSessions,
    activeSessions,
  };
}

function presentUpdatedLimits({
  gridId,
  limits,
  updatedAt,
  updatedBy,
}: UpdatedLimits & { readonly gridId: string }): ResponseBody<typeof UpdatedLimitsSchema> {
  const { dailyPromptLimit, monthlySpeechMinutes, maxConcurrentSessions } = limits;
  return {
    gridSecondaryId: gridId,
    dailyPromptLimit,
    monthlySpeechMinutes,
    maxConcurrentSessions,
    updatedAt: formatTimestamp(updatedAt),
    updatedBy,
  };
}
