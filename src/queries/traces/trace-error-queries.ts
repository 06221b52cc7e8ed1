import { LOG_LABELS } from '../../read-models/blocks/log-block-columns.js';
import { EXCEPTION_EVENT, readException, type ExceptionDetails } from '../../telemetry/attributes.js';
import type { LogEntry, TraceError } from '../telemetry/telemetry-query-types.js';
import { findLogsOfTrace, readLogEntries } from '../logs/log-lookup.js';
import type { LogLocation } from '../logs/log-location.js';
import type { RecordReader } from '../telemetry/record-reader.js';
import type { LogSnapshot, SpanSnapshot } from '../telemetry/block-snapshots.js';
import { sortCooperatively } from '../scheduling/cooperative-sorting.js';
import type { SpanLocation } from './span-location.js';
import { findSpansOfTrace, readSpanRecords, readSpanSummary } from './trace-span-lookup.js';

export interface TraceSources {
  readonly spans: SpanSnapshot;
  readonly logs: LogSnapshot;
  readonly records: RecordReader;
}

/**
 * Exceptions of a trace, oldest first: from span events, and from those log records that tell of none that a span
 * event told of already (same span, type and message). Undefined when the trace is unknown.
 */
export async function findTraceErrors(
  sources: TraceSources,
  traceId: string,
): Promise<readonly TraceError[] | undefined> {
  const spans = await findSpansOfTrace(sources.spans, traceId);
  const logs = await findLogsOfTrace(sources.logs, traceId);
  if (spans.length === 0 && logs.length === 0) return undefined;
  const told = await readSpanExceptions(sources.records, spans);
  const known = new Set(told.map(errorIdentity));
  const logged = (await readLogExceptions(sources.records, logs)).filter((error) => !known.has(errorIdentity(error)));
  return sortCooperatively(
    [...told, ...logged],
    (a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0),
    sources.spans.turn,
  );
}

async function readSpanExceptions(records: RecordReader, spans: readonly SpanLocation[]): Promise<TraceError[]> {
  const exceptionsOf = await readSpanRecords(records, spans, ({ events }) =>
    events.filter((event) => event.name === EXCEPTION_EVENT),
  );
  const errors: TraceError[] = [];
  for (const [index, span] of spans.entries()) {
    await records.turn.yieldIfDue();
    const exceptions = exceptionsOf[index] ?? [];
    if (exceptions.length === 0) continue;
    const { serviceName } = await readSpanSummary(span);
    for (const { time, attributes } of exceptions) {
      errors.push({
        time,
        spanId: span.spanId,
        serviceName,
        ...toExceptionFields(readException(attributes)),
        attributes,
      });
    }
  }
  return errors;
}

async function readLogExceptions(records: RecordReader, logs: readonly LogLocation[]): Promise<TraceError[]> {
  const telling: LogLocation[] = [];
  for (const log of logs) {
    await records.turn.yieldIfDue();
    if ((await log.block.read(LOG_LABELS)).exceptions[log.row] === 1) telling.push(log);
  }
  const entries = await readLogEntries(records, telling);
  return entries.map(({ time, spanId, serviceName, attributes }: LogEntry) => ({
    time,
    spanId,
    serviceName,
    ...toExceptionFields(readException(attributes)),
    attributes,
  }));
}

function toExceptionFields(
  facts: ExceptionDetails | undefined,
): Pick<TraceError, 'exceptionType' | 'message' | 'stackTrace'> {
  return { exceptionType: facts?.type ?? '', message: facts?.message ?? '', stackTrace: facts?.stackTrace ?? '' };
}

function errorIdentity({ spanId, exceptionType, message }: TraceError): string {
  return JSON.stringify([spanId, exceptionType, message]);
}
