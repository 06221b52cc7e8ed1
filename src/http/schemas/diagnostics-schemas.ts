import { SEVERITIES } from '../../diagnostics/diagnostic-results.js';
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

export const severity = choice(SEVERITIES, 'How bad it is, from mild to grave.', 'warning');
export const status = choice(
  ['healthy', 'degraded'] as const,
  '`degraded` where errorRate is 5 or more, or apdex is below 0.7 (settings of the Grid), else `healthy`.',
  'degraded',
);
export const apdex = fraction(
  'Apdex of the entry spans: (satisfied + tolerating / 2) / requests. Satisfied: at most 500 ms (a setting of the Grid); tolerating: at most four times that; an error is frustrated. 3 decimals; 1 without requests.',
  0.612,
);
export const errorRate = percent('Share of requests that failed, 0 to 100.', 8.5);
export const requestCount = count(
  'Requests in the window: entry spans, which begin work in a service (kind SERVER or CONSUMER, or without a parent).',
  1_204,
);
export const avgLatencyMs = milliseconds('Mean latency.', 182.4);
const p50LatencyMs = milliseconds('Latency that half of the requests do not exceed; relative error at most 1 %.', 310);
export const p95LatencyMs = milliseconds(
  'Latency that 95 % of requests do not exceed; relative error at most 1 %.',
  1_840,
);
const p99LatencyMs = milliseconds('Latency that 99 % of requests do not exceed; relative error at most 1 %.', 2_410);
const ServiceHealth = record('ServiceHealth', 'Health of one service in the window.', {
  serviceName,
  status,
  errorRate,
  apdex,
  requestCount,
  avgLatencyMs,
});

export const Health = record('Health', 'Health of every service.', {
  overallStatus: choice(['healthy', 'degraded'] as const, 'The worst status of the services.', 'degraded'),
  timestamp: instant('The moment that the answer is about.'),
  services: listOf(ServiceHealth, 'Services with requests in the window, and those seen in the last 24 hours.'),
});

const Alert = record('Alert', 'A threshold rule that holds for one service.', {
  id: text('Opaque id of the alert.', 'b6f0c7d2-checkout-1773480360000'),
  ruleName: text('Name of the rule.', 'Error rate'),
  severity,
  serviceName,
  condition: text('What the rule watches for.', 'error_rate > 5%'),
  currentValue: number('Value of the metric, in its unit, when it was looked at last.', 8.5),
  triggeredAt: instant('When it fired.'),
  status: choice(['firing', 'resolved'] as const, 'Whether it fires.', 'firing'),
});

export const Alerts = listing('Alerts', 'Alerts that were fired and are not resolved.', {
  alerts: listOf(Alert, 'The newest first.'),
});
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

const Diagnosis = record('Diagnosis', 'A probable cause of what is wrong.', {
  cause: text(
    'What is wrong, in a sentence that names the service.',
    'payment answers slowly: p95 rose from 210 ms to 1,840 ms',
  ),
  confidence: fraction('Chance that this is the cause, as fitted to recorded faults; 2 decimals.', 0.87),
  severity,
  affectedServices: listOf(
    text('Name of a service.', 'checkout'),
    'Services that suffer without being the cause, those hit hardest first.',
  ),
  evidence: listOf(
    text('A sentence with figures.', 'p95 of payment is 776 % above the hour before'),
    'What speaks for it, the strongest first.',
  ),
  firstDetected: instant('Start of the minute in which it began, by the times of the data.'),
  impactedTraceCount: count('Traces in the window that the cause touched; exact.', 214),
  serviceName: nullable(
    text('Name of the cause.', 'payment'),
    'The service, or the dependency that services call, which is the cause; null where `kind` is `inconclusive`.',
  ),
  kind: choice(DIAGNOSIS_KINDS, 'What kind of cause it is.', 'latency'),
  sampleTraceIds: listOf(
    text('Id of a trace.', '5b8efff798038103d269b633813fc60c'),
    'Some of the traces that it touched.',
  ),
});

