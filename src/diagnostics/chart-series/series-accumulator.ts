import type { MetricSeriesRollup } from '../rollups/rollup-types.js';
import type { GroupAccumulator } from './group-accumulators.js';
import type { StepClock } from './chart-window.js';

/** A data point's series, and the service that sends it. */
export interface ServiceSeries {
  readonly service: string;
  readonly series: MetricSeriesRollup;
}

/** How series of one group become one value: each by a pair of numbers a step. A pair that begins with 0 is none. */
export interface SeriesMeasure {
  /** What a rollup adds; [0, 0] where it adds nothing. */
  pair(series: MetricSeriesRollup): readonly [number, number];
  /** Adds a pair to that at `at`. */
  accumulate(pairs: Float64Array, at: number, first: number, second: number): void;
  /** The value of a series, of its pair. */
  value(first: number, second: number): number;
  /** The value of all. */
  combine(values: SeriesTotals): number;
}

/** Of the values of several series. */
export interface SeriesTotals {
  count: number;
  sum: number;
  max: number;
}

/** Pairs of the steps from the first to the last in which a series was seen, with room for more. */
interface PairRun {
  from: number;
  pairs: Float64Array;
}

const FIRST_STEPS = 4;

/** Of a series: its key and what is around its pairs. */
const SERIES_BYTES = 300;

/** What has to be known of each series by itself, by step. */
export class SeriesAccumulator implements GroupAccumulator<ServiceSeries> {
  private readonly runs = new Map<string, PairRun>();
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
    const run = this.getOrCreateRun(buildSeriesKey(service, series), step);
    this.measure.accumulate(run.pairs, 2 * (step - run.from), first, second);
  }

  merge(other: SeriesAccumulator, from = 0): void {
    this.weight += other.weight;
    for (const [key, run] of other.runs) {
      forEachPair(run, (step, first, second) => {
        const own = this.getOrCreateRun(key, from + step);
        this.measure.accumulate(own.pairs, 2 * (from + step - own.from), first, second);
      });
    }
  }

  total(): number {
    const all = new Float64Array(2);
    const values = { count: 0, sum: 0, max: -Infinity };
    for (const run of this.runs.values()) {
      all.fill(0);
      forEachPair(run, (_step, first, second) => this.measure.accumulate(all, 0, first, second));
      addValue(values, this.measure.value(all[0], all[1]));
    }
    return this.combineTotals(values);
  }

  lines(): readonly Float64Array[] {
    const steps = Array.from({ length: this.clock.count }, (): SeriesTotals => ({ count: 0, sum: 0, max: -Infinity }));
    for (const run of this.runs.values())
      forEachPair(run, (step, first, second) => addValue(steps[step], this.measure.value(first, second)));
    return [Float64Array.from(steps, (values) => this.combineTotals(values))];
  }

  private combineTotals(values: SeriesTotals): number {
    return values.count === 0 ? NaN : this.measure.combine(values);
  }

  /** The run of a series, with room for the step. */
  private getOrCreateRun(key: string, step: number): PairRun {
    let run = this.runs.get(key);
    if (run === undefined) {
      this.runs.set(
        key,
        (run = { from: step, pairs: new Float64Array(2 * Math.min(FIRST_STEPS, this.clock.count - step)) }),
      );
      this.bytes += SERIES_BYTES + 2 * key.length + run.pairs.byteLength;
    }
    const before = run.pairs.byteLength;
    widen(run, step, this.clock.count);
    this.bytes += run.pairs.byteLength - before;
    return run;
  }
}

/** Twice as long at least, in the direction of the step. */
function widen(run: PairRun, step: number, steps: number): void {
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

function forEachPair({ from, pairs }: PairRun, visit: (step: number, first: number, second: number) => void): void {
  for (let at = 0; at < pairs.length; at += 2) if (pairs[at] !== 0) visit(from + at / 2, pairs[at], pairs[at + 1]);
}

function addValue(values: SeriesTotals, value: number): void {
  values.count++;
  values.sum += value;
  values.max = Math.max(values.max, value);
}

/** What tells a series from all others of its metric. Lengths before texts: these may hold any character. */
function buildSeriesKey(service: string, { kind, monotonic, instance, attributes }: MetricSeriesRollup): string {
  let key = `${kind} ${monotonic} ${service.length} ${instance.length} ${service}${instance}`;
  for (const [name, value] of attributes) key += `${name.length} ${value.length} ${name}${value}`;
  return key;
}
