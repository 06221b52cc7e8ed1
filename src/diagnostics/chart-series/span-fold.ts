import { DERIVED_UNITS, type DerivedMetric, type NewChart } from '../chart.js';
import { apdexOf, averageMs, errorRateOf } from '../measures.js';
import { OTHER, type GridRollup, type Measures, type ServiceRollup, type Timed } from '../rollups.js';
import type { ChartData, ChartFrame } from './answer.js';
import { DenseRow } from './dense-row.js';
import type { OwnFold } from './fold.js';
import type { GroupRow } from './group-row.js';
import { Groups, type Ranking } from './groups.js';
import { NumberRow, type SumMeasure } from './number-row.js';
import type { Pieces } from './pieces.js';
import { LARGEST_FIRST, seriesOf, SMALLEST_FIRST } from './shown.js';
import { SketchRow } from './sketch-row.js';
import { StepClock } from './step-clock.js';
import { StepSketch } from './step-sketch.js';

export type SpanMetric = Exclude<DerivedMetric, 'log_rate' | 'error_log_rate'>;

/** What is known of a metric that is derived from entry spans. */
interface Derived {
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
const ERRORS: SumMeasure<Measures> = { fields: [count, (of) => of.errors], value: (sums, at) => errorRateOf({ count: sums[at], errors: sums[at + 1] }) };
const AVERAGE: SumMeasure<Measures> = { fields: [count, (of) => of.durationNs], value: (sums, at) => averageMs({ count: sums[at], durationNs: sums[at + 1] }) };
const APDEX: SumMeasure<Measures> = {
  fields: [count, (of) => of.satisfied, (of) => of.tolerating],
  value: (sums, at) => apdexOf({ count: sums[at], satisfied: sums[at + 1], tolerating: sums[at + 2] }),
};

const DERIVED: Readonly<Record<SpanMetric, Derived>> = {
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
  return Object.hasOwn(DERIVED, metric);
}

/** Entry spans (contract §5), of all services or one: by operation from the rollups of services, else from those of the Grid. */
export function spanFold(chart: NewChart, metric: SpanMetric, frame: ChartFrame, maxBytes?: number): OwnFold {
  const clock = new StepClock(frame);
  const service = chart.serviceName === '' ? undefined : chart.serviceName;
  const groupBy = metric === 'latency' ? '' : chart.groupBy;
  const isGrouped = groupBy === 'service' || groupBy === 'operation';
  const { of } = DERIVED[metric];
  const groups = new Groups(() => newRow(clock, of, !isGrouped), maxBytes, () => newRow(clock, of, true));
  // Whichever percentiles are asked for, the same sketches are kept.
  const about = 'fields' in of ? metric : `latency ${groupBy}`;
  const common = { service, about, kept: groups, pieces: (): Pieces<ChartData> => spanData(chart, metric, clock, groups, isGrouped) };
  if (groupBy === 'operation') return { part: 'services', ...common, add: (stretch) => addOperations(groups, clock, stretch, service) };
  return { part: 'grids', ...common, add: (stretch) => addServices(groups, clock, stretch, service, groupBy === 'service') };
}

/** Of one group of many, or of many together. */
function newRow(clock: StepClock, of: Derived['of'], isShared: boolean): GroupRow<Measures> {
  if ('fields' in of) return new NumberRow(clock, of);
  if (isShared) return new DenseRow(clock.count, of, NS_PER_MS);
  return clock.count === 1 ? new StepSketch(of, NS_PER_MS) : new SketchRow(clock.count, of, NS_PER_MS);
}

function addServices(groups: Groups<Measures>, clock: StepClock, stretch: Timed<Pick<GridRollup, 'services'>>, only: string | undefined, isGrouped: boolean): void {
  const step = clock.stepOf(stretch);
  if (step < 0) return;
  for (const totals of stretch.value.services) {
    if (totals.count === 0 || (only !== undefined && totals.service !== only)) continue;
    if (isGrouped && totals.service === OTHER) groups.addToOthers(step, totals);
    else groups.add('', isGrouped ? totals.service : '', step, totals);
  }
}

/** Operations of several services carry the service before their name. */
function addOperations(groups: Groups<Measures>, clock: StepClock, stretch: Timed<Pick<ServiceRollup, 'service' | 'operations'>>, only: string | undefined): void {
  const { service, operations } = stretch.value;
  const step = clock.stepOf(stretch);
  if (step < 0 || (only !== undefined && service !== only)) return;
  for (const each of operations) {
    if (!each.entry || each.count === 0) continue;
    if (each.operation === OTHER || (service === OTHER && only === undefined)) groups.addToOthers(step, each);
    else groups.add(only === undefined ? service : '', each.operation, step, each);
  }
}

function* spanData(chart: NewChart, metric: SpanMetric, clock: StepClock, groups: Groups<Measures>, isGrouped: boolean): Pieces<ChartData> {
  const { additive = false, ranking = LARGEST_FIRST, decimals = 2, words } = DERIVED[metric];
  const series = yield* seriesOf(clock, groups.top(ranking), isGrouped ? undefined : words);
  return { frame: clock.frame, series, unit: chart.unit || DERIVED_UNITS[metric], additive, decimals };
}
