import { byText } from '../by-text.js';
import type { Aggregation, NewChart } from '../chart.js';
import { isOfObservations, OTHER, ROLLUP_BOUNDS } from '../rollups.js';
import { AGGREGATIONS_OF, isAdditive, rowMaker, sortOf, usualAggregation, type Sort } from './aggregations.js';
import type { ChartData, ChartFrame } from './answer.js';
import type { OwnFold } from './fold.js';
import { Groups } from './groups.js';
import type { SeriesOf } from './series-row.js';
import type { Pieces } from './pieces.js';
import { LARGEST_FIRST, seriesOf } from './shown.js';
import { StepClock } from './step-clock.js';

/** Label of the series that lack what is grouped by. */
export const WITHOUT = '(none)';

/** An OTLP metric: each series by its own kind, whatever others of the name are. */
export function metricFold(chart: NewChart, frame: ChartFrame, maxBytes?: number): OwnFold {
  const fold = new MetricFold(chart, frame, maxBytes);
  return {
    part: 'metrics',
    service: chart.serviceName === '' ? undefined : chart.serviceName,
    metric: chart.metric,
    kept: fold,
    add: (stretch) => {
      const step = fold.clock.stepOf(stretch);
      const { service, series } = stretch.value;
      if (step < 0 || (chart.serviceName !== '' && service !== chart.serviceName)) return;
      for (const each of series) if (each.metric === chart.metric) fold.add(step, { service, series: each });
    },
    pieces: () => fold.pieces(),
  };
}

/** Of the series that tell something, that with the newest point: what it is and its unit. */
interface Newest {
  readonly sort: Sort;
  readonly unit: string;
  readonly lastUs: number;
}

class MetricFold {
  readonly clock: StepClock;
  private readonly groups: Groups<SeriesOf>;
  private newest: Newest | undefined;
  /** What there is of which the aggregation is not defined. */
  private readonly refused = new Set<Sort>();
  /** There are series past the bound of a Grid that would have added something. */
  private hasNameless = false;

  constructor(
    private readonly chart: NewChart,
    frame: ChartFrame,
    maxBytes: number | undefined,
  ) {
    this.clock = new StepClock(frame);
    this.groups = new Groups(rowMaker(chart.aggregation, this.clock, () => this.newest?.sort === 'counter'), maxBytes);
  }

  add(step: number, of: SeriesOf): void {
    const { aggregation, groupBy } = this.chart;
    const sort = sortOf(of.series);
    // Of series past the bounds there are points, and nothing else.
    if (of.series.instance === OTHER && (aggregation !== 'count' || isOfObservations(of.series.kind))) {
      this.hasNameless = true;
      return;
    }
    if (aggregation !== '' && !AGGREGATIONS_OF[sort].includes(aggregation)) {
      this.refused.add(sort);
      return;
    }
    this.newest = newer(this.newest, { sort, unit: of.series.unit, lastUs: of.series.lastUs });
    const name = groupOf(groupBy, of);
    if (name === OTHER) this.groups.addToOthers(step, of, of.series.exemplars);
    else this.groups.add('', name, step, of, of.series.exemplars);
  }

  get bytes(): number {
    return this.groups.bytes;
  }

  merge(other: MetricFold, from: number): void {
    if (other.newest !== undefined) this.newest = newer(this.newest, other.newest);
    for (const sort of other.refused) this.refused.add(sort);
    this.hasNameless ||= other.hasNameless;
    this.groups.merge(other.groups, from);
  }

  *pieces(): Pieces<ChartData> {
    const { aggregation, groupBy, metric, unit } = this.chart;
    const words = groupBy === '' ? [aggregation || metric] : undefined;
    const series = yield* seriesOf(this.clock, this.groups.top(LARGEST_FIRST), words);
    const shown = aggregation || usualAggregation(this.newest?.sort ?? 'level');
    const hint = series.length === 0 ? this.hint(shown) : undefined;
    return { frame: this.clock.frame, series, unit: unit || unitOf(shown, this.newest), additive: isAdditive(shown), ...(hint === undefined ? {} : { hint }) };
  }

  private hint(aggregation: Aggregation): string | undefined {
    if (this.newest !== undefined) return `No data point of ${this.chart.metric} tells enough for ${aggregation}.`;
    const [sort] = [...this.refused].sort();
    if (sort === undefined) return this.hasNameless ? `All series of ${this.chart.metric} are past the ${ROLLUP_BOUNDS.series} that a Grid keeps apart: only their points are counted.` : undefined;
    return `${aggregation} is not defined for ${NAMES[sort]} such as ${this.chart.metric}: choose ${oneOf(AGGREGATIONS_OF[sort])}.`;
  }
}

const NAMES: Readonly<Record<Sort, string>> = { level: 'a gauge or a sum that may fall', counter: 'a counter', histogram: 'a histogram', summary: 'a summary' };

function oneOf(words: readonly string[]): string {
  return `${words.slice(0, -1).join(', ')} or ${words[words.length - 1]}`;
}

/** OTHER: the series is among those that have lost their names. */
function groupOf(groupBy: string, { service, series }: SeriesOf): string {
  if (groupBy === '') return '';
  if (groupBy === 'service') return service;
  if (groupBy === 'instance' || series.instance === OTHER) return series.instance || WITHOUT;
  return series.attributes.find(([key]) => key === groupBy)?.[1] ?? WITHOUT;
}

/** As rollups choose: of two at the same time, the unit that sorts last. */
function newer(a: Newest | undefined, b: Newest): Newest {
  if (a === undefined) return b;
  return (a.lastUs - b.lastUs || byText(a.unit, b.unit) || byText(a.sort, b.sort)) < 0 ? b : a;
}

/** UCUM. What is counted is a number without a unit, observations too. */
function unitOf(aggregation: Aggregation, newest: Newest | undefined): string {
  if (newest === undefined || aggregation === 'count') return '';
  if (aggregation !== 'rate') return newest.unit;
  const counted = newest.sort === 'counter' && newest.unit !== '1' ? newest.unit : '';
  return `${counted}/s`;
}
