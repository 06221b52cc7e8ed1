import type { MetricSeriesRollup } from '../../../../../../src/diagnostics/rollups/rollup-types.js';
import type { HistogramBuckets, Exemplar } from '../../../../../../src/telemetry/metric-distributions.js';
import { bucketsOf, cellsOf, difference, sumOf, type Cells } from './naive-cells.js';
import type { PlainPoint } from './plain-points.js';

/*
 * What metric rollups must say, by the words of decision 081: all points at hand, in the order in which they
 * came, nothing bounded and nothing remembered but the points themselves.
 */

const MINUTE_US = 60_000_000;

interface Reported {
  readonly sum: number;
  readonly count: number;
  readonly min: number;
  readonly max: number;
  /** What no observation lies beyond. */
  readonly lowest: number;
  readonly highest: number;
  readonly cells: readonly Cells[];
}

export interface Counted {
  readonly point: PlainPoint;
  readonly reported: Reported;
}

const isNumber = ({ kind }: PlainPoint): boolean => kind === 'gauge' || kind === 'sum';
const isCumulative = ({ kind, monotonic, temporality }: PlainPoint): boolean =>
  kind === 'summary' || (kind !== 'gauge' && (kind !== 'sum' || monotonic) && temporality !== 1);
const seriesOf = ({ metric, kind, monotonic, instance }: PlainPoint): string =>
  JSON.stringify([metric, kind, monotonic, instance]);
const sourceOf = ({ instance, resource }: PlainPoint): string => JSON.stringify([instance, resource]);
const finite = (value: number): number => (Number.isFinite(value) ? value : 0);
const orNaN = (value: number): number => (Number.isFinite(value) ? value : NaN);

/** Rollups by the first minute of their time bucket. */
export function naiveRollups(points: readonly PlainPoint[], minutes: 1 | 60): Record<string, MetricSeriesRollup[]> {
  const intervals = groupBy(countedPoints(points), ({ point }) =>
    String(Math.floor(point.timeUs / MINUTE_US / minutes) * minutes),
  );
  return Object.fromEntries(
    intervals.map(([minute, own]) => [
      minute,
      groupBy(own, ({ point }) => seriesOf(point)).map(([, all]) => rollupOf(all)),
    ]),
  );
}

/** The points that count, and what each adds. */
function countedPoints(points: readonly PlainPoint[]): Counted[] {
  const counted: Counted[] = [];
  for (const point of points) {
    if (isNumber(point) && !Number.isFinite(point.value)) continue;
    const ofSource = counted.filter((each) => sourceOf(each.point) === sourceOf(point)).map((each) => each.point);
    const before = ofSource.filter((each) => seriesOf(each) === seriesOf(point));
    const newest = before.reduce<PlainPoint | undefined>(
      (a, b) => (a === undefined || b.timeUs > a.timeUs ? b : a),
      undefined,
    );
    const isRecent = newest !== undefined && point.timeUs > newest.timeUs - 15 * MINUTE_US;
    if (isRecent && before.some(({ timeUs }) => timeUs === point.timeUs)) continue;
    counted.push({ point, reported: isCumulative(point) ? onTop(point, newest, ofSource) : whole(point) });
  }
  return counted;
}

function onTop(point: PlainPoint, newest: PlainPoint | undefined, ofSource: readonly PlainPoint[]): Reported {
  const { startUs, timeUs } = point;
  const nothing = { sum: 0, count: isNumber(point) ? 1 : 0, ...UNKNOWN, cells: [] };
  if (newest === undefined) {
    const isNew =
      startUs > 0 &&
      (timeUs - startUs <= 10 * MINUTE_US || (ofSource.length > 0 && timeUs - ofSource[0].timeUs >= 10 * MINUTE_US));
    return isNew ? whole(point) : nothing;
  }
  if (timeUs <= newest.timeUs) return nothing;
  if (startUs > (newest.startUs > 0 ? newest.startUs : newest.timeUs)) return whole(point);
  if (!isCumulative(newest)) return nothing;
  if (point.kind === 'sum' ? point.value < newest.value : point.observations < newest.observations) return whole(point);
  const sum = orNaN(point.value) - orNaN(newest.value);
  if (isNumber(point)) return { sum, count: 1, ...exactly(sum, sum), cells: [] };
  const limits = point.kind === 'summary' ? {} : { lowest: orNaN(point.min), highest: orNaN(point.max) };
  const increase = { ...nothing, ...limits, sum, count: point.observations - newest.observations };
  if (point.buckets === undefined || newest.buckets === undefined) return increase;
  if (haveNothingInCommon(point.buckets, newest.buckets)) return increase;
  const cells = difference(cellsOf(point.buckets), cellsOf(newest.buckets));
  return cells === undefined ? whole(point) : { ...increase, cells: [cells] };
}

