import type { MetricSeriesRollup } from '../../../diagnostics/rollups/rollup-types.js';
import { MINUTE_MS } from '../../../diagnostics/time-windows.js';
import { and, eq, range } from '../../../read-models/document-filter.js';
import { readActiveVersion } from '../../../read-models/documents/projection-documents.js';
import {
  metricRollupCollections,
  METRICS_PROJECTION,
  ROLLUP_BLOB,
  type RollupCollections,
  rollupId,
} from '../../../read-models/documents/rollup-documents.js';
import type { ReadModelReader } from '../../../read-models/read-model-store.js';
import { decodeMetricRollup } from '../../../read-models/rollups/metric-rollup-codec.js';
import type { Attributes } from '../../../telemetry/attributes.js';
import type { TimeSlice } from '../../scheduling/cooperative-scheduler.js';
import type { AnswerColumn, Cell, FieldReference, QueryRange } from '../query-model.js';
import { everyRow } from './block-batch.js';
import { buildCodedColumn, type FieldColumn, type FieldValue, type SummedColumn } from './field-column.js';
import type { RecordBatch, RecordSource, Rows } from './record-batch.js';

const US_PER_MS = 1e3;
const MINUTE_US = MINUTE_MS * US_PER_MS;
/** Minutes whose rollups are listed at a time. */
const MINUTES_AT_ONCE = 60;
/** Series of one minute and service in one batch: row numbers have 16 bits. */
const MAX_ROWS = 2 ** 15;

const text = (name: string): AnswerColumn => ({ name, type: 'string', unit: '' });
const number = (name: string): AnswerColumn => ({ name, type: 'number', unit: '' });

const METRIC_COLUMNS: readonly AnswerColumn[] = [
  { name: 'time', type: 'time', unit: '' },
  ...['metric', 'type', 'unit', 'service', 'instance'].map(text),
  ...['value', 'last', 'sum', 'min', 'max', 'points', 'observations'].map(number),
  { name: 'attributes', type: 'object', unit: '' },
];

/** The series of a Grid's metrics, minute by minute. */
export class MetricSource implements RecordSource {
  readonly columns = METRIC_COLUMNS;
  readonly damagedRecords = 0;

  constructor(
    private readonly store: ReadModelReader,
    private readonly gridId: string,
    private readonly range: QueryRange,
    readonly timeSlice: TimeSlice,
  ) {}

  async *batches(): AsyncGenerator<RecordBatch> {
    const version = await readActiveVersion(this.store, METRICS_PROJECTION);
    if (version === undefined) return;
    const collections = metricRollupCollections(version);
    const { first, end } = await this.findMinutes(collections);
    for (let from = first; from < end; from += MINUTES_AT_ONCE)
      yield* this.readMinutes(collections, from, Math.min(end, from + MINUTES_AT_ONCE));
  }

  /** Whole minutes of the range that have not expired, and were over when they had to be known. */
  private async findMinutes({
    minutes,
    catalogs,
  }: RollupCollections): Promise<{ readonly first: number; readonly end: number }> {
    const expiredBefore = (await this.store.get(catalogs, this.gridId))?.expiredBefore ?? 0;
    const { fromUs, toUs, knownByUs = Infinity } = this.range;
    const end = Math.min(Math.ceil(toUs / MINUTE_US), Math.floor(knownByUs / MINUTE_US));
    const [oldest] = await this.store.find(minutes, {
      filter: eq('gridId', this.gridId),
      sort: [{ field: 'minute' }],
      limit: 1,
    });
    const stored = oldest?.document.minute ?? end;
    return { first: Math.max(stored, Math.floor(fromUs / MINUTE_US), Math.floor(expiredBefore / MINUTE_MS)), end };
  }

