import { parseTextQuery } from '../../telemetry/full-text.js';
import type { LogDetail, LogEntry, LogPage, LogQuery } from '../telemetry/telemetry-query-types.js';
import { buildLogConditions } from './log-conditions.js';
import { findLogsOfTrace, readLogEntries } from './log-lookup.js';
import { searchLogs } from './log-search.js';
import { toIntact, recordLocation, type RecordReader } from '../telemetry/record-reader.js';
import type { LogSnapshot, SpanSnapshot } from '../telemetry/block-snapshots.js';
import { LOG_ID_BLOOMS, LOG_IDS, LOG_LOCATIONS } from '../../read-models/blocks/log-block-columns.js';
import { asWords32, hashPair } from '../../read-models/blocks/uint32-words.js';
import { parseHexId, SPAN_ID_BYTES } from '../../telemetry/trace-identifiers.js';
import { decodeLogRecord } from '../../telemetry/otlp/decoding/record-decoder.js';
import { readResourceAt, readScopeAt } from '../../telemetry/otlp/decoding/record-resource.js';
import { compareByTime, locateLog, type LogLocation, parseLogId } from './log-location.js';
import { hasSpans } from '../traces/trace-span-lookup.js';

/** Log records, newest first; for equal times the last to arrive comes first. */
export async function findLogs(snapshot: LogSnapshot, records: RecordReader, query: LogQuery): Promise<LogPage> {
  const text = parseTextQuery(query.body ?? '');
  const conditions = buildLogConditions(query, text);
  if (conditions === undefined) return { items: [], totalCount: 0 };
  const { places, totalCount, damagedRecords } = await searchLogs(
    { ...snapshot, records, conditions, text },
    (query.page - 1) * query.pageSize,
    query.pageSize,
  );
  const items = await readLogEntries(records, places);
  return { items, totalCount, ...(damagedRecords > 0 && { damagedRecords }) };
}

/** The log record with this id, otherwise the newest one of the span with this id; undefined if neither exists. */
export async function readLogDetail(
  snapshot: LogSnapshot,
  records: RecordReader,
  id: string,
): Promise<LogDetail | undefined> {
  const place = (await findLogById(snapshot, id)) ?? (await findNewestLogOfSpan(snapshot, id));
  if (place === undefined) return undefined;
  const [entry] = await readLogEntries(records, [place]);
  return entry && { ...entry, ...(await readStoredFields(place, records)) };
}

/** What lists do not have; empty if the event log no longer has the record, or a damaged one. */
async function readStoredFields(
  { block, row }: LogLocation,
  records: RecordReader,
): Promise<Omit<LogDetail, keyof LogEntry>> {
  const location = recordLocation(await block.read(LOG_LOCATIONS), row);
  const [stored] = await records.read([location], (body, { offset, length }) => ({
    record: decodeLogRecord(body, offset, length),
    resource: readResourceAt(body, offset).attributes,
    scope: readScopeAt(body, offset),
  }));
  const { record, resource, scope } = toIntact(stored) ?? {};
  return {
    resource: resource ?? {},
    scope: scope ?? { name: '', version: '', attributes: {} },
    eventName: record?.eventName ?? '',
    severityText: record?.severityText ?? '',
    ...(record !== undefined && record.observedTime > 0n && { observedTime: record.observedTime }),
    flags: record?.flags ?? 0,
    droppedAttributesCount: record?.droppedAttributesCount ?? 0,
  };
}

/** Only records in blocks exist: ids of rejected or expired records are unknown. */
async function findLogById({ blocks, timeSlice }: LogSnapshot, id: string): Promise<LogLocation | undefined> {
  const key = parseLogId(id);
  if (key === undefined) return undefined;
  for (const block of blocks) {
    if (key.revision < block.document.minRevision || key.revision > block.document.maxRevision) continue;
    await timeSlice.yieldIfDue();
    const { revision, ordinal } = await block.read(LOG_LOCATIONS);
    for (let row = 0; row < revision.length; row++) {
      if (revision[row] === key.revision && ordinal[row] === key.ordinal) return locateLog(block, row);
    }
  }
  return undefined;
}

async function findNewestLogOfSpan({ blocks, timeSlice }: LogSnapshot, id: string): Promise<LogLocation | undefined> {
  const bytes = parseHexId(id, SPAN_ID_BYTES);
  if (bytes === undefined) return undefined;
  const [a, b] = asWords32(bytes);
  let newest: LogLocation | undefined;
  for (const block of blocks) {
    await timeSlice.yieldIfDue();
    if (!(await block.read(LOG_ID_BLOOMS)).spans.has(hashPair(a, b))) continue;
    const { spans } = await block.read(LOG_IDS);
    for (let row = 0; row < block.document.rows; row++) {
      if (spans[row * 2] !== a || spans[row * 2 + 1] !== b) continue;
      await timeSlice.yieldIfDue();
      const place = await locateLog(block, row);
      if (newest === undefined || compareByTime(place, newest) > 0) newest = place;
    }
  }
  return newest;
}

/** Log records of a trace, oldest first; undefined if neither a span nor a log record of it is known. */
export async function findTraceLogs(
  spans: SpanSnapshot,
  logs: LogSnapshot,
  records: RecordReader,
  traceId: string,
): Promise<readonly LogEntry[] | undefined> {
  const found = await findLogsOfTrace(logs, traceId);
  if (found.length === 0 && !(await hasSpans(spans, traceId))) return undefined;
  return readLogEntries(records, found);
}
