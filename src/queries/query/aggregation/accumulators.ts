import type { FieldColumn, FieldValue } from '../columns/field-column.js';
import { toNumber } from '../language/literals.js';
import { DistinctCounter } from './distinct-counter.js';
import { QueryMemory } from '../../scheduling/query-memory.js';
import { QuantileSketch, valueBucket } from './quantile-sketch.js';

/** Rows of a batch with the cell (group and step) of each; a row may occur several times. */
export interface CellRows {
  readonly rows: Uint16Array | Uint32Array;
  readonly cells: Uint32Array;
}

/** Adjacent cells that are read as one, such as the minutes of a window; the last one excluded. */
export interface CellRange {
  readonly from: number;
  readonly end: number;
}

/** For what is merged from cells that are already counted, and dropped at once. */
const UNLIMITED = new QueryMemory(Infinity);

/** Sums, extremes or sketches of the values of one field, by cell. */
export interface Accumulator {
  /** Makes room for cells below this number. */
  reserve(cells: number): void;
  /** `weights`: number of data points by row; undefined: each row counts once. */
  add(rows: CellRows, column: FieldColumn, weights?: ArrayLike<number>): void;
}

/** Calls `visit` for each present value of each row. */
function forEachValue(
  { rows, cells }: CellRows,
  column: Exclude<FieldColumn, { kind: 'numbers' | 'summed' }>,
  visit: (cell: number, code: number) => void,
): void {
  const { codes } = column;
  if (column.kind === 'coded') for (let i = 0; i < rows.length; i++) visit(cells[i], codes[rows[i]]);
  else {
    const { ends } = column;
    for (let i = 0; i < rows.length; i++)
      for (let at = rows[i] === 0 ? 0 : ends[rows[i] - 1]; at < ends[rows[i]]; at++) visit(cells[i], codes[at]);
  }
}

/** The values of codes as numbers; NaN for those that are no finite numbers. */
function toNumbers(values: readonly FieldValue[]): Float64Array {
  return Float64Array.from(values, (value) => {
    const number = typeof value === 'string' ? toNumber(value) : (value ?? NaN);
    return Number.isFinite(number) ? number : NaN;
  });
}

/** Bytes of a cell of `NumberAccumulator`. */
const NUMBER_CELL_BYTES = 5 * 8;

/** Sum, number and extremes of values. Sums are compensated (Neumaier), so that they are exact to the last digits. */
export class NumberAccumulator implements Accumulator {
  private sums = new Float64Array(0);
  private corrections = new Float64Array(0);
  private counts = new Float64Array(0);
  private minima = new Float64Array(0);
  private maxima = new Float64Array(0);

  constructor(private readonly budget: QueryMemory) {}

  reserve(cells: number): void {
    const { length } = this.sums;
    if (cells <= length) return;
    const size = Math.max(cells, length * 2);
    this.budget.charge((size - length) * NUMBER_CELL_BYTES);
    this.sums = enlarge(this.sums, size, 0);
    this.corrections = enlarge(this.corrections, size, 0);
    this.counts = enlarge(this.counts, size, 0);
    this.minima = enlarge(this.minima, size, Infinity);
    this.maxima = enlarge(this.maxima, size, -Infinity);
  }

  add(given: CellRows, column: FieldColumn): void {
    const { rows, cells } = given;
    if (column.kind === 'numbers') {
      const { numbers } = column;
      for (let i = 0; i < rows.length; i++) this.addNumber(cells[i], numbers[rows[i]]);
    } else if (column.kind === 'summed') {
      for (let i = 0; i < rows.length; i++) {
        const row = rows[i];
        this.addSummed(cells[i], column.sums[row], column.counts[row], column.minima[row], column.maxima[row]);
      }
    } else {
      const numbers = toNumbers(column.values);
      forEachValue(given, column, (cell, code) => this.addNumber(cell, numbers[code]));
    }
  }

  /** Undefined without values, and beyond the largest number that there is. */
  sum({ from, end }: CellRange): number | undefined {
    if (total(this.counts, from, end) === 0) return undefined;
    let [sum, correction] = [this.sums[from], this.corrections[from]];
    for (let cell = from + 1; cell < end; cell++) {
      const value = this.sums[cell];
      const next = sum + value;
      correction += compensate(sum, value, next) + this.corrections[cell];
      sum = next;
    }
    return finite(sum + correction);
  }

  mean(cells: CellRange): number | undefined {
    const sum = this.sum(cells);
    return sum === undefined ? undefined : sum / total(this.counts, cells.from, cells.end);
  }

  min({ from, end }: CellRange): number | undefined {
    let min = Infinity;
    for (let cell = from; cell < end; cell++) min = Math.min(min, this.minima[cell]);
    return finite(min);
  }

  max({ from, end }: CellRange): number | undefined {
    let max = -Infinity;
    for (let cell = from; cell < end; cell++) max = Math.max(max, this.maxima[cell]);
    return finite(max);
  }

  private addNumber(cell: number, value: number): void {
    if (Number.isNaN(value)) return;
    this.addToSum(cell, value);
    this.counts[cell]++;
    if (value < this.minima[cell]) this.minima[cell] = value;
    if (value > this.maxima[cell]) this.maxima[cell] = value;
  }

  /** Values that were added up before; unknown sums and extremes (NaN) do not count. */
  private addSummed(cell: number, sum: number, count: number, min: number, max: number): void {
    if (Number.isFinite(sum)) {
      this.addToSum(cell, sum);
      this.counts[cell] += count;
    }
    if (min < this.minima[cell]) this.minima[cell] = min;
    if (max > this.maxima[cell]) this.maxima[cell] = max;
  }

