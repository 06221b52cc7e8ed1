import { compareText } from '../text-order.js';
import type { Aggregation, NewChart } from '../chart-model.js';
import { isDistributionKind, OTHER_NAME, ROLLUP_BOUNDS } from '../rollups/rollup-types.js';
import {
  SUPPORTED_AGGREGATIONS,
  isAdditive,
  createAccumulatorFactory,
  classifySeries,
  defaultAggregation,
  type SeriesKind,
} from './metric-aggregations.js';
import {
  type ChartData,
  type ChartPoint,
  type ChartSeries,
  type ChartWindow,
  OTHER_GROUPS_LABEL,
} from './chart-series.js';
import type { SignalFold, SlicedComputation } from './chart-fold-contract.js';
import { buildChartSeries, ChartGroups, LARGEST_FIRST } from './chart-groups.js';
import type { ServiceSeries } from './series-accumulator.js';
import { createChartWindow, StepClock } from './chart-window.js';

/** Label of the series without the attribute used for grouping. */
export const MISSING_VALUE_LABEL = '(none)';

/** Fold of an OTLP metric; each series is aggregated by its own kind, even if the kinds of a name differ. */
export function createMetricFold(chart: NewChart, window: ChartWindow, maxBytes?: number): SignalFold {
  const fold = new MetricFold(chart, window, maxBytes);
  return {
    part: 'metrics',
    service: chart.serviceName === '' ? undefined : chart.serviceName,
    metric: chart.metric,
    state: fold,
    window: fold.clock.window,
    add: (bucket) => {
      const step = fold.clock.stepIndexFor(bucket);
      const { service, series } = bucket.value;
      if (step < 0 || (chart.serviceName !== '' && service !== chart.serviceName)) return;
      for (const each of series) if (each.metric === chart.metric) fold.add(step, { service, series: each });
    },
    computeInSlices: () => fold.computeInSlices(),
  };
}

/** Kind and unit of the contributing series with the newest point. */
interface NewestSeries {
  readonly kind: SeriesKind;
  readonly unit: string;
  readonly lastUs: number;
}

class MetricFold {
  readonly clock: StepClock;
  private readonly groups: ChartGroups<ServiceSeries>;
  private newest: NewestSeries | undefined;
  /** Kinds of series that the aggregation does not support. */
  private readonly unsupportedKinds = new Set<SeriesKind>();
  /** There are series beyond the Grid's limit that would have contributed. */
  private hasUnnamedSeries = false;

  constructor(
    private readonly chart: NewChart,
    private readonly window: ChartWindow,
    maxBytes: number | undefined,
  ) {
    this.clock = new StepClock(isStepped(chart, window) ? createChartWindow(window, window.nowMs) : window);
    this.groups = new ChartGroups(
      createAccumulatorFactory(chart.aggregation, this.clock, () => this.newest?.kind === 'counter'),
      maxBytes,
    );
  }

  add(step: number, item: ServiceSeries): void {
    const { aggregation, groupBy } = this.chart;
    const kind = classifySeries(item.series);
    // Only the number of points is known of series beyond the limits.
    if (item.series.instance === OTHER_NAME && (aggregation !== 'count' || isDistributionKind(item.series.kind))) {
      this.hasUnnamedSeries = true;
      return;
    }
    if (aggregation !== '' && !SUPPORTED_AGGREGATIONS[kind].includes(aggregation)) {
      this.unsupportedKinds.add(kind);
      return;
    }
    this.newest = selectNewer(this.newest, { kind, unit: item.series.unit, lastUs: item.series.lastUs });
    const name = groupNameFor(groupBy, item);
    if (name === OTHER_NAME) this.groups.addToOthers(step, item, item.series.exemplars);
    else this.groups.add('', name, step, item, item.series.exemplars);
  }

  get bytes(): number {
    return this.groups.bytes;
  }

  merge(other: MetricFold, from: number): void {
    if (other.newest !== undefined) this.newest = selectNewer(this.newest, other.newest);
    for (const kind of other.unsupportedKinds) this.unsupportedKinds.add(kind);
    this.hasUnnamedSeries ||= other.hasUnnamedSeries;
    this.groups.merge(other.groups, from);
  }

