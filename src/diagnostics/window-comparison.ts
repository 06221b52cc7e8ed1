import type { ComparedMetric, Comparison, Percentiles, Trends, WindowFigures } from './diagnostic-results.js';
import { compareText } from './text-order.js';
import {
  apdexScore,
  averageMs,
  classifyTrend,
  computeGridTotal,
  computeServiceTotals,
  errorRatePercent,
  percentChange,
  percentileMs,
} from './request-measures.js';
import type { DiagnosticsInput } from './diagnostics-input.js';
import { round2, round3 } from './rounding.js';
import { sumMeasures } from './rollups/rollup-sums.js';
import type { Measures, ServiceTotals } from './rollups/rollup-types.js';
import { type AnalysisWindows, durationSeconds, type TimeWindow } from './time-windows.js';

const METRICS: readonly ComparedMetric[] = ['avgLatencyMs', 'p95LatencyMs', 'errorRate', 'throughputRps', 'apdex'];

/** More than this many percent worse is a regression. */
const REGRESSION_THRESHOLD_PERCENT = 20;

/** In fewer requests one of them moves a figure by more than a tenth: no ground to call a service worse. */
const FEWEST_COMPARED = 10;

type Figures = Readonly<Record<ComparedMetric, number>>;

interface ServiceFigures {
  readonly service: string;
  readonly count: number;
  readonly figures: Figures;
}

type Regression = Comparison['regressions'][number];

/** One window against another, over the entry spans of all services; what got worse, worst first, service by service. */
export function computeComparison(
  { grids }: Pick<DiagnosticsInput, 'grids'>,
  current: TimeWindow,
  baseline: TimeWindow,
  nowMs: number,
): Comparison {
  const [totalsNow, totalsBefore] = [computeServiceTotals(grids, current), computeServiceTotals(grids, baseline)];
  const now = computeFigures(sumMeasures(totalsNow), current, nowMs);
  const before = computeFigures(sumMeasures(totalsBefore), baseline, nowMs);
  const delta = (metric: ComparedMetric) => ({
    absolute: roundFigure(metric, now[metric] - before[metric]),
    percent: round2(percentChange(now[metric], before[metric])),
  });
  return {
    baseline: toWindowFigures(before, baseline),
    current: toWindowFigures(now, current),
    deltas: {
      avgLatencyMs: delta('avgLatencyMs'),
      p95LatencyMs: delta('p95LatencyMs'),
      errorRate: delta('errorRate'),
      throughputRps: delta('throughputRps'),
      apdex: delta('apdex'),
    },
    regressions: findRegressions(
      computeServiceFigures(totalsNow, current, nowMs),
      computeServiceFigures(totalsBefore, baseline, nowMs),
    ),
  };
}

/** Services with requests enough in the baseline; one that has fallen silent has lost its throughput, and nothing else is known of it. */
function findRegressions(current: readonly ServiceFigures[], baseline: readonly ServiceFigures[]): Regression[] {
  const nowByService = new Map(current.map((one) => [one.service, one]));
  const found: Regression[] = [];
  for (const { service, count, figures: was } of baseline) {
    if (count < FEWEST_COMPARED) continue;
    const now = nowByService.get(service);
    const metrics = (now?.count ?? 0) < FEWEST_COMPARED ? (['throughputRps'] as const) : METRICS;
    const is = now?.figures ?? { ...was, throughputRps: 0 };
    for (const metric of metrics)
      if (percentWorse(metric, is[metric], was[metric]) > REGRESSION_THRESHOLD_PERCENT)
        found.push(buildRegression(service, metric, is[metric], was[metric]));
  }
  return found.sort(
    (a, b) =>
      Math.abs(b.changePercent) - Math.abs(a.changePercent) ||
      compareText(a.serviceName, b.serviceName) ||
      compareText(a.metric, b.metric),
  );
}

/** By how many percent a metric got worse: of throughput and Apdex, less is worse. */
function percentWorse(metric: ComparedMetric, current: number, baseline: number): number {
  const percent = percentChange(current, baseline);
  return metric === 'throughputRps' || metric === 'apdex' ? -percent : percent;
}

function buildRegression(serviceName: string, metric: ComparedMetric, current: number, baseline: number): Regression {
  return {
    serviceName,
    metric,
    baselineValue: roundFigure(metric, baseline),
    currentValue: roundFigure(metric, current),
    changePercent: round2(percentChange(current, baseline)),
  };
}

function computeServiceFigures(totals: readonly ServiceTotals[], frame: TimeWindow, nowMs: number): ServiceFigures[] {
  return totals.map((one) => ({ service: one.service, count: one.count, figures: computeFigures(one, frame, nowMs) }));
}

function computeFigures(measures: Measures, frame: TimeWindow, nowMs: number): Figures {
  return {
    avgLatencyMs: averageMs(measures),
    p95LatencyMs: percentileMs(measures, 95),
    errorRate: errorRatePercent(measures),
    throughputRps: measures.count / durationSeconds(frame, nowMs),
    apdex: apdexScore(measures),
  };
}

function toWindowFigures(figures: Figures, { fromMs, toMs }: TimeWindow): WindowFigures {
  const of = (metric: ComparedMetric): number => roundFigure(metric, figures[metric]);
  return {
    rangeStart: fromMs,
    rangeEnd: toMs,
    avgLatencyMs: of('avgLatencyMs'),
    p95LatencyMs: of('p95LatencyMs'),
    errorRate: of('errorRate'),
    throughputRps: of('throughputRps'),
    apdex: of('apdex'),
  };
}

function roundFigure(metric: ComparedMetric, value: number): number {
  return metric === 'apdex' ? round3(value) : round2(value);
}

/** The window against its baseline, over the entry spans of all services. Latency goes by its p95. */
export function computeTrends(
  { grids }: Pick<DiagnosticsInput, 'grids'>,
  { nowMs, current, baseline }: AnalysisWindows,
): Trends {
  const now = computeGridTotal(grids, current);
  const before = computeGridTotal(grids, baseline);
  const rps = now.count / durationSeconds(current, nowMs);
  const rpsBefore = before.count / durationSeconds(baseline, nowMs);
  return {
    latency: {
      ...buildTrend(percentileMs(now, 95), percentileMs(before, 95)),
      current: toPercentiles(now),
      baseline: toPercentiles(before),
    },
    errorRate: {
      ...buildTrend(errorRatePercent(now), errorRatePercent(before)),
      current: round2(errorRatePercent(now)),
      baseline: round2(errorRatePercent(before)),
    },
    throughput: { ...buildTrend(rps, rpsBefore), currentRps: round2(rps), baselineRps: round2(rpsBefore) },
  };
}

function buildTrend(current: number, baseline: number): Pick<Trends['latency'], 'trend' | 'changePercent'> {
  const percent = percentChange(current, baseline);
  return { trend: classifyTrend(percent), changePercent: round2(percent) };
}

function toPercentiles(measures: Measures): Percentiles {
  return {
    p50: round2(percentileMs(measures, 50)),
    p95: round2(percentileMs(measures, 95)),
    p99: round2(percentileMs(measures, 99)),
  };
}
