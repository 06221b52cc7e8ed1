import { LOG_LABELS } from '../read-models/blocks/log-columns.js';
import { EXCEPTION_EVENT, exceptionOf, type ExceptionFacts } from '../telemetry/exceptions.js';
import type { LogEntry, TraceError } from './answers.js';
import { logEntries } from './logs/log-entries.js';
import type { LogPlace } from './logs/log-place.js';
import { logsOfTrace } from './logs/logs-of-trace.js';
import type { Records } from './records.js';
import type { LogSnapshot, SpanSnapshot } from './snapshot.js';
import { sorted } from './sorting.js';
import type { SpanPlace } from './spans/span-place.js';
import { readSpans } from './spans/span-records.js';
import { spanSummary } from './spans/span-summary.js';
import { spansOfTrace } from './spans/spans-of-trace.js';

export interface TraceSources {
  readonly spans: SpanSnapshot;
  readonly logs: LogSnapshot;
  readonly records: Records;
}

/**
 * Exceptions of a trace, oldest first: from span events, and from those log records that tell of none that a span
 * event told of already (same span, type and message). Undefined when the trace is unknown.
 */
export async function traceErrors(sources: TraceSources, traceId: string): Promise<readonly TraceError[] | undefined> {
  const spans = await spansOfTrace(sources.spans, traceId);
  const logs = await logsOfTrace(sources.logs, traceId);
  if (spans.length === 0 && logs.length === 0) return undefined;
  const told = await errorsOfSpans(sources.records, spans);
  const known = new Set(told.map(identity));
  const logged = (await errorsOfLogs(sources.records, logs)).filter((error) => !known.has(identity(error)));
  return sorted([...told, ...logged], (a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0), sources.spans.turn);
}

async function errorsOfSpans(records: Records, spans: readonly SpanPlace[]): Promise<TraceError[]> {
  const exceptionsOf = await readSpans(records, spans, ({ events }) => events.filter((event) => event.name === EXCEPTION_EVENT));
  const errors: TraceError[] = [];
  for (const [index, span] of spans.entries()) {
    await records.turn.giveWay();
    const exceptions = exceptionsOf[index] ?? [];
    if (exceptions.length === 0) continue;
    const { serviceName } = await spanSummary(span);
    for (const { time, attributes } of exceptions) {
      errors.push({ time, spanId: span.spanId, serviceName, ...factsOf(exceptionOf(attributes)), attributes });
    }
  }
  return errors;
}

async function errorsOfLogs(records: Records, logs: readonly LogPlace[]): Promise<TraceError[]> {
  const telling: LogPlace[] = [];
  for (const log of logs) {
    await records.turn.giveWay();
    if ((await log.block.read(LOG_LABELS)).exceptions[log.row] === 1) telling.push(log);
  }
  const entries = await logEntries(records, telling);
  return entries.map(({ time, spanId, serviceName, attributes }: LogEntry) => ({
    time,
    spanId,
    serviceName,
    ...factsOf(exceptionOf(attributes)),
    attributes,
  }));
}

function factsOf(facts: ExceptionFacts | undefined): Pick<TraceError, 'exceptionType' | 'message' | 'stackTrace'> {
  return { exceptionType: facts?.type ?? '', message: facts?.message ?? '', stackTrace: facts?.stackTrace ?? '' };
}

function identity({ spanId, exceptionType, message }: TraceError): string {
  return JSON.stringify([spanId, exceptionType, message]);
}
