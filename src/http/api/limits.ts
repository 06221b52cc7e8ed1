import type { GridLimits } from '../../accounting/limits.js';
import { speechMinutes } from '../../accounting/speech-account.js';
import type { UpdatedLimits } from '../../commands/assistant-commands.js';
import { shown } from '../../commands/shown.js';
import { LimitsModel } from '../requests/limits.js';
import { EVERY_ROLE, route, type Route } from '../route.js';
import { GridLimits as GridLimitsSchema, UpdatedLimits as UpdatedLimitsSchema } from '../schemas/usage.js';
import type { Shown } from '../schemas/terms.js';
import { iso } from './iso.js';

const shared = { tag: 'Assistant', grid: 'path', path: '/assistant/limits/{gridSecondaryId}' } as const;

export const limitRoutes: readonly Route[] = [
  route({
    ...shared,
    roles: EVERY_ROLE,
    method: 'GET',
    operationId: 'getLimits',
    summary: 'Read the limits of a Grid, and what is used of them',
    async run({ usage }, { principal, params: { gridSecondaryId: gridId }, nowMs }) {
      const [limits, { used: promptsUsed }, speechSeconds, activeSessions] = await Promise.all([
        usage.limits(gridId), usage.promptsToday(principal.id, gridId, nowMs), usage.speechSecondsThisMonth(gridId, nowMs), usage.activeSessions(gridId, nowMs),
      ]);
      return { gridId, limits, promptsUsed, speechSeconds, activeSessions };
    },
    answer: GridLimitsSchema,
    present: presentUsedLimits,
  }),
  route({
    ...shared,
    roles: ['Owner'],
    method: 'PUT',
    operationId: 'updateLimits',
    summary: 'Update the limits of a Grid',
    body: LimitsModel,
    refusals: ['conflict', 'not-found'],
    run: async ({ assistantCommands }, { principal, params: { gridSecondaryId: gridId }, body }) =>
      ({ gridId, ...(await shown(assistantCommands, assistantCommands.updateLimits(principal.id, gridId, { ...body }))) }),
    answer: UpdatedLimitsSchema,
    present: presentUpdatedLimits,
  }),
];

interface UsedLimits {
  readonly gridId: string;
  readonly limits: GridLimits;
  /** The caller's; the other two are the Grid's. */
  readonly promptsUsed: number;
  readonly speechSeconds: number;
  readonly activeSessions: number;
}

function presentUsedLimits({ gridId, limits, promptsUsed, speechSeconds, activeSessions }: UsedLimits): Shown<typeof GridLimitsSchema> {
  const { dailyPromptLimit, monthlySpeechMinutes, maxConcurrentSessions } = limits;
  return {
    gridSecondaryId: gridId,
    dailyPromptLimit, dailyPromptsUsed: promptsUsed,
    monthlySpeechMinutes, monthlySpeechMinutesUsed: speechMinutes(speechSeconds),
    maxConcurrentSessions, activeSessions,
  };
}

function presentUpdatedLimits({ gridId, limits, updatedAt, updatedBy }: UpdatedLimits & { readonly gridId: string }): Shown<typeof UpdatedLimitsSchema> {
  const { dailyPromptLimit, monthlySpeechMinutes, maxConcurrentSessions } = limits;
  return { gridSecondaryId: gridId, dailyPromptLimit, monthlySpeechMinutes, maxConcurrentSessions, updatedAt: iso(updatedAt), updatedBy };
}
