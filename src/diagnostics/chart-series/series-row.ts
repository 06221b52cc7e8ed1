import type { MetricSeriesRollup } from '../rollups.js';
import type { GroupRow } from './group-row.js';
import type { StepClock } from './step-clock.js';

/** A data point's series, and the service that sends it. */
export interface SeriesOf {
  readonly service: string;
  readonly series: MetricSeriesRollup;
}

/** How series of one group become one value: each by a pair of numbers a step. A pair that begins with 0 is none. */
export interface SeriesMeasure {
  /** What a rollup adds; [0, 0] where it adds nothing. */
  pair(series: MetricSeriesRollup): readonly [number, number];
  /** Adds a pair to that at `at`. */
  take(pairs: Float64Array, at: number, first: number, second: number): void;
  /** The value of a series, of its pair. */
  value(first: number, second: number): number;
  /** The value of all. */
  together(values: Values): number;
}

/** Of the values of several series. */
export interface Values {
  count: number;
  sum: number;
  max: number;
}

/** Pairs of the steps from the first to the last in which a series was seen, with room for more. */
interface Run {
  from: number;
  pairs: Float64Array;
}

const FIRST_STEPS = 4;

/** Of a series: its key and what is around its pairs. */
const SERIES_BYTES = 300;

/** What has to be known of each series by itself, by step. */
export class SeriesRow implements GroupRow<SeriesOf> {
  private readonly runs = new Map<string, Run>();
  weight = 0;
  bytes = 0;

  constructor(
    private readonly clock: StepClock,
    private readonly measure: SeriesMeasure,
  ) {}

  add(step: number, { service, series }: SeriesOf): void {
    const [first, second] = this.measure.pair(series);
    if (first === 0) return;
    this.weight += series.points;
    const run = this.runOf(keyOf(service, series), step);
    this.measure.take(run.pairs, 2 * (step - run.from), first, second);
  }

  merge(other: SeriesRow, from = 0): void {
    this.weight += other.weight;
    for (const [key, run] of other.runs) {
      eachPair(run, (step, first, second) => {
        const own = this.runOf(key, from + step);
        this.measure.take(own.pairs, 2 * (from + step - own.from), first, second);
      });
    }
  }

  total(): number {
    const all = new Float64Array(2);
    const values = { count: 0, sum: 0, max: -Infinity };
    for (const run of this.runs.values()) {
      all.fill(0);
      eachPair(run, (_step, first, second) => this.measure.take(all, 0, first, second));
      addTo(values, this.measure.value(all[0], all[1]));
    }
    return this.valueOf(values);
  }

  lines(): readonly Float64Array[] {
    const steps = Array.from({ length: this.clock.count }, (): Values => ({ count: 0, sum: 0, max: -Infinity }));
    for (const run of this.runs.values()) eachPair(run, (step, first, second) => addTo(steps[step], this.measure.value(first, second)));
    return [Float64Array.from(steps, (values) => this.valueOf(values))];
  }

  private valueOf(values: Values): number {
    return values.count === 0 ? NaN : this.measure.together(values);
  }

  /** The run of a series, with room for the step. */
  private runOf(key: string, step: number): Run {
    let run = this.runs.get(key);
    if (run === undefined) {
      this.runs.set(key, (run = { from: step, pairs: new Float64Array(2 * Math.min(FIRST_STEPS, this.clock.count - step)) }));
      this.bytes += SERIES_BYTES + 2 * key.length + run.pairs.byteLength;
    }
    const before = run.pairs.byteLength;
    widen(run, step, this.clock.count);
    this.bytes += run.pairs.byteLength - before;
    return run;
  }
}

/** Twice as long at least, in the direction of the step. */
function widen(run: Run, step: number, steps: number): void {
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

function eachPair({ from, pairs }: Run, visit: (step: number, first: number, second: number) => void): void {
  for (let at = 0; at < pairs.length; at += 2) if (pairs[at] !== 0) visit(from + at / 2, pairs[at], pairs[at + 1]);
}

function addTo(values: Values, value: number): void {
  values.count++;
  values.sum += value;
  values.max = Math.max(values.max, value);
}

/** What tells a series from all others of its metric. Lengths before texts: these may hold any character. */
function keyOf(service: string, { kind, monotonic, instance, attributes }: MetricSeriesRollup): string {
  let key = `${kind} ${monotonic} ${service.length} ${instance.length} ${service}${instance}`;
  for (const [name, value] of attributes) key += `${name.length} ${value.length} ${name}${value}`;
  return key;
}
