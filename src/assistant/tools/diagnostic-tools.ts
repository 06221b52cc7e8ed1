import { createDiagnosticTool, formatCountOrNone, readOperation, requireFound } from './tool-builders.js';
import type { Comparison, Diagnosis, ServiceDetail } from '../../diagnostics/diagnostic-results.js';
import type { Tool } from '../tool.js';
import { datetimeField, defineArguments, requiredField, textField } from './tool-arguments.js';
import {
  describeHistoryWindowArguments,
  describeTimeframe,
  describeWindowArguments,
  findRangeFault,
  findWindowFault,
  toQueryTime,
  toTimeframe,
  WINDOW_FIELDS,
  type WindowArguments,
} from './window-arguments.js';
import { type IsoTimestamped, toIsoTimestamped } from './result-serialization.js';

export const getSystemHealth = createDiagnosticTool({
  name: 'GetSystemHealth',
  path: 'health',
  description:
    'Health of every service: recentStatus (the last minutes) and status (the whole window), error rate (percent), Apdex, requests and average latency, and causeOf where a diagnosis names it as the cause; overallStatus is unknown where no service can be judged. Start here to see whether anything is wrong.',
  ask: (diagnostics, gridId, when) => diagnostics.health(gridId, when),
  source: ({ services }) => ({ type: 'health', found: formatCountOrNone(services.length, 'service') }),
});

export const getDiagnosis = createDiagnosticTool({
  name: 'GetDiagnosis',
  path: 'diagnosis',
  description:
    'Probable root causes, the likeliest first, each with confidence, evidence, affected services and the number of traces it touched. Ask it why something is slow or fails.',
  ask: (diagnostics, gridId, when) => diagnostics.diagnosis(gridId, when),
  source: (diagnoses) => ({
    type: 'diagnosis',
    found: formatCountOrNone(diagnoses.length, 'diagnosis', 'diagnoses'),
    ...diagnosisFigures(diagnoses),
  }),
});

/** Figures of the likeliest diagnosis. */
function diagnosisFigures([first]: readonly Diagnosis[]): {
  readonly confidence?: number;
  readonly traceCount?: number;
} {
  return first === undefined ? {} : { confidence: first.confidence, traceCount: first.impactedTraceCount };
}

interface ServiceDetailArguments extends WindowArguments {
  readonly serviceName: string;
}

export const getServiceDetail: Tool<ServiceDetailArguments, { readonly answer: IsoTimestamped<ServiceDetail> }> = {
  name: 'GetServiceDetail',
  api: readOperation('/apm/diagnostics/{gridSecondaryId}/service/{serviceName}'),
  description: 'One service: its figures, endpoints with p95 latency, most frequent exceptions, and dependencies.',
  ...defineArguments<ServiceDetailArguments>(
    { ...WINDOW_FIELDS, serviceName: requiredField(textField('Exact name of the service.')) },
    findWindowFault,
  ),
  async run({ queries, gridId }, { serviceName, ...window }) {
    const answer = requireFound(
      await queries.diagnostics.serviceDetail(gridId, serviceName, toQueryTime(window)),
      'service of this name',
    );
    return {
      data: { answer: toIsoTimestamped(answer) },
      source: { type: 'service-detail', description: `${serviceName}, ${describeWindowArguments(window)}` },
    };
  },
};

export const getServiceMap = createDiagnosticTool({
  name: 'GetServiceMap',
  path: 'services',
  description:
    'Which service calls which, databases and other dependencies included, with calls, error rate and average latency of each edge.',
  ask: (diagnostics, gridId, when) => diagnostics.serviceMap(gridId, when),
  source: ({ services, edges }) => ({
    type: 'service-map',
    found: `${formatCountOrNone(services.length, 'service')}, ${formatCountOrNone(edges.length, 'dependency', 'dependencies')}`,
  }),
});

export const getSlowestEndpoints = createDiagnosticTool({
  name: 'GetSlowestEndpoints',
  path: 'slowest-endpoints',
  description: 'The 20 slowest endpoints over all services, ranked by p99 latency.',
  ask: (diagnostics, gridId, when) => diagnostics.slowestEndpoints(gridId, when),
  source: (endpoints) => ({ type: 'slowest-endpoints', found: formatCountOrNone(endpoints.length, 'endpoint') }),
});

