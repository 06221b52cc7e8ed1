import { LOG_IDS, LOG_LABELS, LOG_LOCATIONS, LOG_TIMES } from '../../../read-models/blocks/log-block-columns.js';
import { intersectRows } from '../../../read-models/blocks/posting-lists.js';
import { asBytes } from '../../../read-models/blocks/uint32-words.js';
import type { LogBlockDocument } from '../../../read-models/documents/block-documents.js';
import { matchesTextQuery, parseTextQuery } from '../../../telemetry/full-text.js';
import { severityLevel, severityRange } from '../../../telemetry/log-severity.js';
import { LOG_RECORD } from '../../../telemetry/otlp/wire/otlp-field-tags.js';
import { readResourceAt } from '../../../telemetry/otlp/decoding/record-resource.js';
import { readIdHexAt, TRACE_ID_BYTES } from '../../../telemetry/trace-identifiers.js';
import { formatIsoMillis, toUnixNanos } from '../../../telemetry/unix-time.js';
import { buildBodyConditions, selectUnordered } from '../../logs/log-conditions.js';
import { formatLogId } from '../../logs/log-location.js';
import type { LogSnapshot } from '../../telemetry/block-snapshots.js';
import { findPostingRows } from '../../telemetry/row-filter.js';
import type { TimeSlice } from '../../scheduling/cooperative-scheduler.js';
import type { AnswerColumn, Cell, FieldReference, QueryRange } from '../query-model.js';
import { ATTRIBUTE_COLUMNS, type BatchContext, BlockBatch } from './block-batch.js';
import type { CodedColumn, FieldColumn } from './field-column.js';
import type { RecordBatch, RecordSource, Rows } from './record-batch.js';
import { readIds } from './span-source.js';
import { decodeStoredLog, findLogFieldReader, type StoredFieldReader, type StoredLog } from './stored-fields.js';

const NS_PER_MS = 1e6;
const US_PER_MS = 1e3;
const SEVERITY_NUMBERS = 25;

const text = (name: string): AnswerColumn => ({ name, type: 'string', unit: '' });
const number = (name: string): AnswerColumn => ({ name, type: 'number', unit: '' });

const LOG_COLUMNS: readonly AnswerColumn[] = [
  { name: 'time', type: 'time', unit: '' },
  text('severity'),
  number('severityNumber'),
  ...['severityText', 'service', 'body', 'eventName', 'traceId', 'spanId', 'id', 'timeUnixNano'].map(text),
  { name: 'observedTime', type: 'time', unit: '' },
  number('flags'),
  ...ATTRIBUTE_COLUMNS,
  number('droppedAttributesCount'),
];

/** The log records of a Grid. */
export class LogSource implements RecordSource {
  readonly columns = LOG_COLUMNS;

  constructor(
    private readonly snapshot: LogSnapshot,
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
    const { fromUs, toUs } = this.range;
    for (const block of this.snapshot.blocks) {
      await this.snapshot.timeSlice.yieldIfDue();
      const { minTimeUs, maxTimeUs } = block.document;
      if (minTimeUs < toUs && maxTimeUs >= fromUs) yield new LogBatch(block, this.context);
    }
  }
}

class LogBatch extends BlockBatch<LogBlockDocument, StoredLog> {
  protected override readonly locations = LOG_LOCATIONS;
  protected override readonly attributeTag = LOG_RECORD.attribute;

  override selectRange(range: QueryRange): Promise<Rows> {
    const { minTimeUs, maxTimeUs } = this.block.document;
    return this.selectTimes(range, minTimeUs, maxTimeUs, LOG_TIMES);
  }

  override async readTimesUs(): Promise<Float64Array> {
    const { minTimeUs } = this.block.document;
    return Float64Array.from(await this.block.read(LOG_TIMES), (offset) => minTimeUs + offset);
  }

  /** Phrases are compared with the text itself where the block does not have the order of words. */
  override async filterText(search: string, rows: Rows): Promise<Rows> {
    const query = parseTextQuery(search);
    const conditions = buildBodyConditions(query);
    const found = intersectRows(rows, await findPostingRows(this.block, conditions, this.context.records.timeSlice));
    const unordered = query.phrases.length === 0 ? new Uint16Array(0) : await selectUnordered(this.block, found);
    if (unordered.length === 0) return found;
    const others = new Set(unordered);
    await this.readStored(unordered, false, ({ body }, row) => {
      if (matchesTextQuery(query, body)) others.delete(row);
    });
    return found.filter((row) => !others.has(row));
  }

