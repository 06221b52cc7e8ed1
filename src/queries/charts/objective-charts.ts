import { type Chart, ERROR_BUDGET_METRIC } from '../../diagnostics/chart-model.js';
import type { ChartData, ChartSeries, ChartWindow } from '../../diagnostics/chart-series/chart-series.js';
import type { SloAssessment } from '../../diagnostics/slos/slo-assessment.js';
import type { SloQueries } from '../slos/slo-query-types.js';
import { type ChartRequest, withAnswers } from './answered-charts.js';
import type { ChartQueries } from './chart-query-types.js';

const PERCENT = '%';
const DECIMALS = 2;
/** Objectives that a chart of the type `value` shows: those that have the least left. */
const MAX_FIGURES = 6;

/** Chart queries that also answer charts of the error budgets of objectives, which are counted from telemetry. */
export function withObjectiveCharts(charts: ChartQueries, slos: Pick<SloQueries, 'assessSlos'>): ChartQueries {
  return withAnswers(
    charts,
    ({ metric }) => metric === ERROR_BUDGET_METRIC,
    (chart, data, request) => answerChart(chart, data, request, slos),
  );
}

/** The budget left at the end of the window, the least first; objectives without events have no value. */
async function answerChart(
  { chartType }: Pick<Chart, 'chartType'>,
  { unansweredFromMs: _, ...data }: ChartData,
  { gridId, when }: ChartRequest,
  slos: Pick<SloQueries, 'assessSlos'>,
): Promise<ChartData> {
  const { frame } = data;
  if (when.filter !== undefined) return { ...data, hint: 'Objectives cannot be narrowed by a condition.' };
  const isPast = frame.toMs < frame.nowMs || when.asOfMs !== undefined;
  const { assessed, uncounted } = await slos.assessSlos(gridId, isPast ? Math.min(frame.toMs, frame.nowMs) : undefined);
  const known = assessed
    .filter(({ events }) => events.total > 0)
    .sort((a, b) => a.budget.remainingPercent - b.budget.remainingPercent);
  const names = uncounted.map(({ slo }) => slo.name);
  return {
    ...data,
    series: (chartType === 'value' ? known.slice(0, MAX_FIGURES) : known).flatMap((one) =>
      chartType === 'table' ? toRow(one, frame) : [toBudget(one, frame)],
    ),
    unit: PERCENT,
    decimals: DECIMALS,
    ...(names.length > 0 && { hint: `These objectives could not be counted: ${names.join(', ')}.` }),
  };
}

function toBudget({ slo, budget }: SloAssessment, frame: ChartWindow): ChartSeries {
  return toSeries(slo.name, budget.remainingPercent, frame);
}

function toRow({ slo, budget, attained }: SloAssessment, frame: ChartWindow): ChartSeries[] {
  const figures = { 'budget left': budget.remainingPercent, good: attained!, objective: slo.objective };
  return Object.entries(figures).map(([column, value]) => ({
    ...toSeries(`${slo.name} · ${column}`, value, frame),
    cell: { row: slo.name, column, unit: PERCENT },
  }));
}

function toSeries(label: string, value: number, { fromMs }: ChartWindow): ChartSeries {
  return { label, points: [{ atMs: fromMs, value }], exemplars: [] };
}
