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
import type { ChartData, ChartWindow } from './chart-series.js';
import type { SignalFold, SlicedComputation } from './chart-fold-contract.js';
import { buildChartSeries, ChartGroups, LARGEST_FIRST } from './chart-groups.js';
import type { ServiceSeries } from './series-accumulator.js';
import { StepClock } from './chart-window.js';

/** Label of the series that lack what is grouped by. */
export const MISSING_VALUE_LABEL = '(none)';

/** An OTLP metric: each series by its own kind, whatever others of the name are. */
export function createMetricFold(chart: NewChart, frame: ChartWindow, maxBytes?: number): SignalFold {
  const fold = new MetricFold(chart, frame, maxBytes);
  return {
    part: 'metrics',
    service: chart.serviceName === '' ? undefined : chart.serviceName,
    metric: chart.metric,
    kept: fold,
    add: (stretch) => {
      const step = fold.clock.stepIndexFor(stretch);
      const { service, series } = stretch.value;
      if (step < 0 || (chart.serviceName !== '' && service !== chart.serviceName)) return;
      for (const each of series) if (each.metric === chart.metric) fold.add(step, { service, series: each });
    },
    computeInSlices: () => fold.computeInSlices(),
  };
}

/** Of the series that tell something, that with the newest point: what it is and its unit. */
interface NewestSeries {
  readonly sort: SeriesKind;
  readonly unit: string;
  readonly lastUs: number;
}

class MetricFold {
  readonly clock: StepClock;
  private readonly groups: ChartGroups<ServiceSeries>;
  private newest: NewestSeries | undefined;
  /** What there is of which the aggregation is not defined. */
  private readonly refused = new Set<SeriesKind>();
  /** There are series past the bound of a Grid that would have added something. */
  private hasNameless = false;

  constructor(
    private readonly chart: NewChart,
    frame: ChartWindow,
    maxBytes: number | undefined,
  ) {
    this.clock = new StepClock(frame);
    this.groups = new ChartGroups(
      createAccumulatorFactory(chart.aggregation, this.clock, () => this.newest?.sort === 'counter'),
      maxBytes,
    );
  }

  add(step: number, of: ServiceSeries): void {
    const { aggregation, groupBy } = this.chart;
    const sort = classifySeries(of.series);
    // Of series past the bounds there are points, and nothing else.
    if (of.series.instance === OTHER_NAME && (aggregation !== 'count' || isDistributionKind(of.series.kind))) {
      this.hasNameless = true;
      return;
    }
    if (aggregation !== '' && !SUPPORTED_AGGREGATIONS[sort].includes(aggregation)) {
      this.refused.add(sort);
      return;
    }
    this.newest = selectNewer(this.newest, { sort, unit: of.series.unit, lastUs: of.series.lastUs });
    const name = groupNameFor(groupBy, of);
    if (name === OTHER_NAME) this.groups.addToOthers(step, of, of.series.exemplars);
    else this.groups.add('', name, step, of, of.series.exemplars);
  }

  get bytes(): number {
    return this.groups.bytes;
  }

  merge(other: MetricFold, from: number): void {
    if (other.newest !== undefined) this.newest = selectNewer(this.newest, other.newest);
    for (const sort of other.refused) this.refused.add(sort);
    this.hasNameless ||= other.hasNameless;
    this.groups.merge(other.groups, from);
  }

  *computeInSlices(): SlicedComputation<ChartData> {
    const { aggregation, groupBy, metric, unit } = this.chart;
    const words = groupBy === '' ? [aggregation || metric] : undefined;
    const series = yield* buildChartSeries(this.clock, this.groups.rankTop(LARGEST_FIRST), words);
    const shown = aggregation || defaultAggregation(this.newest?.sort ?? 'level');
    const hint = series.length === 0 ? this.explainNoData(shown) : undefined;
    return {
      frame: this.clock.frame,
      series,
      unit: unit || resolveUnit(shown, this.newest),
      additive: isAdditive(shown),
      ...(hint === undefined ? {} : { hint: hint }),
    };
  }

  private explainNoData(aggregation: Aggregation): string | undefined {
    if (this.newest !== undefined) return `No data point of ${this.chart.metric} tells enough for ${aggregation}.`;
    const [sort] = [...this.refused].sort();
    if (sort === undefined)
      return this.hasNameless
        ? `All series of ${this.chart.metric} are past the ${ROLLUP_BOUNDS.series} that a Grid keeps apart: only their points are counted.`
        : undefined;
    return `${aggregation} is not defined for ${SERIES_KIND_NAMES[sort]} such as ${this.chart.metric}: choose ${joinAlternatives(SUPPORTED_AGGREGATIONS[sort])}.`;
  }
}

const SERIES_KIND_NAMES: Readonly<Record<SeriesKind, string>> = {
  level: 'a gauge or a sum that may fall',
  counter: 'a counter',
  histogram: 'a histogram',
  summary: 'a summary',
};

function joinAlternatives(words: readonly string[]): string {
  return `${words.slice(0, -1).join(', ')} or ${words[words.length - 1]}`;
}

/** OTHER: the series is among those that have lost their names. */
function groupNameFor(groupBy: string, { service, series }: ServiceSeries): string {
  if (groupBy === '') return '';
  if (groupBy === 'service') return service;
  if (groupBy === 'instance' || series.instance === OTHER_NAME) return series.instance || MISSING_VALUE_LABEL;
  return series.attributes.find(([key]) => key === groupBy)?.[1] ?? MISSING_VALUE_LABEL;
}

/** As rollups choose: of two at the same time, the unit that sorts last. */
function selectNewer(a: NewestSeries | undefined, b: NewestSeries): NewestSeries {
  if (a === undefined) return b;
  return (a.lastUs - b.lastUs || compareText(a.unit, b.unit) || compareText(a.sort, b.sort)) < 0 ? b : a;
}

/** UCUM. What is counted is a number without a unit, observations too. */
function resolveUnit(aggregation: Aggregation, newest: NewestSeries | undefined): string {
  if (newest === undefined || aggregation === 'count') return '';
  if (aggregation !== 'rate') return newest.unit;
  const counted = newest.sort === 'counter' && newest.unit !== '1' ? newest.unit : '';
  return `${counted}/s`;
}
