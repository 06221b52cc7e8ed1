import { KIND_MASK, STATUS_MASK, STATUS_SHIFT } from '../../../read-models/blocks/span-block-codec.js';
import {
  SPAN_DURATIONS_NS,
  SPAN_IDS,
  SPAN_LABELS,
  SPAN_LOCATIONS,
  SPAN_OPERATIONS,
  SPAN_STARTS,
  SPAN_TRACES,
} from '../../../read-models/blocks/span-block-columns.js';
import { asBytes } from '../../../read-models/blocks/uint32-words.js';
import type { SpanBlockDocument } from '../../../read-models/documents/block-documents.js';
import { STATUS_ERROR } from '../../../telemetry/columns/span-batch-columns.js';
import { SPAN } from '../../../telemetry/otlp/wire/otlp-field-tags.js';
import { readResourceAt } from '../../../telemetry/otlp/decoding/record-resource.js';
import { spanKindName } from '../../../telemetry/span-kind.js';
import { spanStatusCodeName } from '../../../telemetry/span-status.js';
import { readIdHexAt, SPAN_ID_BYTES, TRACE_ID_BYTES } from '../../../telemetry/trace-identifiers.js';
import { formatIsoMillis, toUnixNanos } from '../../../telemetry/unix-time.js';
import type { SpanSnapshot } from '../../telemetry/block-snapshots.js';
import type { TimeSlice } from '../../scheduling/cooperative-scheduler.js';
import type { AnswerColumn, Cell, FieldReference, QueryRange } from '../query-model.js';
import { DURATION_BUCKETS, findDurationBucket } from '../../../diagnostics/duration-buckets.js';
import { ATTRIBUTE_COLUMNS, type BatchContext, BlockBatch, everyRow } from './block-batch.js';
import { buildCodedColumn, type CodedColumn, type FieldColumn } from './field-column.js';
import type { RecordBatch, RecordSource, Rows } from './record-batch.js';
import { decodeStoredSpan, findSpanFieldReader, type StoredFieldReader, type StoredSpan } from './stored-fields.js';

const NS_PER_MS = 1e6;
const US_PER_MS = 1e3;
const FLAG_VALUES = 256;

const text = (name: string): AnswerColumn => ({ name, type: 'string', unit: '' });
const number = (name: string, unit = ''): AnswerColumn => ({ name, type: 'number', unit });

const SPAN_COLUMNS: readonly AnswerColumn[] = [
  { name: 'time', type: 'time', unit: '' },
  number('duration', 'ms'),
  ...['service', 'operation', 'kind', 'status', 'statusCode', 'statusMessage'].map(text),
  ...['traceId', 'spanId', 'parentSpanId', 'traceState'].map(text),
  number('flags'),
  ...['startTimeUnixNano', 'durationNs'].map(text),
  ...ATTRIBUTE_COLUMNS,
  { name: 'events', type: 'object', unit: '' },
  { name: 'links', type: 'object', unit: '' },
  ...['droppedAttributesCount', 'droppedEventsCount', 'droppedLinksCount'].map((name) => number(name)),
];

/** The spans of a Grid. */
export class SpanSource implements RecordSource {
  readonly columns = SPAN_COLUMNS;

  constructor(
    private readonly snapshot: SpanSnapshot,
    private readonly range: QueryRange,
    private readonly context: BatchContext,
  ) {}

  get damagedRecords(): number {
    return this.context.records.damagedRecords;
  }

  get timeSlice(): TimeSlice {
    return this.context.records.timeSlice;
  }

  async *batches(): AsyncGenerator<RecordBatch> {
    const { fromUs, toUs, byEnd } = this.range;
    for (const block of this.snapshot.blocks) {
      await this.snapshot.timeSlice.yieldIfDue();
      const { minStartUs, maxStartUs, maxDurationNs } = block.document;
      const maxUs = byEnd === true ? latestEndUs({ maxStartUs, maxDurationNs }) : maxStartUs;
      if (minStartUs < toUs && maxUs >= fromUs) yield new SpanBatch(block, this.context);
    }
  }
}

class SpanBatch extends BlockBatch<SpanBlockDocument, StoredSpan> {
  protected override readonly locations = SPAN_LOCATIONS;
  protected override readonly attributeTag = SPAN.attribute;

