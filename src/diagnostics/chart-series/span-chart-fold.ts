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

/** Definition of a metric derived from entry spans. */
interface SpanMetricDefinition {
  readonly labels: readonly string[];
  readonly additive?: boolean;
  readonly ranking?: Ranking;
  readonly decimals?: number;
  /** A measure of sums, or latency percentiles. */
  readonly measure: SumMeasure<Measures> | readonly number[];
}

const NS_PER_MS = 1e6;
const count = (measures: Measures): number => measures.count;
const REQUESTS: SumMeasure<Measures> = { fields: [count], value: (sums, at, seconds) => sums[at] / seconds, empty: 0 };
const ERRORS: SumMeasure<Measures> = {
  fields: [count, (measures) => measures.errors],
  value: (sums, at) => errorRatePercent({ count: sums[at], errors: sums[at + 1] }),
};
const AVERAGE: SumMeasure<Measures> = {
  fields: [count, (measures) => measures.durationNs],
  value: (sums, at) => averageMs({ count: sums[at], durationNs: sums[at + 1] }),
};
const APDEX: SumMeasure<Measures> = {
  fields: [count, (measures) => measures.satisfied, (measures) => measures.tolerating],
  value: (sums, at) => apdexScore({ count: sums[at], satisfied: sums[at + 1], tolerating: sums[at + 2] }),
};

const SPAN_METRIC_DEFINITIONS: Readonly<Record<SpanMetric, SpanMetricDefinition>> = {
  request_rate: { labels: ['Requests'], additive: true, measure: REQUESTS },
  error_rate: { labels: ['Error rate'], measure: ERRORS },
  latency: { labels: ['p50', 'p95', 'p99'], measure: [50, 95, 99] },
  latency_avg: { labels: ['Average'], measure: AVERAGE },
  latency_p50: { labels: ['p50'], measure: [50] },
  latency_p95: { labels: ['p95'], measure: [95] },
  latency_p99: { labels: ['p99'], measure: [99] },
  apdex: { labels: ['Apdex'], ranking: SMALLEST_FIRST, decimals: 3, measure: APDEX },
};

export function isSpanMetric(metric: string): metric is SpanMetric {
  return Object.hasOwn(SPAN_METRIC_DEFINITIONS, metric);
}

/**
 * Fold of entry spans (contract §5), of all services or one. Grouping by operation reads the rollups of services, any
 * other those of the Grid.
 */
export function createSpanFold(
  chart: NewChart,
  metric: SpanMetric,
  window: ChartWindow,
  maxBytes?: number,
): SignalFold {
  const clock = new StepClock(window);
  const service = chart.serviceName === '' ? undefined : chart.serviceName;
  const groupBy = metric === 'latency' ? '' : chart.groupBy;
  const isGrouped = groupBy === 'service' || groupBy === 'operation';
  const { measure } = SPAN_METRIC_DEFINITIONS[metric];
  const groups = new ChartGroups(
    () => createAccumulator(clock, measure, !isGrouped),
    maxBytes,
    () => createAccumulator(clock, measure, true),
  );
  // The stored sketches are the same for all percentiles.
  const stateName = 'fields' in measure ? metric : `latency ${groupBy}`;
  const common = {
    service,
    stateName,
    state: groups,
    computeInSlices: (): SlicedComputation<ChartData> => computeSpanData(chart, metric, clock, groups, isGrouped),
  };
  if (groupBy === 'operation')
    return { part: 'services', ...common, add: (bucket) => addOperations(groups, clock, bucket, service) };
  return {
    part: 'grids',
    ...common,
    add: (bucket) => addServices(groups, clock, bucket, service, groupBy === 'service'),
  };
}

/** `isShared`: for many combined groups. */
function createAccumulator(
  clock: StepClock,
  measure: SpanMetricDefinition['measure'],
  isShared: boolean,
): GroupAccumulator<Measures> {
  if ('fields' in measure) return new SumAccumulator(clock, measure);
  if (isShared) return new DenseSketchAccumulator(clock.count, measure, NS_PER_MS);
  return clock.count === 1 && clock.window.isWhole !== true
    ? new SingleStepSketchAccumulator(measure, NS_PER_MS)
    : new SketchAccumulator(clock.count, measure, NS_PER_MS);
}

function addServices(
  groups: ChartGroups<Measures>,
  clock: StepClock,
  bucket: TimeBucket<Pick<GridRollup, 'services'>>,
  onlyService: string | undefined,
  isGrouped: boolean,
): void {
  const step = clock.stepIndexFor(bucket);
  if (step < 0) return;
  for (const totals of bucket.value.services) {
    if (totals.count === 0 || (onlyService !== undefined && totals.service !== onlyService)) continue;
    if (isGrouped && totals.service === OTHER_NAME) groups.addToOthers(step, totals);
    else groups.add('', isGrouped ? totals.service : '', step, totals);
  }
}

/** If the chart covers several services, operations are scoped by their service. */
function addOperations(
  groups: ChartGroups<Measures>,
  clock: StepClock,
  bucket: TimeBucket<Pick<ServiceRollup, 'service' | 'operations'>>,
  onlyService: string | undefined,
): void {
  const { service, operations } = bucket.value;
  const step = clock.stepIndexFor(bucket);
  if (step < 0 || (onlyService !== undefined && service !== onlyService)) return;
  for (const each of operations) {
    if (!each.entry || each.count === 0) continue;
    if (each.operation === OTHER_NAME || (service === OTHER_NAME && onlyService === undefined))
      groups.addToOthers(step, each);
    else groups.add(onlyService === undefined ? service : '', each.operation, step, each);
  }
}

function* computeSpanData(
  chart: NewChart,
  metric: SpanMetric,
  clock: StepClock,
  groups: ChartGroups<Measures>,
  isGrouped: boolean,
): SlicedComputation<ChartData> {
  const { additive = false, ranking = LARGEST_FIRST, decimals = 2, labels } = SPAN_METRIC_DEFINITIONS[metric];
  const series = yield* buildChartSeries(clock, groups.rankTop(ranking), isGrouped ? undefined : labels);
  return { frame: clock.window, series, unit: chart.unit || DERIVED_UNITS[metric], additive, decimals };
}