const haveNothingInCommon = (a: HistogramBuckets, b: HistogramBuckets): boolean =>
  a.kind === 'explicit' && b.kind === 'explicit' && !a.bounds.some((bound) => b.bounds.includes(bound));
const exactly = (min: number, max: number) => ({ min, max, lowest: min, highest: max });
const UNKNOWN = exactly(NaN, NaN);

function whole(point: PlainPoint): Reported {
  const { value, observations, min, max, buckets } = point;
  if (isNumber(point)) return { sum: value, count: 1, ...exactly(value, value), cells: [] };
  return {
    sum: orNaN(value),
    count: observations,
    ...exactly(orNaN(min), orNaN(max)),
    cells: buckets === undefined ? [] : [cellsOf(buckets)],
  };
}

function rollupOf(counted: readonly Counted[]): MetricSeriesRollup {
  const newest = counted.map(({ point }) => point).reduce((a, b) => (b.timeUs >= a.timeUs ? b : a));
  const sum = (valueOf: (reported: Reported) => number): number =>
    counted.reduce((left, { reported }) => left + valueOf(reported), 0);
  const extreme = (valueOf: (reported: Reported) => number, pick: (...values: number[]) => number): number => {
    // Of observations all have to be told; NaN goes through.
    const telling = counted.filter(({ point, reported }) =>
      isNumber(point) ? !Number.isNaN(valueOf(reported)) : reported.count > 0,
    );
    return telling.length === 0 ? NaN : pick(...telling.map(({ reported }) => valueOf(reported)));
  };
  const { metric, unit, kind, monotonic, instance } = newest;
  const [min, max] = [extreme((reported) => reported.min, Math.min), extreme((reported) => reported.max, Math.max)];
  const limits = {
    min: Number.isNaN(min) ? extreme((reported) => reported.lowest, Math.min) : NaN,
    max: Number.isNaN(max) ? extreme((reported) => reported.highest, Math.max) : NaN,
  };
  return {
    metric,
    unit,
    kind,
    monotonic,
    instance,
    attributes: [],
    points: counted.length,
    sum: sum(({ sum: own, count }) => (count > 0 ? own : finite(own))),
    count: sum((reported) => reported.count),
    min,
    max,
    ...(!(Number.isNaN(limits.min) && Number.isNaN(limits.max)) && { limits }),
    last: finite(newest.value),
    lastUs: newest.timeUs,
    buckets: bucketsIn(counted),
    quantiles: newest.quantiles ?? [],
    exemplars: exemplarsIn(counted),
  };
}

/** Of explicit bounds those of most buckets first, exponential buckets before all. */
function bucketsIn(counted: readonly Counted[]): readonly HistogramBuckets[] {
  const layouts = groupBy(
    counted
      .flatMap(({ reported }) => reported.cells)
      .filter(({ counts }) => [...counts.values()].some((count) => count > 0)),
    ({ bounds }) => JSON.stringify(bounds ?? null),
  );
  const sums = layouts.map(([, cells]) => bucketsOf(sumOf(cells)));
  return sums.sort(
    (a, b) =>
      (b.kind === 'explicit' ? b.bounds.length : Infinity) - (a.kind === 'explicit' ? a.bounds.length : Infinity),
  );
}

function exemplarsIn(counted: readonly Counted[]): MetricSeriesRollup['exemplars'] {
  const exemplarsSent = counted.flatMap(({ point: { exemplars = [] } }) => exemplars);
  const once = [...new Map(exemplarsSent.map((each) => [JSON.stringify(each), each])).values()];
  const idsOf = ({ traceId, spanId }: Exemplar): string => `${traceId}/${spanId}`;
  return once.sort((a, b) => b.value - a.value || a.timeUs - b.timeUs || (idsOf(a) < idsOf(b) ? -1 : 1)).slice(0, 4);
}

/** By name ascending. */
function groupBy<T>(items: readonly T[], nameOf: (item: T) => string): [string, T[]][] {
  const groups: Record<string, T[]> = {};
  for (const item of items) (groups[nameOf(item)] ??= []).push(item);
  return Object.entries(groups).sort(([a], [b]) => (a < b ? -1 : 1));
}