  override async selectRange(range: QueryRange): Promise<Rows> {
    if (range.byEnd === true) return this.selectEnds(range);
    const { minStartUs, maxStartUs, maxDurationNs } = this.block.document;
    const rows = await this.selectTimes(range, minStartUs, maxStartUs, SPAN_STARTS);
    const { knownByUs } = range;
    if (knownByUs === undefined || latestEndUs({ maxStartUs, maxDurationNs }) <= knownByUs) return rows;
    const starts = await this.block.read(SPAN_STARTS);
    const durations = await this.block.read(SPAN_DURATIONS_NS);
    return rows.filter((row) => minStartUs + starts[row] + Math.max(0, durations[row]) / US_PER_MS <= knownByUs);
  }

  private async selectEnds({ fromUs, toUs }: QueryRange): Promise<Rows> {
    const ends = await readEnds(this.block);
    return everyRow(this.size).filter((row) => ends[row] * US_PER_MS >= fromUs && ends[row] * US_PER_MS < toUs);
  }

  override async readTimesUs(): Promise<Float64Array> {
    const { minStartUs } = this.block.document;
    return Float64Array.from(await this.block.read(SPAN_STARTS), (offset) => minStartUs + offset);
  }

  override filterText(_text: string, _rows: Rows): Promise<Rows> {
    return Promise.resolve(new Uint16Array(0));
  }

  override async readErrors(): Promise<Uint8Array> {
    const { flags } = await this.block.read(SPAN_LABELS);
    return flags.map((flag) => ERROR_FLAGS[flag]);
  }

  override async readRecord(row: number): Promise<readonly Cell[]> {
    const { minStartUs, services } = this.block.document;
    const labels = await this.block.read(SPAN_LABELS);
    const flags = labels.flags[row];
    const { startNs } = await this.block.read(SPAN_LOCATIONS);
    const start = toUnixNanos(minStartUs + (await this.block.read(SPAN_STARTS))[row], startNs[row]);
    const duration = Math.max(0, (await this.block.read(SPAN_DURATIONS_NS))[row]);
    const ids = await Promise.all(['traceId', 'spanId', 'parentSpanId'].map((name) => this.readText(name, row)));
    const { stored, resource } = await this.readWhole(row);
    return [
      formatIsoMillis(start),
      duration / NS_PER_MS,
      services[labels.services[row]][0],
      (await this.block.read(SPAN_OPERATIONS))[labels.operations[row]],
      KIND_COLUMN_VALUES[flags],
      STATUS_COLUMN_VALUES[flags],
      CODE_COLUMN_VALUES[flags],
      stored?.statusMessage ?? '',
      ...ids,
      stored?.traceState ?? '',
      stored?.flags ?? 0,
      String(start),
      String(duration),
      stored?.attributes ?? {},
      resource,
      stored?.scope ?? {},
      (stored?.events ?? []).map((event) => ({ ...event, time: String(event.time) })),
      stored?.links ?? [],
      stored?.droppedAttributesCount ?? 0,
      stored?.droppedEventsCount ?? 0,
      stored?.droppedLinksCount ?? 0,
    ];
  }

  protected override readIntrinsic(name: string): Promise<FieldColumn> | undefined {
    return INTRINSICS[name]?.(this.block);
  }

  protected override findReader(field: FieldReference): StoredFieldReader<StoredSpan> {
    return findSpanFieldReader(field);
  }

  protected override decode(body: Uint8Array, offset: number, length: number, withScope: boolean): StoredSpan {
    return decodeStoredSpan(body, offset, length, withScope);
  }

  private async readText(name: string, row: number): Promise<Cell> {
    const { codes, values } = (await this.readIntrinsic(name)) as CodedColumn;
    return values[codes[row]] ?? null;
  }

  private async readWhole(row: number): Promise<{ stored?: StoredSpan; resource: object }> {
    let stored: StoredSpan | undefined;
    let resource = {};
    const locations = await this.block.read(SPAN_LOCATIONS);
    await this.context.records.forEach(locations, Uint16Array.of(row), (body, offset, length) => {
      stored = this.decode(body, offset, length, true);
      resource = readResourceAt(body, offset).attributes;
    });
    return stored === undefined ? { resource } : { stored, resource };
  }
}

type Block = SpanSnapshot['blocks'][number];

const flagsTo = <T>(value: (flags: number) => T): T[] =>
  Array.from({ length: FLAG_VALUES }, (_, flags) => value(flags));
