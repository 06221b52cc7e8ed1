import { energyFigures, type EnergyFigures } from '../../accounting/energy.js';
import type { Principal } from '../../auth/principal.js';
import type { NamedGrid, PromptsToday, UsageQueries, UsageSummary } from '../../queries/assistant/questions.js';
import { UsageRangeModel } from '../requests/usage-range.js';
import { floorMs } from '../requests/window.js';
import { EVERY_ROLE, route, type Route } from '../route.js';
import { Energy, OwnUsage, type UsageInGrid, UsageStatus, UsageSummary as UsageSummarySchema } from '../schemas/usage.js';
import type { Shown } from '../schemas/terms.js';
import { iso } from './iso.js';

const shared = { tag: 'Assistant', method: 'GET', roles: EVERY_ROLE } as const;

export const usageRoutes: readonly Route[] = [
  route({
    ...shared,
    grid: 'none',
    path: '/assistant/usage/energy',
    operationId: 'getEnergy',
    summary: 'Read the energy of the caller',
    run: async ({ usage }, { principal, nowMs }) => energyFigures(await usage.energy(principal.id, nowMs), nowMs),
    answer: Energy,
    present: presentEnergy,
  }),
  route({
    ...shared,
    grid: 'path',
    path: '/assistant/usage/{gridSecondaryId}/status',
    operationId: 'getUsageStatus',
    summary: "Read the caller's usage in a Grid",
    run: ({ usage }, { principal, params, nowMs }) => usageIn(usage, principal, params.gridSecondaryId, nowMs),
    answer: UsageStatus,
    present: presentStatus,
  }),
  route({
    ...shared,
    grid: 'path',
    path: '/assistant/usage/{gridSecondaryId}/summary',
    operationId: 'getUsageSummary',
    summary: 'Read the usage of a Grid, day by day',
    query: UsageRangeModel,
    async run({ usage }, { params: { gridSecondaryId }, query }) {
      const [fromMs, toMs] = [floorMs(query.from), floorMs(query.to)];
      return { gridSecondaryId, fromMs, toMs, summary: await usage.usageSummary(gridSecondaryId, fromMs, toMs) };
    },
    answer: UsageSummarySchema,
    present: presentSummary,
  }),
  route({
    ...shared,
    grid: 'none',
    path: '/assistant/usage/me',
    operationId: 'getOwnUsage',
    summary: "Read the caller's usage in all of its Grids",
    async run({ usage }, { principal, nowMs }) {
      const grids = await gridsOf(usage, principal);
      return Promise.all(grids.map(async (grid) => ({ grid, ...(await usageIn(usage, principal, grid.gridId, nowMs)) })));
    },
    answer: OwnUsage,
    present: (grids) => ({ grids: grids.map(presentNamed) }),
  }),
];

/** An API key is in its own Grid alone; memberships of users never count for it. */
async function gridsOf(usage: UsageQueries, principal: Principal): Promise<readonly NamedGrid[]> {
  if (principal.kind !== 'key') return usage.gridsOf(principal.id, principal.kind);
  const own = await usage.namedGrid(principal.gridId);
  return own === undefined ? [] : [own];
}

interface UsageIn {
  readonly gridId: string;
  readonly dailyPromptLimit: number;
  readonly prompts: PromptsToday;
}

async function usageIn(usage: UsageQueries, { id }: Principal, gridId: string, nowMs: number): Promise<UsageIn> {
  const [{ dailyPromptLimit }, prompts] = await Promise.all([usage.limits(gridId), usage.promptsToday(id, gridId, nowMs)]);
  return { gridId, dailyPromptLimit, prompts };
}

function presentEnergy({ currentEnergy, maxEnergy, regenerationRate, regenerationIntervalMinutes, nextRegeneration }: EnergyFigures): Shown<typeof Energy> {
  return { currentEnergy, maxEnergy, regenerationRate, regenerationIntervalMinutes, nextRegenerationAt: iso(nextRegeneration) };
}

/** `lastUsedAt` is null before the first use. */
function presentStatus({ gridId, dailyPromptLimit, prompts: { used, lastUsedAt } }: UsageIn): Shown<typeof UsageStatus> {
  return {
    gridSecondaryId: gridId, enabled: dailyPromptLimit > 0, promptsUsedToday: used, promptLimitToday: dailyPromptLimit,
    lastUsedAt: lastUsedAt === undefined ? null : iso(lastUsedAt),
  };
}

/** Without a subscription nothing of a Grid can be used. */
function presentNamed({ grid: { gridId, name, subscriptionActive }, dailyPromptLimit, prompts: { used } }: UsageIn & { readonly grid: NamedGrid }): Shown<typeof UsageInGrid> {
  return { gridSecondaryId: gridId, gridName: name, promptsUsedToday: used, promptLimitToday: dailyPromptLimit, enabled: subscriptionActive && dailyPromptLimit > 0 };
}

interface SummaryOf {
  readonly gridSecondaryId: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly summary: UsageSummary;
}

function presentSummary({ gridSecondaryId, fromMs, toMs, summary }: SummaryOf): Shown<typeof UsageSummarySchema> {
  const { totalPrompts, totalEnergyConsumed, totalSpeechSyntheses, totalSpeechRecognitions, dailyBreakdown } = summary;
  return {
    gridSecondaryId, from: iso(fromMs), to: iso(toMs),
    totalPrompts, totalEnergyConsumed, totalSpeechSyntheses, totalSpeechRecognitions,
    dailyBreakdown: dailyBreakdown.map(({ date, prompts, energy }) => ({ date, prompts, energy })),
  };
}