  private addToSum(cell: number, value: number): void {
    const sum = this.sums[cell];
    const next = sum + value;
    this.corrections[cell] += compensate(sum, value, next);
    this.sums[cell] = next;
  }
}

/** What `next`, the rounded sum of two numbers, lacks. */
function compensate(sum: number, value: number, next: number): number {
  return Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum;
}

function total(values: Float64Array, from: number, end: number): number {
  let sum = 0;
  for (let cell = from; cell < end; cell++) sum += values[cell];
  return sum;
}

function finite(value: number): number | undefined {
  return Number.isFinite(value) ? value : undefined;
}

/** Bytes of a sketch or a counter without its values, and of its place in a map. */
const ENTRY_BYTES = 256;

/** Percentiles of values. */
export class SketchAccumulator implements Accumulator {
  private readonly sketches = new Map<number, QuantileSketch>();

  constructor(private readonly budget: QueryMemory) {}

  reserve(): void {
    // Sketches are created when their cells have values.
  }

  add(given: CellRows, column: FieldColumn): void {
    const { rows, cells } = given;
    if (column.kind === 'numbers' || column.kind === 'summed') {
      const { numbers } = column;
      for (let i = 0; i < rows.length; i++) {
        const value = numbers[rows[i]];
        if (!Number.isNaN(value)) this.getSketch(cells[i]).addBucket(valueBucket(value));
      }
    } else {
      const buckets = Int32Array.from(toNumbers(column.values), (value) =>
        Number.isNaN(value) ? -1 : valueBucket(value),
      );
      forEachValue(given, column, (cell, code) => {
        if (buckets[code] >= 0) this.getSketch(cell).addBucket(buckets[code]);
      });
    }
  }

  percentile({ from, end }: CellRange, p: number): number | undefined {
    if (end - from === 1) return this.sketches.get(from)?.percentile(p);
    const merged = new QuantileSketch(UNLIMITED);
    for (let cell = from; cell < end; cell++) merged.merge(this.sketches.get(cell));
    return merged.percentile(p);
  }

  private getSketch(cell: number): QuantileSketch {
    const known = this.sketches.get(cell);
    if (known !== undefined) return known;
    this.budget.charge(ENTRY_BYTES);
    const sketch = new QuantileSketch(this.budget);
    this.sketches.set(cell, sketch);
    return sketch;
  }
}

/** Distinct values by their string form. */
export class DistinctAccumulator implements Accumulator {
  private readonly counters = new Map<number, DistinctCounter>();

  constructor(private readonly budget: QueryMemory) {}

  reserve(): void {
    // Counters are created when their cells have values.
  }

  add(given: CellRows, column: FieldColumn): void {
    const { rows, cells } = given;
    if (column.kind === 'numbers' || column.kind === 'summed') {
      const { numbers } = column;
      for (let i = 0; i < rows.length; i++)
        if (!Number.isNaN(numbers[rows[i]])) this.getCounter(cells[i]).add(String(numbers[rows[i]]));
      return;
    }
    const texts = column.values.map((value) => (value === undefined ? undefined : String(value)));
    const seen = new Set<number>();
    forEachValue(given, column, (cell, code) => {
      const text = texts[code];
      const pair = cell * texts.length + code;
      if (text === undefined || seen.has(pair)) return;
      seen.add(pair);
      this.getCounter(cell).add(text);
    });
  }

  count({ from, end }: CellRange): number {
    if (end - from === 1) return this.counters.get(from)?.count ?? 0;
    const merged = new DistinctCounter(UNLIMITED);
    for (let cell = from; cell < end; cell++) merged.merge(this.counters.get(cell));
    return merged.count;
  }

  get hasEstimates(): boolean {
    return [...this.counters.values()].some(({ isEstimate }) => isEstimate);
  }

  private getCounter(cell: number): DistinctCounter {
    const known = this.counters.get(cell);
    if (known !== undefined) return known;
    this.budget.charge(ENTRY_BYTES);
    const counter = new DistinctCounter(this.budget);
    this.counters.set(cell, counter);
    return counter;
  }
}

/** Records that have the field; of metrics, their data points. */
export class PresenceAccumulator implements Accumulator {
  private counts = new Float64Array(0);

  constructor(private readonly budget: QueryMemory) {}

  reserve(cells: number): void {
    const { length } = this.counts;
    if (cells <= length) return;
    const size = Math.max(cells, length * 2);
    this.budget.charge((size - length) * 8);
    this.counts = enlarge(this.counts, size, 0);
  }

  add({ rows, cells }: CellRows, column: FieldColumn, weights?: ArrayLike<number>): void {
    for (let i = 0; i < rows.length; i++)
      if (isPresent(column, rows[i])) this.counts[cells[i]] += weights?.[rows[i]] ?? 1;
  }

  /** Adds a weight for each row, whatever its fields are. */
  addWeights({ rows, cells }: CellRows, weights: ArrayLike<number> | undefined): void {
    const { counts } = this;
    if (weights === undefined) for (let i = 0; i < rows.length; i++) counts[cells[i]]++;
    else for (let i = 0; i < rows.length; i++) counts[cells[i]] += weights[rows[i]];
  }

  count({ from, end }: CellRange): number {
    return total(this.counts, from, end);
  }
}

function isPresent(column: FieldColumn, row: number): boolean {
  if (column.kind === 'coded') return column.values[column.codes[row]] !== undefined;
  if (column.kind === 'multi') return column.ends[row] > (row === 0 ? 0 : column.ends[row - 1]);
  return !Number.isNaN(column.numbers[row]);
}

function enlarge(values: Float64Array, size: number, fill: number): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(size).fill(fill, values.length);
  larger.set(values);
  return larger;
}