const readStatus = (flags: number): number => (flags >>> STATUS_SHIFT) & STATUS_MASK;
const KIND_COLUMN_VALUES = flagsTo((flags) => spanKindName(flags & KIND_MASK));
const STATUS_COLUMN_VALUES = flagsTo((flags) => (readStatus(flags) === STATUS_ERROR ? 'ERROR' : 'OK'));
const CODE_COLUMN_VALUES = flagsTo((flags) => spanStatusCodeName(readStatus(flags)));
const ERROR_FLAGS = Uint8Array.from(flagsTo((flags) => (readStatus(flags) === STATUS_ERROR ? 1 : 0)));

const readFlags =
  (values: readonly string[]) =>
  async (block: Block): Promise<FieldColumn> => ({
    kind: 'coded',
    codes: (await block.read(SPAN_LABELS)).flags,
    values,
  });

/** No span of the block ends later, µs. */
function latestEndUs({ maxStartUs, maxDurationNs }: Pick<SpanBlockDocument, 'maxStartUs' | 'maxDurationNs'>): number {
  return maxStartUs + maxDurationNs / US_PER_MS + 1;
}

/** Start times, ms. */
async function readStarts(block: Block): Promise<Float64Array> {
  const starts = await block.read(SPAN_STARTS);
  const { startNs } = await block.read(SPAN_LOCATIONS);
  const { minStartUs } = block.document;
  const numbers = new Float64Array(starts.length);
  for (let row = 0; row < numbers.length; row++)
    numbers[row] = (minStartUs + starts[row]) / US_PER_MS + startNs[row] / NS_PER_MS;
  return numbers;
}

/** End times, ms. */
async function readEnds(block: Block): Promise<Float64Array> {
  const ends = await readStarts(block);
  const durations = await block.read(SPAN_DURATIONS_NS);
  for (let row = 0; row < ends.length; row++) ends[row] += Math.max(0, durations[row]) / NS_PER_MS;
  return ends;
}

/** Intrinsic fields that columns of the block have. */
const INTRINSICS: Readonly<Record<string, (block: Block) => Promise<FieldColumn>>> = {
  async time(block) {
    return { kind: 'numbers', numbers: await readStarts(block) };
  },
  /** Not for conditions: the time of spans where ranges are by their end. */
  async endTime(block) {
    return { kind: 'numbers', numbers: await readEnds(block) };
  },
  async duration(block) {
    const nanos = await block.read(SPAN_DURATIONS_NS);
    const numbers = new Float64Array(nanos.length);
    for (let row = 0; row < numbers.length; row++) numbers[row] = nanos[row] > 0 ? nanos[row] / NS_PER_MS : 0;
    return { kind: 'numbers', numbers };
  },
  async durationBucket(block) {
    const nanos = await block.read(SPAN_DURATIONS_NS);
    const codes = new Uint8Array(nanos.length);
    for (let row = 0; row < codes.length; row++) codes[row] = findDurationBucket(nanos[row] / NS_PER_MS);
    return { kind: 'coded', codes, values: DURATION_BUCKETS };
  },
  async service(block) {
    const { services } = await block.read(SPAN_LABELS);
    return { kind: 'coded', codes: services, values: block.document.services.map(([name]) => name) };
  },
  async operation(block) {
    const { operations } = await block.read(SPAN_LABELS);
    return { kind: 'coded', codes: operations, values: await block.read(SPAN_OPERATIONS) };
  },
  kind: readFlags(KIND_COLUMN_VALUES),
  status: readFlags(STATUS_COLUMN_VALUES),
  statusCode: readFlags(CODE_COLUMN_VALUES),
  async traceId(block) {
    const { ids, local } = await block.read(SPAN_TRACES);
    const bytes = asBytes(ids);
    const values = Array.from({ length: ids.length / 4 }, (_, trace) => readIdHexAt(bytes, trace, TRACE_ID_BYTES));
    return { kind: 'coded', codes: local, values };
  },
  async spanId(block) {
    return readIds((await block.read(SPAN_IDS)).ids);
  },
  async parentSpanId(block) {
    return readIds((await block.read(SPAN_IDS)).parents);
  },
};

/** Span ids of rows as texts; those that are zero are absent. */
export function readIds(words: Uint32Array): CodedColumn {
  const bytes = asBytes(words);
  return buildCodedColumn(words.length / 2, (row) => readIdHexAt(bytes, row, SPAN_ID_BYTES) || undefined);
}
