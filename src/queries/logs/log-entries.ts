import { LOG_IDS, LOG_LABELS, LOG_PLACES } from '../../read-models/blocks/log-columns.js';
import { bytesOf } from '../../read-models/blocks/words32.js';
import { idAt, SPAN_ID_BYTES, TRACE_ID_BYTES } from '../../telemetry/ids.js';
import { decodeLog, type LogRecord } from '../../telemetry/otlp/log-record.js';
import { severityLevel } from '../../telemetry/severity.js';
import { unixNanos } from '../../telemetry/time.js';
import type { LogEntry } from '../answers.js';
import { placeAt, type RecordPlace, type Records } from '../records.js';
import { logId } from './log-id.js';
import type { LogPlace } from './log-place.js';

/** Log records with all that is their own, in the order of `logs`. */
export async function logEntries(records: Records, logs: readonly LogPlace[]): Promise<LogEntry[]> {
  const full = await records.read(await recordPlaces(logs), (body, { offset, length }) => decodeLog(body, offset, length));
  const entries: LogEntry[] = [];
  for (const [index, log] of logs.entries()) {
    await records.turn.giveWay();
    entries.push(await entryOf(log, full[index]));
  }
  return entries;
}

async function recordPlaces(logs: readonly LogPlace[]): Promise<RecordPlace[]> {
  const places: RecordPlace[] = [];
  for (const { block, row } of logs) places.push(placeAt(await block.read(LOG_PLACES), row));
  return places;
}

/** What searches go by comes from columns, so that an entry always shows what it was found by. */
async function entryOf({ block, row, timeUs, timeNs, revision, ordinal }: LogPlace, record: LogRecord | undefined): Promise<LogEntry> {
  const { services, severities } = await block.read(LOG_LABELS);
  const { traces, spans } = await block.read(LOG_IDS);
  return {
    id: logId(revision, ordinal),
    time: unixNanos(timeUs, timeNs),
    severityLevel: severityLevel(severities[row]),
    severityNumber: severities[row],
    body: record?.body ?? '',
    serviceName: block.document.services[services[row]][0],
    traceId: idAt(bytesOf(traces.ids), traces.local[row], TRACE_ID_BYTES),
    spanId: idAt(bytesOf(spans), row, SPAN_ID_BYTES),
    attributes: record?.attributes ?? {},
  };
}
