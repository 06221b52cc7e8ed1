import type { Chart } from '../../diagnostics/chart-model.js';
import type { SloReport } from '../../diagnostics/slos/slo-report.js';
import { HOUR_MS } from '../../diagnostics/slos/slo-window.js';
import type { PackedChartInput } from '../charts/chart-query-types.js';
import { packChart } from '../charts/packed-chart.js';

const STEP_MS = 6 * HOUR_MS;
const MS_PER_DAY = 86_400_000;

/** How much of the month's budget was spent, up to each quarter of a day. */
export function drawReport(report: SloReport): PackedChartInput {
  const { slo, month, window, isOver } = report;
  const frame = {
    fromMs: window.fromMs,
    toMs: Math.max(window.toMs, window.fromMs + MS_PER_DAY),
    stepMs: STEP_MS,
    nowMs: window.toMs,
  };
  const points = listSpent(report);
  const chart: Chart = {
    ...({ id: slo.id, title: describe(report), chartType: 'area', metric: 'budget', unit: '%' } as const),
    ...({ serviceName: slo.indicator.serviceName, groupBy: '', aggregation: '', createdAt: 0, updatedAt: 0 } as const),
  };
  const series = points.length === 0 ? [] : [{ label: `budget spent in ${month}`, points, exemplars: [] }];
  const data = { frame, series, unit: '%', additive: false };
  const thresholds = [{ value: 100, severity: 'critical', label: 'whole budget' } as const];
  return { ...packChart({ chart, data, thresholds, deployments: [], closed: isOver }), frame };
}

function describe({ slo, month, attained, budget }: SloReport): string {
  if (attained === undefined) return `${month}: no events · ${slo.name}`;
  const [achieved, spent] = [Number(attained.toFixed(4)), Number((100 - budget.remainingPercent).toFixed(2))];
  return `${month}: ${achieved} % (target ${slo.objective} %), ${spent} % of the budget spent · ${slo.name}`;
}

/** Percent of the budget that was spent at the end of each step, from the first one on of which anything is known. */
function listSpent({
  hours,
  budget,
  window,
  coveredFromMs = window.fromMs,
}: SloReport): { atMs: number; value: number }[] {
  if (hours.size === 0) return [];
  const points: { atMs: number; value: number }[] = [];
  const counted = [...hours];
  let [next, bad] = [0, 0];
  const start = Math.floor(coveredFromMs / STEP_MS) * STEP_MS;
  for (let atMs = start; atMs < window.toMs; atMs += STEP_MS) {
    for (; next < counted.length && counted[next][0] * HOUR_MS < atMs + STEP_MS; next++)
      bad += counted[next][1].total - counted[next][1].good;
    points.push({ atMs, value: (bad / budget.total) * 100 });
  }
  return points;
}
