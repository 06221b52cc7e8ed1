import { LOG_ID_BLOOMS, LOG_IDS, LOG_LABELS, LOG_LOCATIONS } from '../../read-models/blocks/log-block-columns.js';
import { findLocalTrace, traceHash } from '../../read-models/blocks/record-column-codec.js';
import { asBytes, asWords32 } from '../../read-models/blocks/uint32-words.js';
import { parseHexId, readIdHexAt, SPAN_ID_BYTES, TRACE_ID_BYTES } from '../../telemetry/trace-identifiers.js';
import type { LogSnapshot } from '../telemetry/block-snapshots.js';
import { sortCooperatively } from '../scheduling/cooperative-scheduler.js';
import type { LogBlock } from './log-conditions.js';
import { compareByTime, formatLogId, locateLog, type LogLocation } from './log-location.js';
import { decodeLogRecord, type LogRecord } from '../../telemetry/otlp/decoding/record-decoder.js';
import { severityLevel } from '../../telemetry/log-severity.js';
import { toUnixNanos } from '../../telemetry/unix-time.js';
import type { LogEntry } from '../telemetry/telemetry-query-types.js';
import {
  markDamaged,
  toIntact,
  recordLocation,
  type RecordLocation,
  type RecordReader,
  type StoredRecord,
} from '../telemetry/record-reader.js';

/** All log records of a trace (hex, any case), oldest first. */
export async function findLogsOfTrace(snapshot: LogSnapshot, traceId: string): Promise<LogLocation[]> {
  const found: LogLocation[] = [];
  for await (const { block, trace } of findBlocksWithTrace(snapshot, traceId)) {
    const { local } = (await block.read(LOG_IDS)).traces;
    for (let row = 0; row < local.length; row++) {
      if (local[row] !== trace) continue;
      await snapshot.timeSlice.yieldIfDue();
      found.push(await locateLog(block, row));
    }
  }
  return sortCooperatively(found, compareByTime, snapshot.timeSlice);
}

/** True if the trace has any log record. */
export async function hasLogs(snapshot: LogSnapshot, traceId: string): Promise<boolean> {
  for await (const match of findBlocksWithTrace(snapshot, traceId)) if (match.trace >= 0) return true;
  return false;
}

/** Blocks with records of the trace, and the local number of the trace in each. */
async function* findBlocksWithTrace(
  { blocks, timeSlice }: LogSnapshot,
  traceId: string,
): AsyncGenerator<{ block: LogBlock; trace: number }> {
  const bytes = parseHexId(traceId, TRACE_ID_BYTES);
  if (bytes === undefined) return;
  const words = asWords32(bytes);
  const hash = traceHash(words, 0);
  for (const block of blocks) {
    await timeSlice.yieldIfDue();
    if (!(await block.read(LOG_ID_BLOOMS)).traces.has(hash)) continue;
    const trace = findLocalTrace((await block.read(LOG_IDS)).traces, words, 0);
    if (trace >= 0) yield { block, trace };
  }
}

/** Full log records, in the order of `logs`. */
export async function readLogEntries(records: RecordReader, logs: readonly LogLocation[]): Promise<LogEntry[]> {
  const full = await records.read(await findRecordLocations(logs), (body, { offset, length }) =>
    decodeLogRecord(body, offset, length),
  );
  const entries: LogEntry[] = [];
  for (const [index, log] of logs.entries()) {
    await records.timeSlice.yieldIfDue();
    entries.push(await toLogEntry(log, full[index]));
  }
  return entries;
}

async function findRecordLocations(logs: readonly LogLocation[]): Promise<RecordLocation[]> {
  const locations: RecordLocation[] = [];
  for (const { block, row } of logs) locations.push(recordLocation(await block.read(LOG_LOCATIONS), row));
  return locations;
}

/** Searchable fields come from columns, so that an entry always matches the search that found it. */
async function toLogEntry(
  { block, row, timeUs, timeNs, revision, ordinal }: LogLocation,
  stored: StoredRecord<LogRecord>,
): Promise<LogEntry> {
  const record = toIntact(stored);
  const { services, severities } = await block.read(LOG_LABELS);
  const { traces, spans } = await block.read(LOG_IDS);
  return {
    id: formatLogId(revision, ordinal),
    time: toUnixNanos(timeUs, timeNs),
    severityLevel: severityLevel(severities[row]),
    severityNumber: severities[row],
    body: record?.body ?? '',
    serviceName: block.document.services[services[row]][0],
    traceId: readIdHexAt(asBytes(traces.ids), traces.local[row], TRACE_ID_BYTES),
    spanId: readIdHexAt(asBytes(spans), row, SPAN_ID_BYTES),
    attributes: record?.attributes ?? {},
    ...markDamaged(stored),
  };
}
