import { HindsightError } from '../../../errors.js';
import type { FieldColumn, MultiColumn } from '../columns/field-column.js';
import type { RecordBatch } from '../columns/record-batch.js';
import type { Aggregate, AggregateFunction, FieldReference } from '../query-model.js';
import {
  DistinctAccumulator,
  NumberAccumulator,
  PresenceAccumulator,
  SketchAccumulator,
  type Accumulator,
  type CellRange,
  type CellRows,
} from './accumulators.js';
import { ESTIMATE_ERROR } from './distinct-counter.js';
import type { QueryMemory } from '../../scheduling/query-memory.js';

const US_PER_SECOND = 1e6;
const PERCENT = 100;

const PERCENTILES: Partial<Record<AggregateFunction, number>> = { p50: 50, p75: 75, p90: 90, p95: 95, p99: 99 };

/** Accumulators of one field: those that its aggregates need. */
interface FieldAccumulators {
  readonly field: FieldReference;
  numbers?: NumberAccumulator;
  sketch?: SketchAccumulator;
  distinct?: DistinctAccumulator;
  presence?: PresenceAccumulator;
}

/** Values of a batch that are aggregated without a pause; each counts in every group of its record. */
const MAX_VALUES = 20_000_000;

/** Rejects with `invalid-request` what would keep others waiting for seconds: records with many values in many groups. */
function assertCountable({ rows }: CellRows, { ends }: MultiColumn): void {
  let values = 0;
  for (const row of rows) values += ends[row] - (row === 0 ? 0 : ends[row - 1]);
  if (values > MAX_VALUES)
    throw new HindsightError(
      'invalid-request',
      'Records have too many values of the selected field for their groups. Group by fewer fields with several values, or narrow the query.',
    );
}

/** Computes the aggregates of a query for each cell: a group, or a step of a group. */
export class Aggregation {
  private readonly records: PresenceAccumulator;
  private readonly errors: PresenceAccumulator | undefined;
  private readonly fields = new Map<string, FieldAccumulators>();

  constructor(
    private readonly aggregates: readonly Aggregate[],
    private readonly budget: QueryMemory,
  ) {
    this.records = new PresenceAccumulator(budget);
    if (aggregates.some(({ fn }) => fn === 'errorRate')) this.errors = new PresenceAccumulator(budget);
    for (const aggregate of aggregates) this.addField(aggregate);
  }

  /** Makes room for cells below this number. */
  reserve(cells: number): void {
    for (const accumulator of this.listAccumulators()) accumulator.reserve(cells);
  }

  /** `read`: the column of a field for these rows. */
  async add(batch: RecordBatch, given: CellRows, read: (field: FieldReference) => Promise<FieldColumn>): Promise<void> {
    this.records.addWeights(given, batch.weights);
    if (this.errors !== undefined) this.errors.addWeights(given, await batch.readErrors());
    for (const { field, numbers, sketch, distinct, presence } of this.fields.values()) {
      const column = await read(field);
      if (column.kind === 'multi') assertCountable(given, column);
      for (const accumulator of [numbers, sketch, distinct, presence]) accumulator?.add(given, column, batch.weights);
    }
  }

  /** Number of records in the cells. */
  count(cells: CellRange): number {
    return this.records.count(cells);
  }

  /** The value of one aggregate in a cell; null if there is nothing to aggregate. `rangeUs`: length of its time. */
  value(aggregate: Aggregate, cell: number, rangeUs: number): number | null {
    return this.valueOver(aggregate, { from: cell, end: cell + 1 }, rangeUs);
  }

  /** The value of one aggregate over adjacent cells, as if they were one. `rangeUs`: length of their time. */
  valueOver({ fn, field }: Aggregate, cell: CellRange, rangeUs: number): number | null {
    const of = field && this.fields.get(field.text);
    switch (fn) {
      case 'count':
        return of?.presence?.count(cell) ?? this.count(cell);
      case 'rate':
        return rangeUs > 0 ? (this.count(cell) * US_PER_SECOND) / rangeUs : null;
      case 'errorRate':
        return this.count(cell) === 0 ? null : (PERCENT * this.errors!.count(cell)) / this.count(cell);
      case 'countDistinct':
        return of!.distinct!.count(cell);
      case 'sum':
        return of!.numbers!.sum(cell) ?? null;
      case 'avg':
        return of!.numbers!.mean(cell) ?? null;
      case 'min':
        return of!.numbers!.min(cell) ?? null;
      case 'max':
        return of!.numbers!.max(cell) ?? null;
      default:
        return of!.sketch!.percentile(cell, PERCENTILES[fn]!) ?? null;
    }
  }

  /** The columns with distinct counts that had to be estimated. */
  listEstimates(): { column: string; relativeError: number }[] {
    return this.aggregates
      .filter(({ fn, field }) => fn === 'countDistinct' && this.fields.get(field!.text)!.distinct!.hasEstimates)
      .map(({ as }) => ({ column: as, relativeError: ESTIMATE_ERROR }));
  }

  private addField({ fn, field }: Aggregate): void {
    if (field === undefined) return;
    const of = this.fields.get(field.text) ?? { field };
    this.fields.set(field.text, of);
    if (fn === 'count') of.presence ??= new PresenceAccumulator(this.budget);
    else if (fn === 'countDistinct') of.distinct ??= new DistinctAccumulator(this.budget);
    else if (PERCENTILES[fn] !== undefined) of.sketch ??= new SketchAccumulator(this.budget);
    else of.numbers ??= new NumberAccumulator(this.budget);
  }

  private listAccumulators(): Accumulator[] {
    const ofFields = [...this.fields.values()].flatMap(({ numbers, sketch, distinct, presence }) => [
      numbers,
      sketch,
      distinct,
      presence,
    ]);
    return [this.records, this.errors, ...ofFields].filter((accumulator) => accumulator !== undefined);
  }
}
