import type {
  FoundTrace,
  Page,
  SpanDetail,
  SpanEvents,
  SpanSummary,
  SpanTags,
  TraceQuery,
} from '../telemetry/telemetry-query-types.js';
import { searchTracesByConditions } from './trace-condition-search.js';
import { searchTracesByRange } from './trace-range-search.js';
import { buildSpanConditions } from './span-conditions.js';
import type { LogSnapshot, SpanSnapshot, TraceSearchSnapshot } from '../telemetry/block-snapshots.js';
import {
  findSpanById,
  findSpansOfTrace,
  readSpanRecord,
  readSpanSummaries,
  readSpanSummary,
} from './trace-span-lookup.js';
import { findRootArrivals } from './root-presence.js';
import { selectTracePage } from './trace-pagination.js';
import { hasLogs } from '../logs/log-lookup.js';
import { markDamaged, toIntact, recordLocation, type RecordReader } from '../telemetry/record-reader.js';
import { SPAN_LOCATIONS } from '../../read-models/blocks/span-block-columns.js';
import type { Attributes } from '../../telemetry/attributes.js';
import { decodeSpanRecord, type SpanRecord } from '../../telemetry/otlp/decoding/record-decoder.js';
import { spanStatusCodeName } from '../../telemetry/span-status.js';
import { readResourceAt, readScopeAt, type Scope } from '../../telemetry/otlp/decoding/record-resource.js';

/** One item per trace, newest first. */
export async function findTraces(search: TraceSearchSnapshot, query: TraceQuery): Promise<Page<FoundTrace>> {
  const conditions = buildSpanConditions(query);
  const found =
    conditions === undefined
      ? await searchTracesByRange(search, query.range)
      : await searchTracesByConditions(search, conditions);
  const spans = await selectTracePage(found, (query.page - 1) * query.pageSize, query.pageSize, search.timeSlice);
  const arrivals = await findRootArrivals(search, spans);
  const summaries = await readSpanSummaries(spans, search.timeSlice);
  return {
    items: summaries.map((summary, place) => ({ ...summary, rootArrived: arrivals[place] })),
    totalCount: found.count,
  };
}

/** All spans of a trace, oldest first; undefined if neither a span nor a log record of it is known. */
export async function findTraceSpans(
  spans: SpanSnapshot,
  logs: LogSnapshot,
  traceId: string,
): Promise<readonly SpanSummary[] | undefined> {
  const found = await findSpansOfTrace(spans, traceId);
  if (found.length === 0 && !(await hasLogs(logs, traceId))) return undefined;
  return readSpanSummaries(found, spans.timeSlice);
}

/** One span with its own attributes; undefined if the id is unknown. */
export async function readSpanDetail(
  spans: SpanSnapshot,
  records: RecordReader,
  spanId: string,
): Promise<SpanDetail | undefined> {
  const span = await findSpanById(spans, spanId);
  if (span === undefined) return undefined;
  const place = recordLocation(await span.block.read(SPAN_LOCATIONS), span.row);
  const [stored] = await records.read([place], (body, { offset, length }) => ({
    ...decodeSpanRecord(body, offset, length),
    scope: readScopeAt(body, offset),
  }));
  const summary = await readSpanSummary(span);
  return { ...summary, ...selectStoredFields(toIntact(stored), summary), ...markDamaged(stored) };
}

/** What the columns do not have; empty if the record is damaged or gone, except what the status implies. */
function selectStoredFields(
  record: (SpanRecord & { readonly scope: Scope }) | undefined,
  { status }: SpanSummary,
): Omit<SpanDetail, keyof SpanSummary | 'damaged'> {
  return {
    statusCode: record === undefined ? (status === 'ERROR' ? 'ERROR' : 'UNSET') : spanStatusCodeName(record.statusCode),
    statusMessage: record?.statusMessage ?? '',
    attributes: record?.attributes ?? {},
    traceState: record?.traceState ?? '',
    flags: record?.flags ?? 0,
    scope: record?.scope ?? { name: '', version: '', attributes: {} },
    links: record?.links ?? [],
    droppedAttributesCount: record?.droppedAttributesCount ?? 0,
    droppedEventsCount: record?.droppedEventsCount ?? 0,
    droppedLinksCount: record?.droppedLinksCount ?? 0,
  };
}

/** Events of one span, as received; undefined if the id is unknown. */
export async function readSpanEvents(
  spans: SpanSnapshot,
  records: RecordReader,
  spanId: string,
): Promise<SpanEvents | undefined> {
  const span = await findSpanById(spans, spanId);
  if (span === undefined) return undefined;
  const stored = await readSpanRecord(records, span);
  return { events: toIntact(stored)?.events ?? [], ...markDamaged(stored) };
}

/** Attributes of one span and its resource, span attributes take precedence; undefined if the id is unknown. */
export async function readSpanTags(
  spans: SpanSnapshot,
  records: RecordReader,
  spanId: string,
): Promise<SpanTags | undefined> {
  const span = await findSpanById(spans, spanId);
  if (span === undefined) return undefined;
  const place = recordLocation(await span.block.read(SPAN_LOCATIONS), span.row);
  const [stored] = await records.read([place], (body, { offset, length }): Attributes => {
    const merged = Object.create(null) as Attributes;
    return Object.assign(
      merged,
      readResourceAt(body, offset).attributes,
      decodeSpanRecord(body, offset, length).attributes,
    );
  });
  return { tags: toIntact(stored) ?? {}, ...markDamaged(stored) };
}
