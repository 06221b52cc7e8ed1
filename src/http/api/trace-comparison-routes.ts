import type {
  ComparedErrors,
  ComparedPath,
  ComparedTrace,
  TraceComparison,
} from '../../queries/traces/trace-comparison-types.js';
import { formatIsoMillis } from '../../telemetry/unix-time.js';
import { TraceComparisonModel } from '../requests/trace-comparison-request.js';
import { StreamedList } from '../responses/send-response.js';
import { EVERY_ROLE, defineRoute, type Route } from '../route.js';
import type { ResponseBody } from '../schemas/schema-builders.js';
import {
  type ComparedErrors as ComparedErrorsSchema,
  type ComparedPath as ComparedPathSchema,
  type ComparedTrace as ComparedTraceSchema,
  TraceComparison as TraceComparisonSchema,
} from '../schemas/trace-comparison-schemas.js';
import { normalizeHexId } from './value-conversions.js';

export const traceComparisonRoutes: readonly Route[] = [
  defineRoute({
    tag: 'Traces',
    grid: 'path',
    roles: EVERY_ROLE,
    method: 'GET',
    path: '/apm/traces/{gridSecondaryId}/correlations/{traceId}/compare',
    operationId: 'compareTraces',
    summary: 'Compare a trace with another one',
    description:
      'Spans of both traces are put together by their path: the services and operations from the top down. Choose a trace with the same root operation; other traces have few paths in common.',
    query: TraceComparisonModel,
    missing: 'The Grid has no spans of one of these traces.',
    run: ({ telemetry }, { params: { gridSecondaryId, traceId }, query: { baselineTraceId } }) =>
      telemetry.compareTraces(gridSecondaryId, normalizeHexId(traceId), normalizeHexId(baselineTraceId)),
    responseSchema: TraceComparisonSchema,
    present: presentComparison,
  }),
];

function presentComparison({ current, baseline, paths, errors, damagedRecords }: TraceComparison) {
  return {
    current: presentTrace(current),
    baseline: presentTrace(baseline),
    paths: new StreamedList(paths, presentPath),
    errors: new StreamedList(errors, presentErrors),
    ...(damagedRecords !== undefined && { damagedRecords }),
  };
}

function presentTrace({ start, ...trace }: ComparedTrace): ResponseBody<typeof ComparedTraceSchema> {
  const { traceId, serviceName, operationName, durationNs, spanCount, errorCount } = trace;
  return {
    traceId,
    serviceName,
    operationName,
    startTime: formatIsoMillis(start),
    durationNs,
    spanCount,
    errorCount,
  };
}

function presentPath(path: ComparedPath): ResponseBody<typeof ComparedPathSchema> {
  const { depth, serviceName, operationName, current, baseline } = path;
  return {
    depth,
    serviceName,
    operationName,
    presence: findPresence(current.count, baseline.count),
    current: presentFigures(current),
    baseline: presentFigures(baseline),
    difference: {
      count: current.count - baseline.count,
      errorCount: current.errorCount - baseline.errorCount,
      durationNs: current.durationNs - baseline.durationNs,
      selfTimeNs: current.selfTimeNs - baseline.selfTimeNs,
    },
  };
}

function presentFigures({ count, errorCount, durationNs, selfTimeNs }: ComparedPath['current']) {
  return { count, errorCount, durationNs, selfTimeNs };
}

function presentErrors(errors: ComparedErrors): ResponseBody<typeof ComparedErrorsSchema> {
  const { groupId, serviceName, exceptionType, messagePattern, currentCount, baselineCount } = errors;
  return {
    groupId,
    serviceName,
    exceptionType,
    messagePattern,
    presence: findPresence(currentCount, baselineCount),
    currentCount,
    baselineCount,
  };
}

function findPresence(current: number, baseline: number): 'both' | 'current' | 'baseline' {
  return current === 0 ? 'baseline' : baseline === 0 ? 'current' : 'both';
}