export const Diagnoses = listing('Diagnoses', 'What is probably wrong.', {
  diagnoses: listOf(Diagnosis, 'The likeliest first; at most one of a cause and kind. Empty where nothing is wrong.'),
});

const PressurePoint = record('PressurePoint', 'A resource that is close to its limit.', {
  type: text(
    'What kind of resource it is: `connection_pool`, `thread_pool`, `queue`, `event_loop`, `cpu`, `memory`.',
    'connection_pool',
  ),
  serviceName,
  resource: text('Name of the resource.', 'orders-db'),
  utilization: percent('How much of it is in use.', 94),
  capacity: number('How much there is, in units of the resource; 0 where it is not known.', 50),
  queueDepth: count('How many wait for it.', 12),
  severity: choice(
    SEVERITIES,
    'info from 70 % utilization, warning from 80 % or with a queue, critical from 90 %.',
    'critical',
  ),
  detectedAt: instant('First minute of the unbroken run.'),
});

export const PressurePoints = listing('PressurePoints', 'Resources that are close to their limit.', {
  pressurePoints: listOf(PressurePoint, 'The gravest first.'),
});
const trend = choice(
  ['increasing', 'decreasing', 'stable'] as const,
  '`stable` where the change is below 5 % either way.',
  'increasing',
);
export const changePercent = number(
  'Change from baseline to now: 100 · (current − baseline) / baseline. Percent, 2 decimals; 100 where it was zero and is not.',
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
  'The window against the 60 minutes before it, over the entry spans of all services.',
  {
    latency: inlineRecord('Latency; the trend is that of p95.', {
      trend,
      changePercent,
      current: percentiles('Of the window.'),
      baseline: percentiles('Of the hour before it.'),
    }),
    errorRate: inlineRecord('Error rate.', {
      trend,
      changePercent,
      current: percent('Of the window.', 8.5),
      baseline: percent('Of the hour before it.', 0.4),
    }),
    throughput: inlineRecord('Requests a second.', {
      trend,
      changePercent,
      currentRps: number('Of the window; 2 decimals.', 42.1),
      baselineRps: number('Of the hour before it; 2 decimals.', 39.8),
    }),
  },
);

const MappedService = record('MappedService', 'A service on the map.', {
  name: serviceName,
  type: text('Kind of most of its entry spans: SERVER or CONSUMER; CLIENT where it only calls.', 'SERVER'),
  requestCount,
  errorRate,
});

const ServiceEdge = record(
  'ServiceEdge',
  'Calls from one service to another, or to a dependency that sends no spans, such as a database.',
  {
    source: text('The caller.', 'checkout'),
    target: text('The called: a service, or the name of a dependency.', 'payment'),
    requestCount: count('Calls in the window.', 988),
    errorRate: percent('Share of the calls that failed, as the caller sees it.', 8.1),
    avgLatencyMs: milliseconds('Mean latency, as the caller sees it; of messages, as the consumer does.', 164.9),
  },
);

export const ServiceMap = record('ServiceMap', 'Services and their dependencies.', {
  services: listOf(MappedService, 'Services that sent spans.'),
  edges: listOf(ServiceEdge, 'Who calls whom.'),
});

const TimelineEvent = record('TimelineEvent', 'Something that happened.', {
  timestamp: instant('When, by the times of the data.'),
  type: text(
    'What: `deployment`, `scaling`, `new_service`, `new_endpoint`, `anomaly`, `alert`, `overflow`.',
    'deployment',
  ),
  description: text('What, in words.', 'payment was deployed: 1.4.1 to 1.4.2'),
  severity,
  serviceName,
});

export const Timeline = listing('Timeline', 'What happened in the last 60 minutes.', {
  events: listOf(TimelineEvent, 'The oldest first.'),
});
const Endpoint = record('Endpoint', 'Entry spans of a service by name.', {
  operation: text('Name of the entry span.', 'POST /orders'),
  requestCount,
  errorRate,
  avgLatencyMs,
  p50LatencyMs,
  p95LatencyMs,
});

