import { compareTraces, type TraceContent } from './trace-comparison.js';
import type { TraceComparison } from './trace-comparison-types.js';
import { findTraceExceptions, type TraceExceptions, type TraceSources } from './trace-error-queries.js';
import { findTraceSpans } from './trace-queries.js';

/** Compares two traces; undefined unless spans of both are known. */
export async function findTraceComparison(
  sources: TraceSources,
  traceId: string,
  baselineTraceId: string,
): Promise<TraceComparison | undefined> {
  const current = await readTrace(sources, traceId);
  const baseline = current && (await readTrace(sources, baselineTraceId));
  if (current === undefined || baseline === undefined) return undefined;
  const damagedRecords = current.damagedRecords + baseline.damagedRecords;
  return {
    ...(await compareTraces(current, baseline, sources.spans.timeSlice)),
    ...(damagedRecords > 0 && { damagedRecords }),
  };
}

async function readTrace(
  sources: TraceSources,
  traceId: string,
): Promise<(TraceContent & Pick<TraceExceptions, 'damagedRecords'>) | undefined> {
  const spans = await findTraceSpans(sources.spans, sources.logs, traceId);
  if (spans === undefined || spans.length === 0) return undefined;
  const { damagedRecords = 0, ...exceptions } = (await findTraceExceptions(sources, traceId)) ?? {};
  const errors = { fromSpans: [], fromLogs: [], ...exceptions };
  return { traceId, spans, errors, damagedRecords };
}
