import { DERIVED_UNITS, type DerivedMetric, type NewChart } from '../chart-model.js';
import { apdexScore, averageMs, errorRatePercent } from '../request-measures.js';
import {
  OTHER_NAME,
  type GridRollup,
  type Measures,
  type ServiceRollup,
  type TimeBucket,
} from '../rollups/rollup-types.js';
import type { ChartData, ChartWindow } from './chart-series.js';
import { DenseSketchAccumulator } from './dense-sketch-accumulator.js';
import type { SignalFold, SlicedComputation } from './chart-fold-contract.js';
import { type GroupAccumulator, SumAccumulator, type SumMeasure } from './group-accumulators.js';
import { buildChartSeries, ChartGroups, LARGEST_FIRST, type Ranking, SMALLEST_FIRST } from './chart-groups.js';
import { SketchAccumulator } from './sketch-accumulator.js';
import { StepClock } from './chart-window.js';
import { SingleStepSketchAccumulator } from './single-step-sketch-accumulator.js';

export type SpanMetric = Exclude<DerivedMetric, 'log_rate' | 'error_log_rate'>;

/** What is known of a metric that is derived from entry spans. */
interface SpanMetricDefinition {
  readonly words: readonly string[];
  readonly additive?: boolean;
  readonly ranking?: Ranking;
  readonly decimals?: number;
  /** Of sums, or percentiles of latencies. */
  readonly of: SumMeasure<Measures> | readonly number[];
}

const NS_PER_MS = 1e6;
const count = (of: Measures): number => of.count;
const REQUESTS: SumMeasure<Measures> = { fields: [count], value: (sums, at, seconds) => sums[at] / seconds, empty: 0 };
const ERRORS: SumMeasure<Measures> = {
  fields: [count, (of) => of.errors],
  value: (sums, at) => errorRatePercent({ count: sums[at], errors: sums[at + 1] }),
};
const AVERAGE: SumMeasure<Measures> = {
  fields: [count, (of) => of.durationNs],
  value: (sums, at) => averageMs({ count: sums[at], durationNs: sums[at + 1] }),
};
const APDEX: SumMeasure<Measures> = {
  fields: [count, (of) => of.satisfied, (of) => of.tolerating],
  value: (sums, at) => apdexScore({ count: sums[at], satisfied: sums[at + 1], tolerating: sums[at + 2] }),
};

const SPAN_METRIC_DEFINITIONS: Readonly<Record<SpanMetric, SpanMetricDefinition>> = {
  request_rate: { words: ['Requests'], additive: true, of: REQUESTS },
  error_rate: { words: ['Error rate'], of: ERRORS },
  latency: { words: ['p50', 'p95', 'p99'], of: [50, 95, 99] },
  latency_avg: { words: ['Average'], of: AVERAGE },
  latency_p50: { words: ['p50'], of: [50] },
  latency_p95: { words: ['p95'], of: [95] },
  latency_p99: { words: ['p99'], of: [99] },
  apdex: { words: ['Apdex'], ranking: SMALLEST_FIRST, decimals: 3, of: APDEX },
};

export function isSpanMetric(metric: string): metric is SpanMetric {
  return Object.hasOwn(SPAN_METRIC_DEFINITIONS, metric);
}

/** Entry spans (contract §5), of all services or one: by operation from the rollups of services, else from those of the Grid. */
export function createSpanFold(chart: NewChart, metric: SpanMetric, frame: ChartWindow, maxBytes?: number): SignalFold {
  const clock = new StepClock(frame);
  const service = chart.serviceName === '' ? undefined : chart.serviceName;
  const groupBy = metric === 'latency' ? '' : chart.groupBy;
  const isGrouped = groupBy === 'service' || groupBy === 'operation';
  const { of } = SPAN_METRIC_DEFINITIONS[metric];
  const groups = new ChartGroups(
    () => createAccumulator(clock, of, !isGrouped),
    maxBytes,
    () => createAccumulator(clock, of, true),
  );
  // Whichever percentiles are asked for, the same sketches are kept.
  const about = 'fields' in of ? metric : `latency ${groupBy}`;
  const common = {
    service,
    about,
    kept: groups,
    computeInSlices: (): SlicedComputation<ChartData> => computeSpanData(chart, metric, clock, groups, isGrouped),
  };
  if (groupBy === 'operation')
    return { part: 'services', ...common, add: (stretch) => addOperations(groups, clock, stretch, service) };
  return {
    part: 'grids',
    ...common,
    add: (stretch) => addServices(groups, clock, stretch, service, groupBy === 'service'),
  };
}

/** Of one group of many, or of many together. */
function createAccumulator(
  clock: StepClock,
  of: SpanMetricDefinition['of'],
  isShared: boolean,
): GroupAccumulator<Measures> {
  if ('fields' in of) return new SumAccumulator(clock, of);
  if (isShared) return new DenseSketchAccumulator(clock.count, of, NS_PER_MS);
  return clock.count === 1
    ? new SingleStepSketchAccumulator(of, NS_PER_MS)
    : new SketchAccumulator(clock.count, of, NS_PER_MS);
}

function addServices(
  groups: ChartGroups<Measures>,
  clock: StepClock,
  stretch: TimeBucket<Pick<GridRollup, 'services'>>,
  only: string | undefined,
  isGrouped: boolean,
): void {
  const step = clock.stepIndexFor(stretch);
  if (step < 0) return;
  for (const totals of stretch.value.services) {
    if (totals.count === 0 || (only !== undefined && totals.service !== only)) continue;
    if (isGrouped && totals.service === OTHER_NAME) groups.addToOthers(step, totals);
    else groups.add('', isGrouped ? totals.service : '', step, totals);
  }
}

/** Operations of several services carry the service before their name. */
function addOperations(
  groups: ChartGroups<Measures>,
  clock: StepClock,
  stretch: TimeBucket<Pick<ServiceRollup, 'service' | 'operations'>>,
  only: string | undefined,
): void {
  const { service, operations } = stretch.value;
  const step = clock.stepIndexFor(stretch);
  if (step < 0 || (only !== undefined && service !== only)) return;
  for (const each of operations) {
    if (!each.entry || each.count === 0) continue;
    if (each.operation === OTHER_NAME || (service === OTHER_NAME && only === undefined)) groups.addToOthers(step, each);
    else groups.add(only === undefined ? service : '', each.operation, step, each);
  }
}

function* computeSpanData(
  chart: NewChart,
  metric: SpanMetric,
  clock: StepClock,
  groups: ChartGroups<Measures>,
  isGrouped: boolean,
): SlicedComputation<ChartData> {
  const { additive = false, ranking = LARGEST_FIRST, decimals = 2, words } = SPAN_METRIC_DEFINITIONS[metric];
  const series = yield* buildChartSeries(clock, groups.rankTop(ranking), isGrouped ? undefined : words);
  return { frame: clock.frame, series, unit: chart.unit || DERIVED_UNITS[metric], additive, decimals };
}
