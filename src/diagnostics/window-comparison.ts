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

/** A deterioration by more than this percentage is a regression. */
const REGRESSION_THRESHOLD_PERCENT = 20;

/** With fewer requests a single one moves a figure by more than a tenth, so the service is not compared. */
const MIN_COMPARED_REQUESTS = 10;

type Figures = Readonly<Record<ComparedMetric, number>>;

interface ServiceFigures {
  readonly service: string;
  readonly count: number;
  readonly figures: Figures;
}

type Regression = Comparison['regressions'][number];

/**
 * Compares two windows over the entry spans of all services; regressions are listed per service, largest change first.
 */
export function computeComparison(
  { grids }: Pick<DiagnosticsInput, 'grids'>,
  current: TimeWindow,
  baseline: TimeWindow,
  nowMs: number,
): Comparison {
  const totals = { current: computeServiceTotals(grids, current), baseline: computeServiceTotals(grids, baseline) };
  return compareTotals(totals, current, baseline, nowMs);
}

/** `computeComparison` of totals by service that were summed before. */
export function compareTotals(
  { current: totalsNow, baseline: totalsBefore }: Readonly<Record<'current' | 'baseline', readonly ServiceTotals[]>>,
  current: TimeWindow,
  baseline: TimeWindow,
  nowMs: number,
): Comparison {
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

/**
 * Considers services with enough requests in the baseline; for one without enough current requests only the throughput
 * is compared.
 */
function findRegressions(current: readonly ServiceFigures[], baseline: readonly ServiceFigures[]): Regression[] {
  const nowByService = new Map(current.map((service) => [service.service, service]));
  const regressions: Regression[] = [];
  for (const { service, count, figures: previous } of baseline) {
    if (count < MIN_COMPARED_REQUESTS) continue;
    const now = nowByService.get(service);
    const metrics = (now?.count ?? 0) < MIN_COMPARED_REQUESTS ? (['throughputRps'] as const) : METRICS;
    const latest = now?.figures ?? { ...previous, throughputRps: 0 };
    for (const metric of metrics)
      if (percentWorse(metric, latest[metric], previous[metric]) > REGRESSION_THRESHOLD_PERCENT)
        regressions.push(buildRegression(service, metric, latest[metric], previous[metric]));
  }
  return regressions.sort(
    (a, b) =>
      Math.abs(b.changePercent) - Math.abs(a.changePercent) ||
      compareText(a.serviceName, b.serviceName) ||
      compareText(a.metric, b.metric),
  );
}

/** Deterioration in percent: for throughput and Apdex a decrease, for all other metrics an increase. */
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

function computeServiceFigures(totals: readonly ServiceTotals[], window: TimeWindow, nowMs: number): ServiceFigures[] {
  return totals.map((total) => ({
    service: total.service,
    count: total.count,
    figures: computeFigures(total, window, nowMs),
  }));
}

function computeFigures(measures: Measures, window: TimeWindow, nowMs: number): Figures {
  return {
    avgLatencyMs: averageMs(measures),
    p95LatencyMs: percentileMs(measures, 95),
    errorRate: errorRatePercent(measures),
    throughputRps: measures.count / durationSeconds(window, nowMs),
    apdex: apdexScore(measures),
  };
}

function toWindowFigures(figures: Figures, { fromMs, toMs }: TimeWindow): WindowFigures {
  const rounded = (metric: ComparedMetric): number => roundFigure(metric, figures[metric]);
  return {
    rangeStart: fromMs,
    rangeEnd: toMs,
    avgLatencyMs: rounded('avgLatencyMs'),
    p95LatencyMs: rounded('p95LatencyMs'),
    errorRate: rounded('errorRate'),
    throughputRps: rounded('throughputRps'),
    apdex: rounded('apdex'),
  };
}

function roundFigure(metric: ComparedMetric, value: number): number {
  return metric === 'apdex' ? round3(value) : round2(value);
}

/** Compares the window with its baseline over the entry spans of all services. The latency trend uses the p95. */
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