const TopError = record('TopError', 'Exceptions of a service by type and message.', {
  exceptionType: text('Type of the exception.', 'java.net.SocketTimeoutException'),
  message: text('What it says.', 'Read timed out'),
  count: count('How many there were in the window.', 96),
  percentage: percent("Share of the service's exceptions in the window.", 88.07),
});

const Dependency = record('Dependency', 'What a service calls.', {
  name: text('A service, or the name of a dependency that sends no spans.', 'payment'),
  status,
  errorRate,
  avgLatencyMs,
});

export const ServiceDetail = record('ServiceDetail', 'One service in the window.', {
  serviceName,
  status,
  apdex,
  errorRate,
  requestCount,
  p50LatencyMs,
  endpoints: listOf(Endpoint, 'Its entry spans by name.'),
  topErrors: listOf(TopError, 'The most frequent first.'),
  dependencies: listOf(Dependency, 'What it calls.'),
});

const SlowEndpoint = record('SlowEndpoint', 'An endpoint, ranked by p99; SERVER spans only.', {
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
  endpoints: listOf(SlowEndpoint, 'The slowest first.'),
});

const signedPercent = (description: string, example: string): ReturnType<typeof Type.String> =>
  Type.String({
    pattern: '^[+-]\\d+(\\.\\d+)?%$',
    description: `${description} With sign and percent sign; \`+0%\` without a comparison.`,
    examples: [example],
  });

export const Change = record(
  'Change',
  'A deployment or another change. Versions are of deployments, a description is of all others.',
  {
    type: choice(['deployment', 'scaling', 'new_service', 'new_endpoint'] as const, 'What changed.', 'deployment'),
    serviceName,
    detectedAt: instant('When, by the times of the data.'),
    previousVersion: Type.Optional(text('`service.version` before; of deployments alone.', '1.4.1')),
    currentVersion: Type.Optional(text('`service.version` now; of deployments alone.', '1.4.2')),
    description: Type.Optional(
      text('What changed, in words; of all but deployments.', 'Instance count changed from 1 to 3'),
    ),
    performanceImpact: inlineRecord('The 10 minutes after against the 30 before.', {
      latencyChange: signedPercent('Change of p95.', '+145%'),
      errorRateChange: signedPercent('Change of the error rate.', '+12.5%'),
      assessment: choice(['positive', 'negative', 'neutral'] as const, 'What that means.', 'negative'),
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
  changes: listOf(Change, 'The newest first.'),
});
const throughputRps = number('Requests a second; 2 decimals.', 42.1);

export const WindowFigures = record('WindowFigures', 'Figures of one window, over the entry spans of all services.', {
  rangeStart: instant('Start of the window, rounded down to the minute.'),
  rangeEnd: instant(
    'End of the window, rounded up to the minute, the running one at most.',
    '2026-03-14T09:41:00.000Z',
  ),
  avgLatencyMs,
  p95LatencyMs,
  errorRate,
  throughputRps,
  apdex,
});

export const Delta = record('Delta', 'From baseline to current.', {
  absolute: number('Difference, in the unit of the metric.', 12.4),
  percent: number('Difference as a share of the baseline. Percent, 2 decimals.', 7.3),
});

const Regression = record('Regression', 'What got worse by more than 20 %.', {
  serviceName,
  metric: text('Which figure: `avgLatencyMs`, `p95LatencyMs`, `errorRate`, `throughputRps`, `apdex`.', 'p95LatencyMs'),
  baselineValue: number('In the baseline window, in the unit of the metric.', 210),
  currentValue: number('In the current window.', 1_840),
  changePercent,
});

export const Comparison = record('Comparison', 'Two windows of time, side by side.', {
  baseline: WindowFigures,
  current: WindowFigures,
  deltas: inlineRecord('The differences.', {
    avgLatencyMs: Delta,
    p95LatencyMs: Delta,
    errorRate: Delta,
    throughputRps: Delta,
    apdex: Delta,
  }),
  regressions: listOf(Regression, 'By service and metric; empty where nothing got worse.'),
});