  private async *readMinutes(collections: RollupCollections, from: number, to: number): AsyncGenerator<RecordBatch> {
    const { minutes } = collections;
    const found = await this.store.find(minutes, {
      filter: and(eq('gridId', this.gridId), range('minute', from, to)),
      sort: [{ field: 'minute' }],
    });
    for (const { document } of found) {
      await this.timeSlice.yieldIfDue();
      const blob = await this.store.readBlob(minutes, rollupId(document), ROLLUP_BLOB);
      if (blob === undefined) continue; // expired since it was listed
      const { service, series } = decodeMetricRollup(blob);
      for (let at = 0; at < series.length; at += MAX_ROWS)
        yield new MetricBatch(document.minute, service, series.slice(at, at + MAX_ROWS));
    }
  }
}

/** What one minute and service has of each series. */
class MetricBatch implements RecordBatch {
  readonly size: number;
  readonly weights: Float64Array;

  constructor(
    private readonly minute: number,
    private readonly service: string,
    private readonly series: readonly MetricSeriesRollup[],
  ) {
    this.size = series.length;
    this.weights = Float64Array.from(series, ({ points }) => points);
  }

  selectRange(): Promise<Rows> {
    return Promise.resolve(everyRow(this.size));
  }

  readTimesUs(): Promise<Float64Array> {
    return Promise.resolve(new Float64Array(this.size).fill(this.minute * MINUTE_US));
  }

  readColumn({ scope, name }: FieldReference): Promise<FieldColumn> {
    return Promise.resolve(scope === 'intrinsic' ? this.readIntrinsic(name) : this.readAttribute(name));
  }

  findCandidates(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  filterText(): Promise<Rows> {
    return Promise.resolve(new Uint16Array(0));
  }

  readErrors(): Promise<Uint8Array> {
    return Promise.resolve(new Uint8Array(this.size));
  }

  forEachAttributes(rows: Rows, visit: (row: number, own: Attributes, resource: Attributes) => void): Promise<void> {
    for (const row of rows) visit(row, Object.fromEntries(this.series[row].attributes), {});
    return Promise.resolve();
  }

  readRecord(row: number): Promise<readonly Cell[]> {
    const series = this.series[row];
    const { metric, kind, unit, instance, last, sum, min, max, points, count, attributes } = series;
    const numbers = [meanOrSum(series), last, sum, min, max].map((value) => (Number.isFinite(value) ? value : null));
    return Promise.resolve([
      new Date(this.minute * MINUTE_MS).toISOString(),
      ...[metric, kind, unit, this.service, instance],
      ...[...numbers, points, count],
      Object.fromEntries(attributes),
    ]);
  }

  private readAttribute(name: string): FieldColumn {
    return this.code(({ attributes }) => attributes.find(([key]) => key === name)?.[1]);
  }

  private readIntrinsic(name: string): FieldColumn {
    const read = INTRINSICS[name];
    if (read !== undefined) return this.code(read);
    if (name === 'service') return this.code(() => this.service);
    if (name === 'value') return this.readValues();
    return { kind: 'numbers', numbers: new Float64Array(this.size).fill(this.minute * MINUTE_MS) };
  }

  private readValues(): SummedColumn {
    const numbers = (value: (series: MetricSeriesRollup) => number): Float64Array =>
      Float64Array.from(this.series, value);
    return {
      kind: 'summed',
      numbers: numbers(meanOrSum),
      sums: numbers(({ sum }) => sum),
      counts: numbers(({ count }) => count),
      minima: numbers(({ min }) => min),
      maxima: numbers(({ max }) => max),
    };
  }

  private code(value: (series: MetricSeriesRollup) => FieldValue): FieldColumn {
    return buildCodedColumn(this.size, (row) => value(this.series[row]));
  }
}

/** What a counter has grown by in the minute; of other kinds the mean. NaN if unknown. */
function meanOrSum({ kind, monotonic, sum, count }: MetricSeriesRollup): number {
  return kind === 'sum' && monotonic ? sum : count > 0 ? sum / count : NaN;
}

const INTRINSICS: Readonly<Record<string, (series: MetricSeriesRollup) => FieldValue>> = {
  metric: ({ metric }) => metric,
  type: ({ kind }) => kind,
  unit: ({ unit }) => unit,
  instance: ({ instance }) => instance || undefined,
  last: ({ last }) => (Number.isFinite(last) ? last : undefined),
  points: ({ points }) => points,
  observations: ({ count }) => count,
};
