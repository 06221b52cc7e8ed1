import type { BlockLocation, BlockSummary } from '../../read-models/blocks/block.js';
import type { CachedBlock } from '../../read-models/blocks/cached-block.js';
import { LOG_LABELS, LOG_LOCATIONS, LOG_TIMES } from '../../read-models/blocks/log-block-columns.js';
import { intersectRows } from '../../read-models/blocks/posting-lists.js';
import type { RecordLocations } from '../../read-models/blocks/record-column-codec.js';
import {
  SPAN_DURATIONS_NS,
  SPAN_LABELS,
  SPAN_LOCATIONS,
  SPAN_STARTS,
} from '../../read-models/blocks/span-block-columns.js';
import type { ExceptionOccurrence } from '../../diagnostics/error-groups/exception-occurrence.js';
import { EXCEPTION_EVENT, readException } from '../../telemetry/attributes.js';
import { decodeLogRecord } from '../../telemetry/otlp/decoding/record-decoder.js';
import { everyRow } from '../query/columns/block-batch.js';
import type { Rows } from '../query/columns/record-batch.js';
import { readBlockResources, type ResourceAttributeCache } from '../query/columns/resource-attributes.js';
import { orderByRevision, type StoredRecords } from '../query/columns/stored-records.js';
import type { QueryRange } from '../query/query-model.js';
import type { TimeSlice } from '../scheduling/cooperative-scheduler.js';
import type { LogSnapshot, SpanSnapshot } from '../telemetry/block-snapshots.js';
import { readSpanExceptions } from './span-exceptions.js';

const US_PER_NS = 1e-3;
/** Derived column of a block: its spans that may report exceptions. */
const REPORTING_SPANS = 'spans that report exceptions';
const VERSION = 'service.version';
/** Records whose exceptions are in memory together. */
const ROWS_AT_ONCE = 16;
const MAX_VERSION = 256;
/** If fewer rows of a block than this part are asked for, only they are searched, and nothing is kept. */
const PARTIAL_READ = 1 / 4;

export interface ExceptionSourceContext {
  readonly spans: SpanSnapshot;
  readonly logs: LogSnapshot;
  /** Counts damaged records. */
  readonly records: StoredRecords;
  /** For what is read on behalf of no record in particular. */
  readonly otherRecords: () => StoredRecords;
  readonly resources: ResourceAttributeCache;
}

export interface ExceptionVisit {
  readonly visit: (exception: ExceptionOccurrence) => void;
  /** Stops between two blocks as soon as it returns true. */
  readonly isDone?: () => boolean;
}

type Block<Document extends BlockSummary & BlockLocation> = CachedBlock<Document>;

/** The exceptions of a Grid's spans and log records, from the newest block to the oldest. */
export class ExceptionSource {
  constructor(private readonly context: ExceptionSourceContext) {}

  get damagedRecords(): number {
    return this.context.records.damagedRecords;
  }

  get timeSlice(): TimeSlice {
    return this.context.spans.timeSlice;
  }

  /** Exceptions of spans that touch the range, also those outside of it. Each counts once a span. */
  async forEachOfSpans(range: QueryRange, { visit, isDone }: ExceptionVisit): Promise<void> {
    const { spans } = this.context;
    for (const block of spans.blocks.toReversed()) {
      await spans.timeSlice.yieldIfDue();
      if (isDone?.() === true) return;
      await this.readSpanBlock(block, range, visit);
    }
  }

  /** Exceptions of log records in the range. */
  async forEachOfLogs(range: QueryRange, { visit, isDone }: ExceptionVisit): Promise<void> {
    const { logs } = this.context;
    for (const block of logs.blocks.toReversed()) {
      await logs.timeSlice.yieldIfDue();
      if (isDone?.() === true) return;
      await this.readLogBlock(block, range, visit);
    }
  }

  /**
   * Exceptions of log records in the range and of spans that touch it, which arrived after `readThrough`: block by block in
   * the order of arrival, and possibly others of the same blocks. Notes in `readThrough` how far it has come.
   */
  async forEachArrived(
    range: QueryRange,
    visit: ExceptionVisit['visit'],
    readThrough: { logs: number; spans: number },
  ): Promise<void> {
    const { logs, spans } = this.context;
    await forEachArrivedBlock(logs, readThrough.logs, async (block, revision) => {
      await this.readLogBlock(block, range, visit);
      readThrough.logs = revision;
    });
    await forEachArrivedBlock(spans, readThrough.spans, async (block, revision) => {
      await this.readSpanBlock(block, range, visit);
      readThrough.spans = revision;
    });
  }

  private async readSpanBlock(
    block: SpanSnapshot['blocks'][number],
    range: QueryRange,
    visit: ExceptionVisit['visit'],
  ): Promise<void> {
    const rows = await this.findReportingSpans(block, await selectSpans(block, range));
    if (rows.length === 0) return;
    const { services } = await block.read(SPAN_LABELS);
    const locations = await block.read(SPAN_LOCATIONS);
    const versions = await this.readVersions(block, locations);
    await this.visitInTurns(locations, rows, visit, (body, offset, length, row) => {
      if (!mentionsException(body, offset, length)) return [];
      const origin = { service: block.document.services[services[row]][0], version: versions[row] };
      return readSpanExceptions(body, offset, length, origin);
    });
  }

