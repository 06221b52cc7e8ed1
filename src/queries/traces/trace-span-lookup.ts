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
import { sortCooperatively } from '../scheduling/cooperative-sorting.js';
import { findSpanAddresses, findTracesInBlock, locateSpans, TraceIdSet } from './trace-assembly.js';
import { hasErrorStatus, KIND_MASK } from '../../read-models/blocks/span-block-codec.js';
import { spanKindName } from '../../telemetry/span-kind.js';
import { toUnixNanos } from '../../telemetry/unix-time.js';
import type { SpanSummary } from '../telemetry/telemetry-query-types.js';
import type { TimeSlice } from '../scheduling/cooperative-scheduler.js';
import { decodeSpanRecord, type SpanRecord } from '../../telemetry/otlp/decoding/record-decoder.js';
import { recordLocation, type RecordLocation, type RecordReader } from '../telemetry/record-reader.js';

/** The span with this id (hex of any case); of several, in different traces, the one that started last. */
export async function findSpanById({ blocks, turn }: SpanSnapshot, id: string): Promise<SpanLocation | undefined> {
  const bytes = parseHexId(id, SPAN_ID_BYTES);
  if (bytes === undefined) return undefined;
  const [a, b] = asWords32(bytes);
  const hash = hashPair(a, b);
  let newest: SpanLocation | undefined;
  for (const block of blocks) {
    await turn.yieldIfDue();
    if (!(await block.read(SPAN_ID_BLOOMS)).spans.has(hash)) continue;
    for (const row of findRowsWithId((await block.read(SPAN_IDS)).ids, a, b)) {
      await turn.yieldIfDue();
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

/** All known spans of a trace (hex of any case), oldest first; none when the trace is unknown. */
export async function findSpansOfTrace(snapshot: SpanSnapshot, traceId: string): Promise<SpanLocation[]> {
  const wanted = toTraceIdSet(traceId);
  if (wanted === undefined) return [];
  const [addresses] = await findSpanAddresses(snapshot, wanted);
  return sortCooperatively(await locateSpans(snapshot, addresses), compareByStart, snapshot.turn);
}

/** Whether any span of the trace is known. */
export async function hasSpans({ blocks, turn }: SpanSnapshot, traceId: string): Promise<boolean> {
  const wanted = toTraceIdSet(traceId);
  if (wanted === undefined) return false;
  for (const block of blocks) {
    await turn.yieldIfDue();
    const numbers = await findTracesInBlock(block, wanted);
    if (numbers?.includes(0)) return true;
  }
  return false;
}

function toTraceIdSet(traceId: string): TraceIdSet | undefined {
  const bytes = parseHexId(traceId, TRACE_ID_BYTES);
  if (bytes === undefined) return undefined;
  const wanted = new TraceIdSet();
  wanted.add(asWords32(bytes), 0);
  return wanted;
}

/** What lists show of a span; all of it comes from columns. */
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

/** One after the other: rows of one block share its columns. */
export async function readSpanSummaries(places: readonly SpanLocation[], turn: TimeSlice): Promise<SpanSummary[]> {
  const summaries: SpanSummary[] = [];
  for (const place of places) {
    await turn.yieldIfDue();
    summaries.push(await readSpanSummary(place));
  }
  return summaries;
}

/** What `take` picks from each span in full, in the order of `spans`; undefined where the log has let go of one. */
export async function readSpanRecords<T>(
  records: RecordReader,
  spans: readonly SpanLocation[],
  take: (span: SpanRecord) => T,
): Promise<(T | undefined)[]> {
  const places: RecordLocation[] = [];
  for (const { block, row } of spans) {
    await records.turn.yieldIfDue();
    places.push(recordLocation(await block.read(SPAN_LOCATIONS), row));
  }
  return records.read(places, (body, { offset, length }) => take(decodeSpanRecord(body, offset, length)));
}

/** One span in full. */
export async function readSpanRecord(records: RecordReader, span: SpanLocation): Promise<SpanRecord | undefined> {
  const [record] = await readSpanRecords(records, [span], (full) => full);
  return record;
}
