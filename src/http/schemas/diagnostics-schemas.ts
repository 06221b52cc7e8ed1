import { CHANGE_TYPES, SEVERITIES } from '../../diagnostics/diagnostic-results.js';
import Type from 'typebox';
import { serviceName } from './trace-schemas.js';
import {
  choice,
  count,
  fraction,
  inlineRecord,
  instant,
  listing,
  listOf,
  milliseconds,
  nullable,
  number,
  percent,
  record,
  text,
} from './schema-builders.js';

export const severity = choice(SEVERITIES, 'Severity, in ascending order.', 'warning');
export const status = choice(
  ['healthy', 'degraded'] as const,
  '`degraded` if errorRate is at least 5 or apdex is below 0.7 (both configurable per Grid), otherwise `healthy`.',
  'degraded',
);
export const apdex = fraction(
  'Apdex of the entry spans: (satisfied + tolerating / 2) / requests. Satisfied: at most 500 ms (configurable per Grid); tolerating: at most four times that; failed requests are frustrated. 3 decimals; 1 without requests.',
  0.612,
);
export const errorRate = percent('Percentage of failed requests, 0 to 100.', 8.5);
export const requestCount = count(
  'Number of requests in the window, counted as entry spans (kind SERVER or CONSUMER, or without a parent).',
  1_204,
);
export const avgLatencyMs = milliseconds('Mean latency.', 182.4);
const p50LatencyMs = milliseconds('Median latency; relative error at most 1 %.', 310);
export const p95LatencyMs = milliseconds('95th percentile of latency; relative error at most 1 %.', 1_840);
const p99LatencyMs = milliseconds('99th percentile of latency; relative error at most 1 %.', 2_410);
const DIAGNOSIS_KINDS = [
  'latency',
  'errors',
  'network',
  'saturation',
  'deployment',
  'traffic',
  'dependency',
  'inconclusive',
] as const;

export const diagnosisKind = choice(DIAGNOSIS_KINDS, 'Kind of the cause.', 'latency');
export const diagnosisCause = text(
  'The cause, in a sentence that names the service.',
  'payment: higher latency, originating in the service itself',
);
export const diagnosisConfidence = fraction(
  'Probability that this is the cause, calibrated on recorded faults; 2 decimals.',
  0.87,
);
export const firstDetected = instant('Start of the minute in which the problem began, by the timestamps of the data.');
const RECENT_STATUSES = ['healthy', 'degraded', 'recovering', 'unknown'] as const;

/** Fields that stand beside a status, which is that of the whole window. */
export const recentState = {
  recentStatus: choice(
    RECENT_STATUSES,
    'Status of the recent minutes: the last complete minute and the running one, and as many earlier minutes of the window as it takes for 50 requests. `degraded` by the same thresholds as `status`, or if a critical diagnosis, or one with a confidence of at least 0.6, names it as the cause; `recovering` if that is over but the window, its diagnosis or an alert still contains it; never `healthy` while an alert of it fires; `unknown` without requests for 5 minutes.',
    'degraded',
  ),
  causeOf: Type.Optional(
    record(
      'CauseReference',
      'The current diagnosis that names it as the cause; absent if there is none. For a window of more than 6 hours: the diagnosis as of its end.',
      {
        cause: diagnosisCause,
        kind: diagnosisKind,
        severity,
        confidence: diagnosisConfidence,
        firstDetected,
      },
    ),
  ),
};
export const RecentState = inlineRecord('Status of the recent minutes.', recentState);

const ServiceHealth = record('ServiceHealth', 'Health of one service in the window.', {
  serviceName,
  status,
  errorRate,
  apdex,
  requestCount,
  avgLatencyMs,
  ...recentState,
});

