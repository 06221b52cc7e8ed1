import {
  SPAN_DURATIONS_MS,
  SPAN_DURATIONS_NS,
  SPAN_ID_BLOOMS,
  SPAN_IDS,
  SPAN_LABELS,
  SPAN_LOCATIONS,
  SPAN_OPERATIONS,
} from '../../read-models/blocks/span-block-columns.js';
import { asWords32, hashPair } from '../../read-models/blocks/uint32-words.js';
import { parseHexId, SPAN_ID_BYTES, TRACE_ID_BYTES } from '../../telemetry/trace-identifiers.js';
import type { SpanSnapshot } from '../telemetry/block-snapshots.js';
import { compareByStart, locateSpan, type SpanLocation } from './span-location.js';
import { sortCooperatively, type TimeSlice } from '../scheduling/cooperative-scheduler.js';
import { findSpanAddresses, findTracesInBlock, locateSpans, TraceIdSet } from './trace-assembly.js';
import { hasErrorStatus, KIND_MASK } from '../../read-models/blocks/span-block-codec.js';
import { spanKindName } from '../../telemetry/span-kind.js';
import { toUnixNanos } from '../../telemetry/unix-time.js';
import type { SpanSummary } from '../telemetry/telemetry-query-types.js';
import { decodeSpanRecord, type SpanRecord } from '../../telemetry/otlp/decoding/record-decoder.js';
import {
  recordLocation,
  type RecordLocation,
  type RecordReader,
  type StoredRecord,
} from '../telemetry/record-reader.js';

/** The span with this id (hex, any case); if several traces have one, the span that started last. */
export async function findSpanById({ blocks, timeSlice }: SpanSnapshot, id: string): Promise<SpanLocation | undefined> {
  const bytes = parseHexId(id, SPAN_ID_BYTES);
  if (bytes === undefined) return undefined;
  const [a, b] = asWords32(bytes);
  const hash = hashPair(a, b);
  let newest: SpanLocation | undefined;
  for (const block of blocks) {
    await timeSlice.yieldIfDue();
    if (!(await block.read(SPAN_ID_BLOOMS)).spans.has(hash)) continue;
    for (const row of findRowsWithId((await block.read(SPAN_IDS)).ids, a, b)) {
      await timeSlice.yieldIfDue();
      const span = await locateSpan(block, row);
      if (newest === undefined || compareByStart(span, newest) > 0) newest = span;
    }
  }
  return newest;
}

function findRowsWithId(ids: Uint32Array, a: number, b: number): number[] {
  const rows: number[] = [];
  for (let at = 0; at < ids.length; at += 2) if (ids[at] === a && ids[at + 1] === b) rows.push(at / 2);
  return rows;
}

/** All known spans of a trace (hex, any case), oldest first; empty if the trace is unknown. */
export async function findSpansOfTrace(snapshot: SpanSnapshot, traceId: string): Promise<SpanLocation[]> {
  const traceIds = toTraceIdSet(traceId);
  if (traceIds === undefined) return [];
  const [addresses] = await findSpanAddresses(snapshot, traceIds);
  return sortCooperatively(await locateSpans(snapshot, addresses), compareByStart, snapshot.timeSlice);
}

/** True if any span of the trace is known. */
export async function hasSpans({ blocks, timeSlice }: SpanSnapshot, traceId: string): Promise<boolean> {
  const traceIds = toTraceIdSet(traceId);
  if (traceIds === undefined) return false;
  for (const block of blocks) {
    await timeSlice.yieldIfDue();
    const numbers = await findTracesInBlock(block, traceIds);
    if (numbers?.includes(0)) return true;
  }
  return false;
}

function toTraceIdSet(traceId: string): TraceIdSet | undefined {
  const bytes = parseHexId(traceId, TRACE_ID_BYTES);
  if (bytes === undefined) return undefined;
  const traceIds = new TraceIdSet();
  traceIds.add(asWords32(bytes), 0);
  return traceIds;
}

/** The span fields of lists; all of them come from columns. */
export async function readSpanSummary({
  block,
  row,
  traceId,
  spanId,
  parentId,
  startUs,
  startNs,
}: SpanLocation): Promise<SpanSummary> {
  const { services, operations, flags } = await block.read(SPAN_LABELS);
  const operationNames = await block.read(SPAN_OPERATIONS);
  const start = toUnixNanos(startUs, startNs);
  return {
    traceId,
    spanId,
    parentSpanId: parentId === '' ? null : parentId,
    serviceName: block.document.services[services[row]][0],
    operationName: operationNames[operations[row]],
    spanKind: spanKindName(flags[row] & KIND_MASK),
    status: hasErrorStatus(flags[row]) ? 'ERROR' : 'OK',
    start,
    end: start + BigInt((await block.read(SPAN_DURATIONS_NS))[row]),
    durationMs: (await block.read(SPAN_DURATIONS_MS))[row],
  };
}

/** Sequential, because rows of one block share its columns. */
export async function readSpanSummaries(spans: readonly SpanLocation[], timeSlice: TimeSlice): Promise<SpanSummary[]> {
  const summaries: SpanSummary[] = [];
  for (const place of spans) {
    await timeSlice.yieldIfDue();
    summaries.push(await readSpanSummary(place));
  }
  return summaries;
}

/** Applies `select` to each full span record, in the order of `spans`. */
export async function readSpanRecords<T>(
  records: RecordReader,
  spans: readonly SpanLocation[],
  select: (span: SpanRecord) => T,
): Promise<StoredRecord<T>[]> {
  const places: RecordLocation[] = [];
  for (const { block, row } of spans) {
    await records.timeSlice.yieldIfDue();
    places.push(recordLocation(await block.read(SPAN_LOCATIONS), row));
  }
  return records.read(places, (body, { offset, length }) => select(decodeSpanRecord(body, offset, length)));
}

/** One full span record. */
export async function readSpanRecord(records: RecordReader, span: SpanLocation): Promise<StoredRecord<SpanRecord>> {
  const [record] = await readSpanRecords(records, [span], (each) => each);
  return record;
}
