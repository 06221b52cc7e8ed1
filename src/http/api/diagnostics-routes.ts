import type { TSchema } from 'typebox';
import type { DiagnosticsQueries } from '../../queries/diagnostics/diagnostics-query-types.js';
import type { TimeSelection } from '../../diagnostics/time-windows.js';
import {
  CompareModel,
  LiveStreamModel,
  toTimeframe,
  toWhen,
  validateComparison,
  validateWindow,
  WindowModel,
} from '../requests/diagnostics-requests.js';
import { defineRoute, EVERY_ROLE, type Route } from '../route.js';
import {
  Alerts,
  Changes,
  Comparison,
  Diagnoses,
  Health,
  PressurePoints,
  ServiceDetail,
  ServiceMap,
  SlowEndpoints,
  Timeline,
  Trends,
} from '../schemas/diagnostics-schemas.js';
import type { ResponseBody } from '../schemas/schema-builders.js';
import {
  presentAlerts,
  presentChanges,
  presentComparison,
  presentDiagnoses,
  presentHealth,
  presentPressurePoints,
  presentServiceDetail,
  presentServiceMap,
  presentSlowestEndpoints,
  presentTimeline,
  presentTrends,
  STREAMED_TOPICS,
} from './diagnostics-presenters.js';
import type { LiveTopic } from '../../read-models/documents/live-diagnostics-documents.js';
import type { StreamingResponse } from '../responses/api-responses.js';

const DIAGNOSTICS_ROUTE = { tag: 'Diagnostics', method: 'GET', grid: 'path', roles: EVERY_ROLE } as const;
const WINDOW_ROUTE = { ...DIAGNOSTICS_ROUTE, query: WindowModel, faults: validateWindow } as const;

export const diagnosticsRoutes: readonly Route[] = [
  defineDiagnosticRoute(
    'health',
    'getHealth',
    'Read the health of every service',
    (queries, ...of) => queries.health(...of),
    Health,
    presentHealth,
  ),
  defineDiagnosticRoute(
    'alerts',
    'listAlerts',
    'List the alerts that fire',
    (queries, ...of) => queries.alerts(...of),
    Alerts,
    presentAlerts,
  ),
  defineDiagnosticRoute(
    'diagnosis',
    'listDiagnoses',
    'List what is probably wrong, the likeliest cause first',
    (queries, ...of) => queries.diagnosis(...of),
    Diagnoses,
    presentDiagnoses,
  ),
  defineDiagnosticRoute(
    'pressure',
    'listPressurePoints',
    'List resources that are close to their limit',
    (queries, ...of) => queries.pressure(...of),
    PressurePoints,
    presentPressurePoints,
  ),
  defineDiagnosticRoute(
    'trends',
    'getTrends',
    'Compare latency, errors and throughput with the time before',
    (queries, ...of) => queries.trends(...of),
    Trends,
    presentTrends,
  ),
  defineDiagnosticRoute(
    'services',
    'getServiceMap',
    'Read the map of services and their dependencies',
    (queries, ...of) => queries.serviceMap(...of),
    ServiceMap,
    presentServiceMap,
  ),
  defineDiagnosticRoute(
    'timeline',
    'getTimeline',
    'List what happened, in order',
    (queries, ...of) => queries.timeline(...of),
    Timeline,
    presentTimeline,
  ),
  defineDiagnosticRoute(
    'slowest-endpoints',
    'listSlowestEndpoints',
    'List the 20 slowest endpoints',
    (queries, ...of) => queries.slowestEndpoints(...of),
    SlowEndpoints,
    presentSlowestEndpoints,
  ),
  defineDiagnosticRoute(
    'changes',
    'listChanges',
    'List deployments and other changes with their impact',
    (queries, ...of) => queries.changes(...of),
    Changes,
    presentChanges,
  ),
  defineRoute({
    ...WINDOW_ROUTE,
    path: '/apm/diagnostics/{gridSecondaryId}/service/{serviceName}',
    operationId: 'getServiceDetail',
    summary: 'Read one service: its endpoints, errors and dependencies',
    missing: 'No service of this name is known in the Grid.',
    run: ({ diagnostics }, { params, query }) =>
      diagnostics.serviceDetail(params.gridSecondaryId, params.serviceName, toWhen(query)),
    answer: ServiceDetail,
    present: presentServiceDetail,
  }),
  defineRoute({
    ...DIAGNOSTICS_ROUTE,
    path: '/apm/diagnostics/{gridSecondaryId}/compare',
    operationId: 'compareWindows',
    summary: 'Compare two windows of time',
    query: CompareModel,
    faults: validateComparison,
    run: ({ diagnostics }, { params, query: { currentStart, currentEnd, baselineStart, baselineEnd } }) =>
      diagnostics.compare(
        params.gridSecondaryId,
        toTimeframe(currentStart, currentEnd),
        toTimeframe(baselineStart, baselineEnd),
      ),
    answer: Comparison,
    present: presentComparison,
  }),
];

/** A diagnostic that takes nothing but a moment or a window. */
function defineDiagnosticRoute<Result, Answer extends TSchema>(
  suffix: string,
  operationId: string,
  summary: string,
  ask: (queries: DiagnosticsQueries, gridId: string, when: TimeSelection) => Promise<Result>,
  answer: Answer,
  present: (result: Result) => ResponseBody<Answer>,
): Route {
  return defineRoute({
    ...WINDOW_ROUTE,
    path: `/apm/diagnostics/{gridSecondaryId}/${suffix}`,
    operationId,
    summary,
    run: ({ diagnostics }, { params, query }) => ask(diagnostics, params.gridSecondaryId, toWhen(query)),
    answer,
    present,
  });
}

export const liveRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: '/apm/diagnostics/{gridSecondaryId}/stream',
    operationId: 'streamDiagnostics',
    tag: 'Diagnostics',
    summary: 'Follow diagnostics: their current state first, then each change',
    description:
      'Ends when the credentials, the membership or the subscription do, and when the service stops: come back with Last-Event-ID.',
    grid: 'path',
    portalSession: true,
    roles: EVERY_ROLE,
    query: LiveStreamModel,
    mediaType: 'text/event-stream',
    run: ({ live }, { params, query, admission }) => live.follow(params.gridSecondaryId, parseTopics(query), admission),
    present: (stream: StreamingResponse) => stream,
  }),
];

/** Each once, in one order, however they were asked for. */
function parseTopics({ topics }: LiveStreamModel): readonly LiveTopic[] {
  const named = new Set(topics?.split(','));
  return STREAMED_TOPICS.filter((topic) => topics === undefined || named.has(topic));
}