export const Health = record('Health', 'Health of every service.', {
  overallStatus: choice(
    ['healthy', 'degraded', 'unknown'] as const,
    'The worst status of the services; `unknown` without any service, because then nothing can be judged.',
    'degraded',
  ),
  timestamp: instant('The time for which the health was evaluated.'),
  services: listOf(ServiceHealth, 'Services with requests in the window or seen in the last 24 hours.'),
  recentStatus: choice(
    RECENT_STATUSES,
    'The worst `recentStatus` of the services: `degraded` (also if a dependency without telemetry of its own is the cause of a critical or likely diagnosis), `recovering`, `healthy`; `unknown` if that of none is known.',
    'degraded',
  ),
});

const Diagnosis = record('Diagnosis', 'A probable cause of a problem.', {
  cause: diagnosisCause,
  confidence: diagnosisConfidence,
  severity,
  affectedServices: listOf(
    text('Name of a service.', 'checkout'),
    'Services affected by the cause, most affected first.',
  ),
  evidence: listOf(
    text('One item of evidence, with figures.', 'p95 of payment is 776 % above the hour before'),
    'Evidence for the cause, strongest first.',
  ),
  firstDetected,
  impactedTraceCount: count('Exact number of traces in the window that are affected by the cause.', 214),
  serviceName: nullable(
    text('Name of the service or dependency.', 'payment'),
    'The service or called dependency that is the cause; null if `kind` is `inconclusive`.',
  ),
  kind: diagnosisKind,
  sampleTraceIds: listOf(text('Id of a trace.', '5b8efff798038103d269b633813fc60c'), 'Examples of affected traces.'),
  recoveredAt: Type.Optional(
    instant(
      'Start of the minute from which on the problem is over; absent while it lasts.',
      '2026-03-14T09:34:00.000Z',
    ),
  ),
});

export const Diagnoses = listing('Diagnoses', 'Probable causes of current problems.', {
  diagnoses: listOf(
    Diagnosis,
    'Sorted by probability, most likely first; at most one per service and kind. Empty if no problem was found.',
  ),
});

const PressurePoint = record('PressurePoint', 'A resource close to its limit.', {
  type: text(
    'Kind of the resource: `connection_pool`, `thread_pool`, `queue`, `event_loop`, `cpu`, `memory`.',
    'connection_pool',
  ),
  serviceName,
  resource: text('Name of the resource.', 'orders-db'),
  utilization: percent('Utilization of the resource.', 94),
  capacity: number('Capacity in units of the resource; 0 if unknown.', 50),
  queueDepth: count('Number of requests waiting for the resource.', 12),
  severity: choice(
    SEVERITIES,
    'info from 70 % utilization, warning from 80 % or with a queue, critical from 90 %.',
    'critical',
  ),
  detectedAt: instant('First minute of the current uninterrupted period of pressure.'),
});

export const PressurePoints = listing('PressurePoints', 'Resources close to their limit.', {
  pressurePoints: listOf(PressurePoint, 'Most severe first.'),
});
const trend = choice(
  ['increasing', 'decreasing', 'stable'] as const,
  '`stable` if the change is below 5 % in either direction.',
  'increasing',
);
export const changePercent = number(
  'Change from baseline to current: 100 · (current − baseline) / baseline. Percent, 2 decimals; 100 if only the baseline is zero.',
  62.5,
);
const percentiles = (description: string): typeof Percentiles =>
  Type.Object(Percentiles.properties, { additionalProperties: false, description });
export const Percentiles = inlineRecord('Percentiles of latency.', {
  p50: milliseconds('Median.', 96.2),
  p95: milliseconds('95th percentile.', 1_840),
  p99: milliseconds('99th percentile.', 2_410),
});

export const Trends = record(
  'Trends',
  'The window compared with the 60 minutes before it, over the entry spans of all services.',
  {
    latency: inlineRecord('Latency; the trend is that of p95.', {
      trend,
      changePercent,
      current: percentiles('In the window.'),
      baseline: percentiles('In the hour before.'),
    }),
    errorRate: inlineRecord('Error rate.', {
      trend,
      changePercent,
      current: percent('In the window.', 8.5),
      baseline: percent('In the hour before.', 0.4),
    }),
    throughput: inlineRecord('Requests per second.', {
      trend,
      changePercent,
      currentRps: number('In the window; 2 decimals.', 42.1),
      baselineRps: number('In the hour before; 2 decimals.', 39.8),
    }),
  },
);

