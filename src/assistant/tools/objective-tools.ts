import type { SloAssessment, UncountedSlo } from '../../diagnostics/slos/slo-assessment.js';
import { toIsoString } from './tool-arguments.js';
import { createParameterlessTool, formatCountOrNone } from './tool-builders.js';

export const getObjectives = createParameterlessTool({
  name: 'GetObjectives',
  path: '/apm/slos/{gridSecondaryId}',
  description:
    'Service level objectives: whether each is met, what remains of its error budget, and burn rates over 5 m, 30 m, 1 h, 6 h and 3 d (1 uses up the budget exactly by the end of the window).',
  ask: async ({ queries, gridId }) => {
    const { assessed, uncounted } = await queries.slos.assessSlos(gridId);
    return { slos: assessed.map(toObjective), uncounted: uncounted.map(toUncounted) };
  },
  source: ({ slos, uncounted }) => ({
    type: 'objectives',
    description: formatCountOrNone(slos.length + uncounted.length, 'SLO'),
  }),
});

function toUncounted({ slo: { id, name, indicator }, failure }: UncountedSlo) {
  return { id, name, indicator, failure };
}

/** With the member names and the rounding of the API. */
function toObjective({ slo, window, events, excluded, attained, budget, burnRates, status }: SloAssessment) {
  const { id, name, indicator, objective, windowDays, calendar, excludesMaintenance = false } = slo;
  return {
    ...{ id, name, indicator, objective, windowDays, calendar, excludesMaintenance, status },
    from: toIsoString(window.fromMs),
    to: toIsoString(window.toMs),
    ...events,
    excluded: excluded.total,
    sli: attained === undefined ? null : round(attained, 4),
    errorBudget: {
      total: round(budget.total, 3),
      consumed: budget.consumed,
      remaining: round(budget.remaining, 3),
      remainingPercent: round(budget.remainingPercent, 2),
    },
    burnRates: Object.fromEntries(Object.entries(burnRates).map(([over, rate]) => [over, round(rate, 3)])),
  };
}

function round(value: number, decimals: number): number {
  return Number(value.toFixed(decimals));
}