  *computeInSlices(): SlicedComputation<ChartData> {
    const { aggregation, groupBy, metric, unit } = this.chart;
    const labels = groupBy === '' ? [aggregation || metric] : undefined;
    const computed = yield* buildChartSeries(this.clock, this.groups.rankTop(LARGEST_FIRST), labels);
    const series = this.clock.window === this.window ? computed : this.summarize(computed);
    const effectiveAggregation = aggregation || defaultAggregation(this.newest?.kind ?? 'level');
    const hint = series.length === 0 ? this.explainNoData(effectiveAggregation) : undefined;
    return {
      frame: this.window,
      series,
      unit: unit || resolveUnit(effectiveAggregation, this.newest),
      additive: isAdditive(effectiveAggregation),
      ...(hint === undefined ? {} : { hint }),
    };
  }

  /** One value of each series, over all steps; the largest first. */
  private summarize(series: readonly ChartSeries[]): ChartSeries[] {
    const { aggregation } = this.chart;
    const isTotal = aggregation === 'sum' && this.newest?.kind !== 'level';
    const summarized = series.flatMap(({ points, ...one }): ChartSeries[] => {
      if (points.length === 0) return [];
      const last = points[points.length - 1].value;
      const value = aggregation === 'last' ? last : isTotal ? sumPoints(points) : averagePoints(points, this.clock);
      return [{ ...one, points: [{ atMs: this.window.fromMs, value }] }];
    });
    const isOther = ({ label }: ChartSeries): number => Number(label === OTHER_GROUPS_LABEL);
    return summarized.sort((a, b) => isOther(a) - isOther(b) || b.points[0].value - a.points[0].value);
  }

  private explainNoData(aggregation: Aggregation): string | undefined {
    if (this.newest !== undefined)
      return `The data points of ${this.chart.metric} lack the values needed for ${aggregation}.`;
    const [kind] = [...this.unsupportedKinds].sort();
    if (kind === undefined)
      return this.hasUnnamedSeries
        ? `All series of ${this.chart.metric} exceed the Grid's limit of ${ROLLUP_BOUNDS.series} series: only their points are counted.`
        : undefined;
    return `${aggregation} is not defined for ${SERIES_KIND_NAMES[kind]} such as ${this.chart.metric}: choose ${joinAlternatives(SUPPORTED_AGGREGATIONS[kind])}.`;
  }
}

/**
 * Aggregations of what holds at one time. Over a whole range they are computed by steps: series that have ended must not
 * count beside those that replaced them, as the memory of ten generations of a pod.
 */
const AT_ONE_TIME: ReadonlySet<Aggregation | ''> = new Set(['sum', 'last']);

function isStepped({ aggregation }: NewChart, window: ChartWindow): boolean {
  return window.isWhole === true && AT_ONE_TIME.has(aggregation);
}

function sumPoints(points: readonly ChartPoint[]): number {
  return points.reduce((sum, { value }) => sum + value, 0);
}

/** Mean over the time of the steps that have a value. */
function averagePoints(points: readonly ChartPoint[], { seconds, steps, window }: StepClock): number {
  let [sum, duration] = [0, 0];
  for (const { atMs, value } of points) {
    const length = seconds[Math.round((atMs - steps[0].atMs) / window.stepMs)];
    sum += value * length;
    duration += length;
  }
  return sum / duration;
}

const SERIES_KIND_NAMES: Readonly<Record<SeriesKind, string>> = {
  level: 'a gauge or a non-monotonic sum',
  counter: 'a counter',
  histogram: 'a histogram',
  summary: 'a summary',
};

function joinAlternatives(names: readonly string[]): string {
  return `${names.slice(0, -1).join(', ')} or ${names[names.length - 1]}`;
}

/** OTHER_NAME if the series is beyond the limits and has no name of its own. */
function groupNameFor(groupBy: string, { service, series }: ServiceSeries): string {
  if (groupBy === '') return '';
  if (groupBy === 'service') return service;
  if (groupBy === 'instance' || series.instance === OTHER_NAME) return series.instance || MISSING_VALUE_LABEL;
  return series.attributes.find(([key]) => key === groupBy)?.[1] ?? MISSING_VALUE_LABEL;
}

/** Like pickNewerSeries: at equal times the unit that sorts last. */
function selectNewer(a: NewestSeries | undefined, b: NewestSeries): NewestSeries {
  if (a === undefined) return b;
  return (a.lastUs - b.lastUs || compareText(a.unit, b.unit) || compareText(a.kind, b.kind)) < 0 ? b : a;
}

/** UCUM unit of the values. Counts have no unit, also those of observations. */
function resolveUnit(aggregation: Aggregation, newest: NewestSeries | undefined): string {
  if (newest === undefined || aggregation === 'count') return '';
  if (aggregation !== 'rate') return newest.unit;
  const counted = newest.kind === 'counter' && newest.unit !== '1' ? newest.unit : '';
  return `${counted}/s`;
}