const MappedService = record('MappedService', 'A service on the service map.', {
  name: serviceName,
  type: text('Most frequent kind of its entry spans: SERVER or CONSUMER; CLIENT if it only makes calls.', 'SERVER'),
  requestCount,
  errorRate,
  status,
  ...recentState,
});

const ServiceEdge = record(
  'ServiceEdge',
  'Calls from a service to another service or to a dependency that sends no spans, such as a database.',
  {
    source: text('The calling service.', 'checkout'),
    target: text('The called service or dependency.', 'payment'),
    requestCount: count('Number of calls in the window.', 988),
    errorRate: percent('Percentage of failed calls, measured by the caller.', 8.1),
    avgLatencyMs: milliseconds('Mean latency, measured by the caller; for messages, by the consumer.', 164.9),
  },
);

export const ServiceMap = record('ServiceMap', 'Services and their dependencies.', {
  services: listOf(MappedService, 'Services that sent spans.'),
  edges: listOf(ServiceEdge, 'Calls between services and dependencies.'),
});

const TimelineEvent = record('TimelineEvent', 'An event on the timeline.', {
  timestamp: instant('When it happened, by the timestamps of the data.'),
  type: text(
    'Type of the event: `deployment`, `scaling`, `eviction`, `restart`, `probe_failure`, `new_service`, `new_endpoint`, `anomaly`, `alert`, `overflow`.',
    'deployment',
  ),
  description: text('Description of the event.', 'payment was deployed: 1.4.1 to 1.4.2'),
  severity,
  serviceName,
});

export const Timeline = listing('Timeline', 'Events of the last 60 minutes.', {
  events: listOf(TimelineEvent, 'Sorted by time, oldest first.'),
});
const Endpoint = record('Endpoint', 'An endpoint: the entry spans of a service with one name.', {
  operation: text('Name of the entry span.', 'POST /orders'),
  requestCount,
  errorRate,
  avgLatencyMs,
  p50LatencyMs,
  p95LatencyMs,
});

const TopError = record('TopError', 'Exceptions of a service with one type and message.', {
  exceptionType: text('Type of the exception.', 'java.net.SocketTimeoutException'),
  message: text('Message of the exception.', 'Read timed out'),
  count: count('Number of occurrences in the window.', 96),
  percentage: percent('Percentage of all exceptions of the service in the window.', 88.07),
});

const Dependency = record('Dependency', 'A service or dependency that a service calls.', {
  name: text('Name of the service, or of a dependency that sends no spans.', 'payment'),
  status,
  errorRate,
  avgLatencyMs,
  ...recentState,
});

export const ServiceDetail = record('ServiceDetail', 'Details of one service in the window.', {
  serviceName,
  status,
  apdex,
  errorRate,
  requestCount,
  p50LatencyMs,
  endpoints: listOf(Endpoint, 'Endpoints of the service (entry spans by name).'),
  topErrors: listOf(TopError, 'Sorted by count, most frequent first.'),
  dependencies: listOf(Dependency, 'Services and dependencies that the service calls.'),
  ...recentState,
});

const SlowEndpoint = record('SlowEndpoint', 'An endpoint ranked by p99 latency (SERVER spans only).', {
  rank: Type.Integer({ minimum: 1, maximum: 20, description: '1 is the slowest.', examples: [1] }),
  serviceName,
  operation: text('Name of the entry span.', 'POST /orders'),
  avgLatencyMs,
  p95LatencyMs,
  p99LatencyMs,
  requestCount,
  errorRate,
});

export const SlowEndpoints = listing('SlowEndpoints', 'The 20 slowest endpoints.', {
  endpoints: listOf(SlowEndpoint, 'Sorted by p99 latency, slowest first.'),
});

