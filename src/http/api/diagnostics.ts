import type { TSchema } from 'typebox';
import type { DiagnosticsQueries } from '../../queries/diagnostics/questions.js';
import type { When } from '../../diagnostics/timeframe.js';
import { CompareModel, comparisonFaults, timeframe, whenOf, windowFaults, WindowModel } from '../requests/window.js';
import { EVERY_ROLE, route, type Route } from '../route.js';
import { Comparison } from '../schemas/comparison.js';
import { Alerts, Changes, Diagnoses, Health, PressurePoints, ServiceDetail, ServiceMap, SlowEndpoints, Timeline, Trends } from '../schemas/diagnostics.js';
import type { Shown } from '../schemas/terms.js';
import {
  presentAlerts, presentChanges, presentComparison, presentDiagnoses, presentHealth, presentPressure, presentServiceDetail, presentServiceMap,
  presentSlowestEndpoints, presentTimeline, presentTrends,
} from './presented-diagnostics.js';

const shared = { tag: 'Diagnostics', method: 'GET', grid: 'path', roles: EVERY_ROLE } as const;
const windowed = { ...shared, query: WindowModel, faults: windowFaults } as const;

export const diagnosticsRoutes: readonly Route[] = [
  diagnostic('health', 'getHealth', 'Read the health of every service', (queries, ...of) => queries.health(...of), Health, presentHealth),
  diagnostic('alerts', 'listAlerts', 'List the alerts that fire', (queries, ...of) => queries.alerts(...of), Alerts, presentAlerts),
  diagnostic('diagnosis', 'listDiagnoses', 'List what is probably wrong, the likeliest cause first', (queries, ...of) => queries.diagnosis(...of), Diagnoses, presentDiagnoses),
  diagnostic('pressure', 'listPressurePoints', 'List resources that are close to their limit', (queries, ...of) => queries.pressure(...of), PressurePoints, presentPressure),
  diagnostic('trends', 'getTrends', 'Compare latency, errors and throughput with the time before', (queries, ...of) => queries.trends(...of), Trends, presentTrends),
  diagnostic('services', 'getServiceMap', 'Read the map of services and their dependencies', (queries, ...of) => queries.serviceMap(...of), ServiceMap, presentServiceMap),
  diagnostic('timeline', 'getTimeline', 'List what happened, in order', (queries, ...of) => queries.timeline(...of), Timeline, presentTimeline),
  diagnostic('slowest-endpoints', 'listSlowestEndpoints', 'List the 20 slowest endpoints', (queries, ...of) => queries.slowestEndpoints(...of), SlowEndpoints, presentSlowestEndpoints),
  diagnostic('changes', 'listChanges', 'List deployments and other changes with their impact', (queries, ...of) => queries.changes(...of), Changes, presentChanges),
  route({
    ...windowed,
    path: '/apm/diagnostics/{gridSecondaryId}/service/{serviceName}',
    operationId: 'getServiceDetail',
    summary: 'Read one service: its endpoints, errors and dependencies',
    missing: 'No service of this name is known in the Grid.',
    run: ({ diagnostics }, { params, query }) => diagnostics.serviceDetail(params.gridSecondaryId, params.serviceName, whenOf(query)),
    answer: ServiceDetail,
    present: presentServiceDetail,
  }),
  route({
    ...shared,
    path: '/apm/diagnostics/{gridSecondaryId}/compare',
    operationId: 'compareWindows',
    summary: 'Compare two windows of time',
    query: CompareModel,
    faults: comparisonFaults,
    run: ({ diagnostics }, { params, query: { currentStart, currentEnd, baselineStart, baselineEnd } }) =>
      diagnostics.compare(params.gridSecondaryId, timeframe(currentStart, currentEnd), timeframe(baselineStart, baselineEnd)),
    answer: Comparison,
    present: presentComparison,
  }),
];

/** A diagnostic that takes nothing but a moment or a window. */
function diagnostic<Result, Answer extends TSchema>(
  suffix: string,
  operationId: string,
  summary: string,
  ask: (queries: DiagnosticsQueries, gridId: string, when: When) => Promise<Result>,
  answer: Answer,
  present: (result: Result) => Shown<Answer>,
): Route {
  return route({
    ...windowed,
    path: `/apm/diagnostics/{gridSecondaryId}/${suffix}`,
    operationId,
    summary,
    run: ({ diagnostics }, { params, query }) => ask(diagnostics, params.gridSecondaryId, whenOf(query)),
    answer,
    present,
  });
}