  private async readLogBlock(
    block: LogSnapshot['blocks'][number],
    { fromUs, toUs }: QueryRange,
    visit: ExceptionVisit['visit'],
  ): Promise<void> {
    const { minTimeUs, maxTimeUs } = block.document;
    if (minTimeUs >= toUs || maxTimeUs < fromUs) return;
    const { exceptions, services } = await block.read(LOG_LABELS);
    if (!exceptions.includes(1)) return;
    const times = await block.read(LOG_TIMES);
    const isSelected = (row: number): boolean =>
      exceptions[row] === 1 && minTimeUs + times[row] >= fromUs && minTimeUs + times[row] < toUs;
    const rows = everyRow(block.document.rows).filter(isSelected);
    const locations = await block.read(LOG_LOCATIONS);
    const versions = await this.readVersions(block, locations);
    await this.visitInTurns(locations, rows, visit, (body, offset, length, row) => {
      const { attributes, traceId, spanId } = decodeLogRecord(body, offset, length);
      const exception = readException(attributes);
      if (exception === undefined) return [];
      const service = block.document.services[services[row]][0];
      const origin = { source: 'log' as const, service, version: versions[row], traceId, spanId };
      const timeUs = minTimeUs + times[row];
      return [{ ...exception, ...origin, timeUs, knownUs: timeUs }];
    });
  }

  /** Yields between exceptions: a span may have thousands of them, and to group one takes up to some milliseconds. */
  private async visitInTurns(
    locations: RecordLocations,
    rows: Rows,
    visit: ExceptionVisit['visit'],
    read: (body: Uint8Array, offset: number, length: number, row: number) => Iterable<ExceptionOccurrence>,
  ): Promise<void> {
    const { records, spans } = this.context;
    const ordered = orderByRevision(locations.revision, rows);
    for (let from = 0; from < ordered.length; from += ROWS_AT_ONCE) {
      const found: ExceptionOccurrence[] = [];
      await records.forEach(locations, ordered.slice(from, from + ROWS_AT_ONCE), (body, offset, length, row) => {
        for (const exception of read(body, offset, length, row)) found.push(exception);
      });
      for (const exception of found) {
        await spans.timeSlice.yieldIfDue();
        visit(exception);
      }
    }
  }

  /** Of the given rows, those whose stored span may report an exception. What a whole block tells is kept with it. */
  private async findReportingSpans(block: SpanSnapshot['blocks'][number], rows: Rows): Promise<Rows> {
    if (rows.length === 0) return rows;
    const known = block.findDerived(REPORTING_SPANS) as Rows | undefined;
    if (known !== undefined) return intersectRows(rows, known);
    const size = block.document.rows;
    if (rows.length < size * PARTIAL_READ) return rows;
    const records = this.context.otherRecords();
    const found: number[] = [];
    await records.forEach(await block.read(SPAN_LOCATIONS), everyRow(size), (body, offset, length, row) => {
      if (mentionsException(body, offset, length)) found.push(row);
    });
    // Nobody knows what damaged spans report: whoever asks for them reads them again, and counts them.
    if (records.damagedRecords > 0) return rows;
    const reporting = Uint16Array.from(found).sort();
    block.keepDerived(REPORTING_SPANS, reporting, reporting.byteLength);
    return intersectRows(rows, reporting);
  }

  /** `service.version` by row. */
  private async readVersions<Document extends BlockSummary & BlockLocation>(
    block: Block<Document>,
    locations: RecordLocations,
  ): Promise<string[]> {
    const { otherRecords, resources } = this.context;
    const { rows, attributes } = await readBlockResources(block, () => locations, otherRecords(), resources);
    const versions = attributes.map((each) => copyText(String(each?.[VERSION] ?? '').slice(0, MAX_VERSION)));
    return Array.from(rows, (resource) => versions[resource] ?? '');
  }
}

/**
 * Calls `read` for each block with events after the revision, and with the revision up to which all events have been read
 * with this block. Blocks overlap: what comes after the first event of the next one may be in that one.
 */
async function forEachArrivedBlock<Document extends BlockSummary & BlockLocation>(
  { blocks, timeSlice }: { readonly blocks: readonly Block<Document>[]; readonly timeSlice: TimeSlice },
  after: number,
  read: (block: Block<Document>, revision: number) => Promise<void>,
): Promise<void> {
  const arrived = blocks
    .filter(({ document }) => document.maxRevision > after)
    .sort((a, b) => a.document.minRevision - b.document.minRevision);
  const end = arrived.reduce((last, { document }) => Math.max(last, document.maxRevision), after);
  for (const [index, block] of arrived.entries()) {
    await timeSlice.yieldIfDue();
    const next = arrived.at(index + 1);
    await read(block, next === undefined ? end : Math.max(after, next.document.minRevision - 1));
  }
}

/** A string of its own: a part of another one keeps that alive. */
function copyText(text: string): string {
  return JSON.parse(JSON.stringify(text)) as string;
}

/** Spans that overlap the range and had ended when they had to be known. */
async function selectSpans(
  block: SpanSnapshot['blocks'][number],
  { fromUs, toUs, knownByUs = Infinity }: QueryRange,
): Promise<Rows> {
  const { minStartUs, maxStartUs, maxDurationNs, rows } = block.document;
  if (minStartUs >= toUs || maxStartUs + maxDurationNs * US_PER_NS + 1 < fromUs) return new Uint16Array(0);
  const starts = await block.read(SPAN_STARTS);
  const durations = await block.read(SPAN_DURATIONS_NS);
  return everyRow(rows).filter((row) => {
    const startUs = minStartUs + starts[row];
    const endUs = startUs + Math.max(0, durations[row]) * US_PER_NS;
    return startUs < toUs && endUs + 1 >= fromUs && endUs <= knownByUs;
  });
}

const MARK = Buffer.from(EXCEPTION_EVENT);

/** Whether the bytes of a span contain the name of the event: far cheaper than to decode all spans. */
function mentionsException(body: Uint8Array, offset: number, length: number): boolean {
  return Buffer.from(body.buffer, body.byteOffset + offset, length).includes(MARK);
}
