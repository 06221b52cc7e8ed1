import { LOG_LABELS } from '../../read-models/blocks/log-block-columns.js';
import { EXCEPTION_EVENT, readException, type ExceptionDetails } from '../../telemetry/attributes.js';
import type { LogEntry, TraceError, TraceErrors } from '../telemetry/telemetry-query-types.js';
import { findLogsOfTrace, readLogEntries } from '../logs/log-lookup.js';
import type { LogLocation } from '../logs/log-location.js';
import { toIntact, type RecordReader } from '../telemetry/record-reader.js';
import type { LogSnapshot, SpanSnapshot } from '../telemetry/block-snapshots.js';
import { sortCooperatively } from '../scheduling/cooperative-scheduler.js';
import type { SpanLocation } from './span-location.js';
import { findSpansOfTrace, readSpanRecords, readSpanSummary } from './trace-span-lookup.js';

export interface TraceSources {
  readonly spans: SpanSnapshot;
  readonly logs: LogSnapshot;
  readonly records: RecordReader;
}

/** Exceptions of a trace, by what reports them. */
export interface TraceExceptions {
  readonly fromSpans: readonly TraceError[];
  /** Unless a span reports the same one: same span, type and message. */
  readonly fromLogs: readonly TraceError[];
  /** Records that cannot be read. */
  readonly damagedRecords: number;
}

/**
 * Exceptions of a trace, oldest first: from span events, and from log records unless a span event has the same
 * exception (same span, type and message). Undefined if the trace is unknown.
 */
export async function findTraceErrors(sources: TraceSources, traceId: string): Promise<TraceErrors | undefined> {
  const found = await findTraceExceptions(sources, traceId);
  if (found === undefined) return undefined;
  const { fromSpans, fromLogs, damagedRecords } = found;
  const errors = await sortCooperatively([...fromSpans, ...fromLogs], compareByTime, sources.spans.timeSlice);
  return { errors, ...(damagedRecords > 0 && { damagedRecords }) };
}

/** In no particular order; undefined if the trace is unknown. */
export async function findTraceExceptions(
  sources: TraceSources,
  traceId: string,
): Promise<TraceExceptions | undefined> {
  const spans = await findSpansOfTrace(sources.spans, traceId);
  const logs = await findLogsOfTrace(sources.logs, traceId);
  if (spans.length === 0 && logs.length === 0) return undefined;
  const fromSpans = await readSpanExceptions(sources.records, spans);
  const fromLogs = await readLogExceptions(sources.records, logs);
  const known = new Set(fromSpans.errors.map(errorIdentity));
  return {
    fromSpans: fromSpans.errors,
    fromLogs: fromLogs.errors.filter((error) => !known.has(errorIdentity(error))),
    damagedRecords: fromSpans.damaged + fromLogs.damaged,
  };
}

export function compareByTime(a: TraceError, b: TraceError): number {
  return a.time < b.time ? -1 : a.time > b.time ? 1 : 0;
}

interface FoundExceptions {
  readonly errors: TraceError[];
  /** Records that cannot be read. */
  readonly damaged: number;
}

async function readSpanExceptions(records: RecordReader, spans: readonly SpanLocation[]): Promise<FoundExceptions> {
  const exceptionsBySpan = await readSpanRecords(records, spans, ({ events }) =>
    events.filter((event) => event.name === EXCEPTION_EVENT),
  );
  const errors: TraceError[] = [];
  for (const [index, span] of spans.entries()) {
    await records.timeSlice.yieldIfDue();
    const exceptions = toIntact(exceptionsBySpan[index]) ?? [];
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
  return { errors, damaged: exceptionsBySpan.filter((each) => each === 'damaged').length };
}

async function readLogExceptions(records: RecordReader, logs: readonly LogLocation[]): Promise<FoundExceptions> {
  const exceptionLogs: LogLocation[] = [];
  for (const log of logs) {
    await records.timeSlice.yieldIfDue();
    if ((await log.block.read(LOG_LABELS)).exceptions[log.row] === 1) exceptionLogs.push(log);
  }
  const entries = await readLogEntries(records, exceptionLogs);
  return { errors: entries.map(toTraceError), damaged: entries.filter(({ damaged }) => damaged).length };
}

function toTraceError({ time, spanId, serviceName, attributes }: LogEntry): TraceError {
  return { time, spanId, serviceName, ...toExceptionFields(readException(attributes)), attributes };
}

function toExceptionFields(
  details: ExceptionDetails | undefined,
): Pick<TraceError, 'exceptionType' | 'message' | 'stackTrace'> {
  return { exceptionType: details?.type ?? '', message: details?.message ?? '', stackTrace: details?.stackTrace ?? '' };
}

function errorIdentity({ spanId, exceptionType, message }: TraceError): string {
  return JSON.stringify([spanId, exceptionType, message]);
}