  override async readErrors(): Promise<Uint8Array> {
    const { severities } = await this.block.read(LOG_LABELS);
    return severities.map((severity) => (severity >= severityRange('Error').first ? 1 : 0));
  }

  override async readRecord(row: number): Promise<readonly Cell[]> {
    const { minTimeUs, services } = this.block.document;
    const labels = await this.block.read(LOG_LABELS);
    const places = await this.block.read(LOG_LOCATIONS);
    const time = toUnixNanos(minTimeUs + (await this.block.read(LOG_TIMES))[row], places.timeNs[row]);
    let stored: StoredLog | undefined;
    let resource: object = {};
    await this.context.records.forEach(places, Uint16Array.of(row), (body, offset, length) => {
      stored = this.decode(body, offset, length, true);
      resource = readResourceAt(body, offset).attributes;
    });
    return [
      formatIsoMillis(time),
      severityLevel(labels.severities[row]),
      labels.severities[row],
      stored?.severityText ?? '',
      services[labels.services[row]][0],
      stored?.body ?? '',
      stored?.eventName ?? '',
      await this.readText('traceId', row),
      await this.readText('spanId', row),
      formatLogId(places.revision[row], places.ordinal[row]),
      String(time),
      stored === undefined || stored.observedTime === 0n ? null : formatIsoMillis(stored.observedTime),
      stored?.flags ?? 0,
      stored?.attributes ?? {},
      resource,
      stored?.scope ?? {},
      stored?.droppedAttributesCount ?? 0,
    ];
  }

  protected override readIntrinsic(name: string): Promise<FieldColumn> | undefined {
    return INTRINSICS[name]?.(this.block);
  }

  protected override findReader(field: FieldReference): StoredFieldReader<StoredLog> {
    return findLogFieldReader(field);
  }

  protected override decode(body: Uint8Array, offset: number, length: number, withScope: boolean): StoredLog {
    return decodeStoredLog(body, offset, length, withScope);
  }

  private async readText(name: string, row: number): Promise<Cell> {
    const { codes, values } = (await this.readIntrinsic(name)) as CodedColumn;
    return values[codes[row]] ?? null;
  }
}

type Block = LogSnapshot['blocks'][number];

const SEVERITY_VALUES = Array.from({ length: SEVERITY_NUMBERS }, (_, severity) => severityLevel(severity));
const SEVERITY_NUMBER_VALUES = Array.from({ length: SEVERITY_NUMBERS }, (_, severity) => severity);

const readSeverities =
  (values: readonly (string | number)[]) =>
  async (block: Block): Promise<FieldColumn> => ({
    kind: 'coded',
    codes: (await block.read(LOG_LABELS)).severities,
    values,
  });

/** Intrinsic fields that columns of the block have. */
const INTRINSICS: Readonly<Record<string, (block: Block) => Promise<FieldColumn>>> = {
  async time(block) {
    const times = await block.read(LOG_TIMES);
    const { timeNs } = await block.read(LOG_LOCATIONS);
    const { minTimeUs } = block.document;
    const numbers = new Float64Array(times.length);
    for (let row = 0; row < numbers.length; row++)
      numbers[row] = (minTimeUs + times[row]) / US_PER_MS + timeNs[row] / NS_PER_MS;
    return { kind: 'numbers', numbers };
  },
  async service(block) {
    const { services } = await block.read(LOG_LABELS);
    return { kind: 'coded', codes: services, values: block.document.services.map(([name]) => name) };
  },
  severity: readSeverities(SEVERITY_VALUES),
  severityNumber: readSeverities(SEVERITY_NUMBER_VALUES),
  async traceId(block) {
    const { ids, local } = (await block.read(LOG_IDS)).traces;
    const bytes = asBytes(ids);
    const values = Array.from(
      { length: ids.length / 4 },
      (_, trace) => readIdHexAt(bytes, trace, TRACE_ID_BYTES) || undefined,
    );
    return { kind: 'coded', codes: local, values };
  },
  async spanId(block) {
    return readIds((await block.read(LOG_IDS)).spans);
  },
};
