import type { TSchema } from 'typebox';
import type { DiagnosticsQueries } from '../../queries/diagnostics/diagnostics-query-types.js';
import type { TimeSelection } from '../../diagnostics/time-windows.js';
import { Alerts } from '../schemas/alert-schemas.js';
import {
  CompareModel,
  LiveStreamModel,
  toTimeframe,
  toTimeSelection,
  validateComparison,
  validateWindow,
  WindowModel,
} from '../requests/diagnostics-requests.js';
import { defineRoute, EVERY_ROLE, type Route } from '../route.js';
import {
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
const WINDOW_ROUTE = { ...DIAGNOSTICS_ROUTE, query: WindowModel, validate: validateWindow } as const;

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
    'List the alerts that are firing',
    (queries, ...of) => queries.alerts(...of),
    Alerts,
    presentAlerts,
  ),
  defineDiagnosticRoute(
    'diagnosis',
    'listDiagnoses',
    'List the probable causes of current problems, most likely first',
    (queries, ...of) => queries.diagnosis(...of),
    Diagnoses,
    presentDiagnoses,
  ),
  defineDiagnosticRoute(
    'pressure',
    'listPressurePoints',
    'List resources close to their limit',
    (queries, ...of) => queries.pressure(...of),
    PressurePoints,
    presentPressurePoints,
  ),
  defineDiagnosticRoute(
    'trends',
    'getTrends',
    'Compare latency, errors and throughput with the preceding hour',
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
    'List recent events in chronological order',
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
    summary: 'Read the details of a service: endpoints, errors and dependencies',
    missing: 'The Grid has no service with this name.',
    run: ({ diagnostics }, { params, query }) =>
      diagnostics.serviceDetail(params.gridSecondaryId, params.serviceName, toTimeSelection(query)),
    responseSchema: ServiceDetail,
    present: presentServiceDetail,
  }),
  defineRoute({
    ...DIAGNOSTICS_ROUTE,
    path: '/apm/diagnostics/{gridSecondaryId}/compare',
    operationId: 'compareWindows',
    summary: 'Compare two time windows',
    query: CompareModel,
    validate: validateComparison,
    run: ({ diagnostics }, { params, query: { currentStart, currentEnd, baselineStart, baselineEnd } }) =>
      diagnostics.compare(
        params.gridSecondaryId,
        toTimeframe(currentStart, currentEnd),
        toTimeframe(baselineStart, baselineEnd),
      ),
    responseSchema: Comparison,
    present: presentComparison,
  }),
];

/** A diagnostic whose only parameters are a time or a window. */
function defineDiagnosticRoute<Result, Schema extends TSchema>(
  suffix: string,
  operationId: string,
  summary: string,
  execute: (queries: DiagnosticsQueries, gridId: string, when: TimeSelection) => Promise<Result>,
  responseSchema: Schema,
  present: (result: Result) => ResponseBody<Schema>,
): Route {
  return defineRoute({
    ...WINDOW_ROUTE,
    path: `/apm/diagnostics/{gridSecondaryId}/${suffix}`,
    operationId,
    summary,
    run: ({ diagnostics }, { params, query }) => execute(diagnostics, params.gridSecondaryId, toTimeSelection(query)),
    responseSchema,
    present,
  });
}

export const liveRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: '/apm/diagnostics/{gridSecondaryId}/stream',
    operationId: 'streamDiagnostics',
    tag: 'Diagnostics',
    summary: 'Stream diagnostics: the current state, then every change',
    description:
      'The data of an event is the answer of the operation of the same name and `ageMs`: at most so many milliseconds have passed since what changed it was committed. The stream ends when the credentials, the membership or the subscription become invalid and when the service stops. Reconnect with Last-Event-ID.',
    grid: 'path',
    portalSession: true,
    roles: EVERY_ROLE,
    query: LiveStreamModel,
    mediaType: 'text/event-stream',
    run: ({ live }, { params, query, authorization }) =>
      live.follow(params.gridSecondaryId, parseTopics(query), authorization),
    present: (stream: StreamingResponse) => stream,
  }),
];

/** The requested topics without duplicates, in canonical order. */
function parseTopics({ topics }: LiveStreamModel): readonly LiveTopic[] {
  const requested = new Set(topics?.split(','));
  return STREAMED_TOPICS.filter((topic) => topics === undefined || requested.has(topic));
}