export const getTrendAnalysis = createDiagnosticTool({
  name: 'GetTrendAnalysis',
  path: 'trends',
  description: 'Latency percentiles, error rate and throughput of the whole Grid against the hour before.',
  ask: (diagnostics, gridId, when) => diagnostics.trends(gridId, when),
  source: () => ({ type: 'trends', found: 'latency, error rate and throughput' }),
});

interface ComparisonArguments {
  readonly currentStart: string;
  readonly currentEnd: string;
  readonly baselineStart: string;
  readonly baselineEnd: string;
}

export const getComparison: Tool<ComparisonArguments, { readonly answer: IsoTimestamped<Comparison> }> = {
  name: 'GetComparison',
  api: readOperation('/apm/diagnostics/{gridSecondaryId}/compare'),
  description:
    'The whole Grid in two windows of time: latency, error rate, throughput and Apdex, their differences, and what got worse by more than 20 percent in which service.',
  ...defineArguments<ComparisonArguments>(
    {
      currentStart: requiredField(datetimeField('Start of the window in question.')),
      currentEnd: requiredField(datetimeField('Its end, at most 7 days later.')),
      baselineStart: requiredField(datetimeField('Start of the window to compare it with.')),
      baselineEnd: requiredField(datetimeField('Its end, at most 7 days later.')),
    },
    ({ currentStart, currentEnd, baselineStart, baselineEnd }) =>
      findRangeFault('current', currentStart, currentEnd) ?? findRangeFault('baseline', baselineStart, baselineEnd),
  ),
  async run({ queries, gridId }, { currentStart, currentEnd, baselineStart, baselineEnd }) {
    const [current, baseline] = [toTimeframe(currentStart, currentEnd), toTimeframe(baselineStart, baselineEnd)];
    const answer = toIsoTimestamped(await queries.diagnostics.compare(gridId, current, baseline));
    return {
      data: { answer },
      source: { type: 'comparison', description: `${describeTimeframe(current)} with ${describeTimeframe(baseline)}` },
    };
  },
};

export const getPressurePoints = createDiagnosticTool({
  name: 'GetPressurePoints',
  path: 'pressure',
  description:
    'Resources close to their limit: connection pools, thread pools, queues, CPU, memory, event loops, with utilization in percent.',
  ask: (diagnostics, gridId, when) => diagnostics.pressure(gridId, when),
  source: (points) => ({ type: 'pressure', found: formatCountOrNone(points.length, 'resource') }),
});

export const getDeploymentCorrelation = createDiagnosticTool({
  name: 'GetDeploymentCorrelation',
  path: 'changes',
  description:
    'Deployments, scaling, new services and endpoints, each with its impact on latency and errors. The last 60 minutes unless a window is given.',
  ask: (diagnostics, gridId, when) => diagnostics.changes(gridId, when),
  source: (changes) => ({ type: 'changes', found: formatCountOrNone(changes.length, 'change') }),
  window: describeHistoryWindowArguments,
});

export const getIncidentTimeline = createDiagnosticTool({
  name: 'GetIncidentTimeline',
  path: 'timeline',
  description:
    'What happened, in order: deployments, scaling, anomalies, alerts. The last 60 minutes unless a window is given.',
  ask: (diagnostics, gridId, when) => diagnostics.timeline(gridId, when),
  source: (events) => ({ type: 'timeline', found: formatCountOrNone(events.length, 'event') }),
  window: describeHistoryWindowArguments,
});

export const getAlertSummary = createDiagnosticTool({
  name: 'GetAlertSummary',
  path: 'alerts',
  description: 'Alerts that fire: rule, condition, current value, severity, service and since when.',
  ask: (diagnostics, gridId, when) => diagnostics.alerts(gridId, when),
  source: (alerts) => ({ type: 'alerts', found: formatCountOrNone(alerts.length, 'alert') }),
});
