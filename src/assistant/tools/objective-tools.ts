import type { SloAssessment, UncountedSlo } from '../../diagnostics/slos/slo-assessment.js';
import { isTimeZone, MONTH_PATTERN } from '../../queries/slos/report-month.js';
import { formatReport } from '../../queries/slos/slo-report-markdown.js';
import type { Tool } from '../tool.js';
import {
  type ArgumentField,
  datetimeField,
  defineArguments,
  requiredField,
  textField,
  toEpochMs,
  toIsoString,
} from './tool-arguments.js';
import { createParameterlessTool, formatCountOrNone, readOperation, requireFound } from './tool-builders.js';

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

interface ReportArguments {
  readonly sloId: string;
  readonly month: string;
  readonly zone?: string;
  readonly asOf?: string;
}

interface ReportAnswer {
  readonly answer: { readonly isMet: boolean; readonly isOver: boolean; readonly markdown: string };
}

const MONTH_FIELD: ArgumentField = {
  schema: { type: 'string', pattern: MONTH_PATTERN.source, description: 'The calendar month, such as 2026-11.' },
  validate: (value) => (typeof value === 'string' && MONTH_PATTERN.test(value) ? undefined : 'a month such as 2026-11'),
};

export const getObjectiveReport: Tool<ReportArguments, ReportAnswer> = {
  name: 'GetObjectiveReport',
  api: readOperation('/apm/slos/{gridSecondaryId}/{sloId}/report'),
  description:
    'Report on one service level objective in a calendar month as Markdown: target, achieved share, error budget spent and left, the worst days, alerts and incidents.',
  ...defineArguments<ReportArguments>(
    {
      sloId: requiredField(textField('Id of the objective, from GetObjectives.')),
      month: requiredField(MONTH_FIELD),
      zone: textField('Time zone of the month and its days, such as Europe/Berlin; UTC by default.'),
      asOf: datetimeField('Report as of this moment instead of the end of the month.'),
    },
    ({ zone }) =>
      zone === undefined || isTimeZone(zone) ? undefined : 'zone must be a time zone such as Europe/Berlin.',
  ),
  async run({ queries, gridId }, { sloId, month, zone = 'UTC', asOf }) {
    const request = { month, zone, ...(asOf !== undefined && { asOfMs: toEpochMs(asOf) }) };
    const report = requireFound(
      await queries.slos.sloReport(gridId, sloId.toLowerCase(), request),
      'objective of this id',
    );
    const { slo, isMet, isOver } = report;
    return {
      data: { answer: { isMet, isOver, markdown: formatReport(report) } },
      source: { type: 'objective-report', description: `${slo.name}, ${month}` },
    };
  },
};
