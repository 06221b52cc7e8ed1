import type { ComparedMetric, Comparison, WindowFigures } from './answers.js';
import { byText } from './by-text.js';
import { changePercent } from './change-percent.js';
import type { DiagnosticsInput } from './input.js';
import { apdexOf, averageMs, errorRateOf, percentileMs, totalsOf } from './measures.js';
import { round2, round3 } from './rounding.js';
import { sumMeasures } from './rollup-sums.js';
import type { Measures, ServiceTotals } from './rollups.js';
import { secondsOf, type Timeframe } from './timeframe.js';

const METRICS: readonly ComparedMetric[] = ['avgLatencyMs', 'p95LatencyMs', 'errorRate', 'throughputRps', 'apdex'];

/** More than this many percent worse is a regression. */
const REGRESSION_OVER = 20;

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
export function compare({ grids }: Pick<DiagnosticsInput, 'grids'>, current: Timeframe, baseline: Timeframe, nowMs: number): Comparison {
  const [totalsNow, totalsBefore] = [totalsOf(grids, current), totalsOf(grids, baseline)];
  const now = figuresOf(sumMeasures(totalsNow), current, nowMs);
  const before = figuresOf(sumMeasures(totalsBefore), baseline, nowMs);
  const delta = (metric: ComparedMetric) => ({ absolute: rounded(metric, now[metric] - before[metric]), percent: round2(changePercent(now[metric], before[metric])) });
  return {
    baseline: windowFigures(before, baseline),
    current: windowFigures(now, current),
    deltas: { avgLatencyMs: delta('avgLatencyMs'), p95LatencyMs: delta('p95LatencyMs'), errorRate: delta('errorRate'), throughputRps: delta('throughputRps'), apdex: delta('apdex') },
    regressions: regressionsOf(serviceFigures(totalsNow, current, nowMs), serviceFigures(totalsBefore, baseline, nowMs)),
  };
}

/** Services with requests enough in the baseline; one that has fallen silent has lost its throughput, and nothing else is known of it. */
function regressionsOf(current: readonly ServiceFigures[], baseline: readonly ServiceFigures[]): Regression[] {
  const nowByService = new Map(current.map((one) => [one.service, one]));
  const found: Regression[] = [];
  for (const { service, count, figures: was } of baseline) {
    if (count < FEWEST_COMPARED) continue;
    const now = nowByService.get(service);
    const metrics = (now?.count ?? 0) < FEWEST_COMPARED ? (['throughputRps'] as const) : METRICS;
    const is = now?.figures ?? { ...was, throughputRps: 0 };
    for (const metric of metrics) if (loss(metric, is[metric], was[metric]) > REGRESSION_OVER) found.push(regression(service, metric, is[metric], was[metric]));
  }
  return found.sort((a, b) => Math.abs(b.changePercent) - Math.abs(a.changePercent) || byText(a.serviceName, b.serviceName) || byText(a.metric, b.metric));
}

/** By how many percent a metric got worse: of throughput and Apdex, less is worse. */
function loss(metric: ComparedMetric, current: number, baseline: number): number {
  const percent = changePercent(current, baseline);
  return metric === 'throughputRps' || metric === 'apdex' ? -percent : percent;
}

function regression(serviceName: string, metric: ComparedMetric, current: number, baseline: number): Regression {
  return { serviceName, metric, baselineValue: rounded(metric, baseline), currentValue: rounded(metric, current), changePercent: round2(changePercent(current, baseline)) };
}

function serviceFigures(totals: readonly ServiceTotals[], frame: Timeframe, nowMs: number): ServiceFigures[] {
  return totals.map((one) => ({ service: one.service, count: one.count, figures: figuresOf(one, frame, nowMs) }));
}

function figuresOf(measures: Measures, frame: Timeframe, nowMs: number): Figures {
  return {
    avgLatencyMs: averageMs(measures),
    p95LatencyMs: percentileMs(measures, 95),
    errorRate: errorRateOf(measures),
    throughputRps: measures.count / secondsOf(frame, nowMs),
    apdex: apdexOf(measures),
  };
}

function windowFigures(figures: Figures, { fromMs, toMs }: Timeframe): WindowFigures {
  const of = (metric: ComparedMetric): number => rounded(metric, figures[metric]);
  return { rangeStart: fromMs, rangeEnd: toMs, avgLatencyMs: of('avgLatencyMs'), p95LatencyMs: of('p95LatencyMs'), errorRate: of('errorRate'), throughputRps: of('throughputRps'), apdex: of('apdex') };
}

function rounded(metric: ComparedMetric, value: number): number {
  return metric === 'apdex' ? round3(value) : round2(value);
}
