import type { Alert, Change, Comparison, Diagnosis, Health, PressurePoint, ServiceDetail, ServiceMap, SlowEndpoint, TimelineEvent, Trends, WindowFigures } from '../../diagnostics/answers.js';
import type { LiveTopic } from '../../read-models/live-diagnostics.js';
import type * as comparison from '../schemas/comparison.js';
import type * as schemas from '../schemas/diagnostics.js';
import type { Shown } from '../schemas/terms.js';
import { iso } from './iso.js';

/** The records of the diagnostics as the spec lists their members, in its order. Figures come rounded. */

export function presentHealth({ overallStatus, timestamp, services }: Health): Shown<typeof schemas.Health> {
  return {
    overallStatus,
    timestamp: iso(timestamp),
    services: services.map(({ serviceName, status, errorRate, apdex, requestCount, avgLatencyMs }) => ({ serviceName, status, errorRate, apdex, requestCount, avgLatencyMs })),
  };
}

export function presentAlerts(alerts: readonly Alert[]): Shown<typeof schemas.Alerts> {
  return {
    alerts: alerts.map(({ id, ruleName, severity, serviceName, condition, currentValue, triggeredAt, status }) => ({
      id, ruleName, severity, serviceName, condition, currentValue, triggeredAt: iso(triggeredAt), status,
    })),
  };
}

/** The last three members are ours (contract §5). */
export function presentDiagnoses(diagnoses: readonly Diagnosis[]): Shown<typeof schemas.Diagnoses> {
  return {
    diagnoses: diagnoses.map(({ cause, confidence, severity, affectedServices, evidence, firstDetected, impactedTraceCount, serviceName, kind, sampleTraceIds }) => ({
      cause, confidence, severity, affectedServices, evidence, firstDetected: iso(firstDetected), impactedTraceCount, serviceName, kind, sampleTraceIds,
    })),
  };
}

export function presentPressure(points: readonly PressurePoint[]): Shown<typeof schemas.PressurePoints> {
  return {
    pressurePoints: points.map(({ type, serviceName, resource, utilization, capacity, queueDepth, severity, detectedAt }) => ({
      type, serviceName, resource, utilization, capacity, queueDepth, severity, detectedAt: iso(detectedAt),
    })),
  };
}

export function presentTrends({ latency, errorRate, throughput }: Trends): Shown<typeof schemas.Trends> {
  const percentiles = ({ p50, p95, p99 }: Trends['latency']['current']): Shown<typeof schemas.Percentiles> => ({ p50, p95, p99 });
  return {
    latency: { trend: latency.trend, changePercent: latency.changePercent, current: percentiles(latency.current), baseline: percentiles(latency.baseline) },
    errorRate: { trend: errorRate.trend, changePercent: errorRate.changePercent, current: errorRate.current, baseline: errorRate.baseline },
    throughput: { trend: throughput.trend, changePercent: throughput.changePercent, currentRps: throughput.currentRps, baselineRps: throughput.baselineRps },
  };
}

export function presentServiceMap({ services, edges }: ServiceMap): Shown<typeof schemas.ServiceMap> {
  return {
    services: services.map(({ name, type, requestCount, errorRate }) => ({ name, type, requestCount, errorRate })),
    edges: edges.map(({ source, target, requestCount, errorRate, avgLatencyMs }) => ({ source, target, requestCount, errorRate, avgLatencyMs })),
  };
}

export function presentTimeline(events: readonly TimelineEvent[]): Shown<typeof schemas.Timeline> {
  return { events: events.map(({ timestamp, type, description, severity, serviceName }) => ({ timestamp: iso(timestamp), type, description, severity, serviceName })) };
}

export function presentServiceDetail(detail: ServiceDetail): Shown<typeof schemas.ServiceDetail> {
  const { serviceName, status, apdex, errorRate, requestCount, p50LatencyMs, endpoints, topErrors, dependencies } = detail;
  return {
    serviceName, status, apdex, errorRate, requestCount, p50LatencyMs,
    endpoints: endpoints.map(({ operation, requestCount, errorRate, avgLatencyMs, p50LatencyMs, p95LatencyMs }) => ({ operation, requestCount, errorRate, avgLatencyMs, p50LatencyMs, p95LatencyMs })),
    topErrors: topErrors.map(({ exceptionType, message, count, percentage }) => ({ exceptionType, message, count, percentage })),
    dependencies: dependencies.map(({ name, status, errorRate, avgLatencyMs }) => ({ name, status, errorRate, avgLatencyMs })),
  };
}

export function presentSlowestEndpoints(endpoints: readonly SlowEndpoint[]): Shown<typeof schemas.SlowEndpoints> {
  return {
    endpoints: endpoints.map(({ rank, serviceName, operation, avgLatencyMs, p95LatencyMs, p99LatencyMs, requestCount, errorRate }) => ({
      rank, serviceName, operation, avgLatencyMs, p95LatencyMs, p99LatencyMs, requestCount, errorRate,
    })),
  };
}

export function presentChanges(changes: readonly Change[]): Shown<typeof schemas.Changes> {
  return { changes: changes.map(presentChange) };
}

/** Versions are of deployments, and a description of all others: what does not apply is left out, as in the spec's table. */
function presentChange({ type, serviceName, detectedAt, previousVersion, currentVersion, description, performanceImpact }: Change): Shown<typeof schemas.Change> {
  const { latencyChange, errorRateChange, assessment } = performanceImpact;
  return {
    type, serviceName, detectedAt: iso(detectedAt),
    ...(type === 'deployment' ? { previousVersion, currentVersion } : { description }),
    performanceImpact: { latencyChange, errorRateChange, assessment },
  };
}

export function presentComparison({ baseline, current, deltas, regressions }: Comparison): Shown<typeof comparison.Comparison> {
  const delta = ({ absolute, percent }: Comparison['deltas']['apdex']): Shown<typeof comparison.Delta> => ({ absolute, percent });
  return {
    baseline: presentFigures(baseline),
    current: presentFigures(current),
    deltas: {
      avgLatencyMs: delta(deltas.avgLatencyMs), p95LatencyMs: delta(deltas.p95LatencyMs), errorRate: delta(deltas.errorRate),
      throughputRps: delta(deltas.throughputRps), apdex: delta(deltas.apdex),
    },
    regressions: regressions.map(({ serviceName, metric, baselineValue, currentValue, changePercent }) => ({ serviceName, metric, baselineValue, currentValue, changePercent })),
  };
}

/** Topic by topic, what the operation of the same name answers. */
const PRESENTERS: Readonly<Record<LiveTopic, (answer: never) => object>> = {
  'health': presentHealth,
  'alerts': presentAlerts,
  'diagnosis': presentDiagnoses,
  'pressure': presentPressure,
  'trends': presentTrends,
  'services': presentServiceMap,
  'timeline': presentTimeline,
  'slowest-endpoints': presentSlowestEndpoints,
  'changes': presentChanges,
};

/** Diagnostics that can be streamed. */
export const STREAMED_TOPICS = Object.keys(PRESENTERS) as readonly LiveTopic[];

/** `answer` is what a live document of this topic holds. */
export function presentLive(topic: LiveTopic, answer: object): object {
  return PRESENTERS[topic](answer as never);
}

function presentFigures({ rangeStart, rangeEnd, avgLatencyMs, p95LatencyMs, errorRate, throughputRps, apdex }: WindowFigures): Shown<typeof comparison.WindowFigures> {
  return { rangeStart: iso(rangeStart), rangeEnd: iso(rangeEnd), avgLatencyMs, p95LatencyMs, errorRate, throughputRps, apdex };
}