const signedPercent = (description: string, example: string): ReturnType<typeof Type.String> =>
  Type.String({
    pattern: '^[+-]\\d+(\\.\\d+)?%$',
    description: `${description} With sign and percent sign; \`+0%\` if there is nothing to compare with.`,
    examples: [example],
  });

export const Change = record(
  'Change',
  'A deployment or another change. Deployments have versions, all other changes have a description, and so have deployments of which only an orchestrator reports.',
  {
    type: choice(
      CHANGE_TYPES,
      'Type of the change. Restarts (also for lack of memory), failed probes, evictions and rollouts are reported by log records of an orchestrator (`k8s.event.reason`, or a Kubernetes event in the body) or of a deployment tool (`event.name` = `deployment`).',
      'deployment',
    ),
    serviceName,
    detectedAt: instant('When it happened, by the timestamps of the data.'),
    previousVersion: Type.Optional(text('`service.version` before; only for deployments.', '1.4.1')),
    currentVersion: Type.Optional(text('`service.version` after; only for deployments.', '1.4.2')),
    description: Type.Optional(
      text(
        'Description of the change; for all types except deployments with versions.',
        'Instance count changed from 1 to 3',
      ),
    ),
    performanceImpact: inlineRecord('The 10 minutes after the change compared with the 30 minutes before it.', {
      latencyChange: signedPercent('Change of p95.', '+145%'),
      errorRateChange: signedPercent('Change of the error rate.', '+12.5%'),
      assessment: choice(['positive', 'negative', 'neutral'] as const, 'Assessment of the impact.', 'negative'),
      newErrorRate: Type.Optional(
        percent(
          'Error rate after the change; only if no request had failed before, when `errorRateChange` is +100%.',
          2.83,
        ),
      ),
    }),
  },
  {
    type: 'deployment',
    serviceName: 'payment',
    detectedAt: '2026-03-14T09:26:00.000Z',
    previousVersion: '1.4.1',
    currentVersion: '1.4.2',
    performanceImpact: { latencyChange: '+145%', errorRateChange: '+12.5%', assessment: 'negative' },
  },
);

export const Changes = listing('Changes', 'Deployments and other changes of the last 60 minutes.', {
  changes: listOf(Change, 'Sorted by time, newest first.'),
});
const throughputRps = number('Requests per second; 2 decimals.', 42.1);

export const WindowFigures = record('WindowFigures', 'Metrics of one window, over the entry spans of all services.', {
  rangeStart: instant('Start of the window, rounded down to the minute.'),
  rangeEnd: instant(
    'End of the window, rounded up to the minute, but not after the current minute.',
    '2026-03-14T09:41:00.000Z',
  ),
  avgLatencyMs,
  p95LatencyMs,
  errorRate,
  throughputRps,
  apdex,
});

export const Delta = record('Delta', 'Difference between current and baseline.', {
  absolute: number('Difference, in the unit of the metric.', 12.4),
  percent: number('Difference relative to the baseline. Percent, 2 decimals.', 7.3),
});

const Regression = record('Regression', 'A metric that is more than 20 % worse than the baseline.', {
  serviceName,
  metric: text('The metric: `avgLatencyMs`, `p95LatencyMs`, `errorRate`, `throughputRps`, `apdex`.', 'p95LatencyMs'),
  baselineValue: number('Value in the baseline window, in the unit of the metric.', 210),
  currentValue: number('Value in the current window, in the unit of the metric.', 1_840),
  changePercent,
});

export const Comparison = record('Comparison', 'Comparison of two time windows.', {
  baseline: WindowFigures,
  current: WindowFigures,
  deltas: inlineRecord('Differences between the windows.', {
    avgLatencyMs: Delta,
    p95LatencyMs: Delta,
    errorRate: Delta,
    throughputRps: Delta,
    apdex: Delta,
  }),
  regressions: listOf(Regression, 'Sorted by service and metric; empty if nothing got worse.'),
});
