import type { MetricSeriesRollup } from '../rollups/rollup-types.js';
import type { GroupAccumulator } from './group-accumulators.js';
import type { StepClock } from './chart-window.js';

/** The series of a data point and the service that sent it. */
export interface ServiceSeries {
  readonly service: string;
  readonly series: MetricSeriesRollup;
}

/**
 * How the series of one group are combined into one value; each contributes a pair of numbers per step. A pair that
 * begins with 0 is absent.
 */
export interface SeriesMeasure {
  /** Pair of a rollup; [0, 0] if it adds nothing. */
  pair(series: MetricSeriesRollup): readonly [number, number];
  /** Adds a pair to the one at index `at`. */
  accumulate(pairs: Float64Array, at: number, first: number, second: number): void;
  /** Value of a series from its pair. */
  value(first: number, second: number): number;
  /** Value of the group. */
  combine(values: SeriesTotals): number;
}

/** Totals over the values of several series. */
export interface SeriesTotals {
  count: number;
  sum: number;
  max: number;
}

/** Pairs of the steps from the first to the last in which a series occurs, with spare capacity. */
interface SeriesPairs {
  from: number;
  pairs: Float64Array;
}

const INITIAL_STEPS = 4;

/** Per series: its key and the overhead besides its pairs. */
const SERIES_BYTES = 300;

/** Accumulates values that must be known for each series separately, by step. */
export class SeriesAccumulator implements GroupAccumulator<ServiceSeries> {
  private readonly pairsByKey = new Map<string, SeriesPairs>();
  weight = 0;
  bytes = 0;

  constructor(
    private readonly clock: StepClock,
    private readonly measure: SeriesMeasure,
  ) {}

  add(step: number, { service, series }: ServiceSeries): void {
    const [first, second] = this.measure.pair(series);
    if (first === 0) return;
    this.weight += series.points;
    const run = this.getOrCreatePairs(buildSeriesKey(service, series), step);
    this.measure.accumulate(run.pairs, 2 * (step - run.from), first, second);
  }

  merge(other: SeriesAccumulator, from = 0): void {
    this.weight += other.weight;
    for (const [key, run] of other.pairsByKey) {
      forEachPair(run, (step, first, second) => {
        const own = this.getOrCreatePairs(key, from + step);
        this.measure.accumulate(own.pairs, 2 * (from + step - own.from), first, second);
      });
    }
  }

  total(): number {
    const all = new Float64Array(2);
    const values = { count: 0, sum: 0, max: -Infinity };
    for (const run of this.pairsByKey.values()) {
      all.fill(0);
      forEachPair(run, (_step, first, second) => this.measure.accumulate(all, 0, first, second));
      addValue(values, this.measure.value(all[0], all[1]));
    }
    return this.combineTotals(values);
  }

  lines(): readonly Float64Array[] {
    const steps = Array.from({ length: this.clock.count }, (): SeriesTotals => ({ count: 0, sum: 0, max: -Infinity }));
    for (const run of this.pairsByKey.values())
      forEachPair(run, (step, first, second) => addValue(steps[step], this.measure.value(first, second)));
    return [Float64Array.from(steps, (values) => this.combineTotals(values))];
  }

  private combineTotals(values: SeriesTotals): number {
    return values.count === 0 ? NaN : this.measure.combine(values);
  }

  /** The pairs of a series, with capacity for the step. */
  private getOrCreatePairs(key: string, step: number): SeriesPairs {
    let run = this.pairsByKey.get(key);
    if (run === undefined) {
      this.pairsByKey.set(
        key,
        (run = { from: step, pairs: new Float64Array(2 * Math.min(INITIAL_STEPS, this.clock.count - step)) }),
      );
      this.bytes += SERIES_BYTES + 2 * key.length + run.pairs.byteLength;
    }
    const before = run.pairs.byteLength;
    widen(run, step, this.clock.count);
    this.bytes += run.pairs.byteLength - before;
    return run;
  }
}

/** At least doubles the length in the direction of the step. */
function widen(run: SeriesPairs, step: number, steps: number): void {
  const length = run.pairs.length / 2;
  const end = run.from + length;
  if (step >= run.from && step < end) return;
  const from = step < run.from ? Math.max(0, Math.min(step, end - 2 * length)) : run.from;
  const to = step < run.from ? end : Math.min(steps, Math.max(step + 1, run.from + 2 * length));
  const pairs = new Float64Array(2 * (to - from));
  pairs.set(run.pairs, 2 * (run.from - from));
  run.from = from;
  run.pairs = pairs;
}

function forEachPair({ from, pairs }: SeriesPairs, visit: (step: number, first: number, second: number) => void): void {
  for (let at = 0; at < pairs.length; at += 2) if (pairs[at] !== 0) visit(from + at / 2, pairs[at], pairs[at + 1]);
}

function addValue(values: SeriesTotals, value: number): void {
  values.count++;
  values.sum += value;
  values.max = Math.max(values.max, value);
}

/** Identifies a series within its metric. Lengths precede texts, which may contain any character. */
function buildSeriesKey(service: string, { kind, monotonic, instance, attributes }: MetricSeriesRollup): string {
  let key = `${kind} ${monotonic} ${service.length} ${instance.length} ${service}${instance}`;
  for (const [name, value] of attributes) key += `${name.length} ${value.length} ${name}${value}`;
  return key;
}
