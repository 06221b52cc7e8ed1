import type {
  Alert,
  Change,
  Comparison,
  CurrentState,
  Diagnosis,
  Health,
  PressurePoint,
  ServiceDetail,
  ServiceMap,
  SlowEndpoint,
  TimelineEvent,
  Trends,
  WindowFigures,
} from '../../diagnostics/diagnostic-results.js';
import type { LiveTopic } from '../../read-models/documents/live-diagnostics-documents.js';
import type * as comparison from '../schemas/diagnostics-schemas.js';
import type { Alerts } from '../schemas/alert-schemas.js';
import type * as schemas from '../schemas/diagnostics-schemas.js';
import type { ResponseBody } from '../schemas/schema-builders.js';
import { formatTimestamp } from './value-conversions.js';

/** Diagnostics with the fields of the API specification, in its order. Values are already rounded. */

export function presentHealth({
  overallStatus,
  recentStatus,
  timestamp,
  services,
}: Health): ResponseBody<typeof schemas.Health> {
  return {
    overallStatus,
    timestamp: formatTimestamp(timestamp),
    services: services.map((service) => {
      const { serviceName, status, errorRate, apdex, requestCount, avgLatencyMs } = service;
      return { serviceName, status, errorRate, apdex, requestCount, avgLatencyMs, ...presentRecentState(service) };
    }),
    recentStatus,
  };
}

/** Extensions of everything that has a status. */
function presentRecentState({ recentStatus, causeOf }: CurrentState): ResponseBody<typeof schemas.RecentState> {
  if (causeOf === undefined) return { recentStatus };
  const { cause, kind, severity, confidence, firstDetected } = causeOf;
  return {
    recentStatus,
    causeOf: { cause, kind, severity, confidence, firstDetected: formatTimestamp(firstDetected) },
  };
}

export function presentAlerts(alerts: readonly Alert[]): ResponseBody<typeof Alerts> {
  return {
    alerts: alerts.map(({ acknowledgedBy, acknowledgedAt, ...alert }) => ({
      ...presentAlert(alert),
      ...(acknowledgedBy !== undefined && { acknowledgedBy }),
      ...(acknowledgedAt !== undefined && { acknowledgedAt: formatTimestamp(acknowledgedAt) }),
    })),
  };
}

function presentAlert(alert: Alert) {
  const { id, ruleName, severity, serviceName, labels, condition, currentValue, triggeredAt, status } = alert;
  return {
    id,
    ruleName,
    severity,
    serviceName,
    ...(labels !== undefined && { labels }),
    condition,
    currentValue,
    triggeredAt: formatTimestamp(triggeredAt),
    status,
  };
}

/** The fields after `impactedTraceCount` are extensions (API contract, section 5). */
export function presentDiagnoses(diagnoses: readonly Diagnosis[]): ResponseBody<typeof schemas.Diagnoses> {
  return {
    diagnoses: diagnoses.map(
      ({
        cause,
        confidence,
        severity,
        affectedServices,
        evidence,
        firstDetected,
        impactedTraceCount,
        serviceName,
        kind,
        sampleTraceIds,
        recoveredAt,
      }) => ({
        cause,
        confidence,
        severity,
        affectedServices,
        evidence,
        firstDetected: formatTimestamp(firstDetected),
        impactedTraceCount,
        serviceName,
        kind,
        sampleTraceIds,
        ...(recoveredAt !== undefined && { recoveredAt: formatTimestamp(recoveredAt) }),
      }),
    ),
  };
}

export function presentPressurePoints(points: readonly PressurePoint[]): ResponseBody<typeof schemas.PressurePoints> {
  return {
    pressurePoints: points.map(
      ({ type, serviceName, resource, utilization, capacity, queueDepth, severity, detectedAt }) => ({
        type,
        serviceName,
        resource,
        utilization,
        capacity,
        queueDepth,
        severity,
        detectedAt: formatTimestamp(detectedAt),
      }),
    ),
  };
}

export function presentTrends({ latency, errorRate, throughput }: Trends): ResponseBody<typeof schemas.Trends> {
  const percentiles = ({ p50, p95, p99 }: Trends['latency']['current']): ResponseBody<typeof schemas.Percentiles> => ({
    p50,
    p95,
    p99,
  });
  return {
    latency: {
      trend: latency.trend,
      changePercent: latency.changePercent,
      current: percentiles(latency.current),
      baseline: percentiles(latency.baseline),
    },
    errorRate: {
      trend: errorRate.trend,
      changePercent: errorRate.changePercent,
      current: errorRate.current,
      baseline: errorRate.baseline,
    },
    throughput: {
      trend: throughput.trend,
      changePercent: throughput.changePercent,
      currentRps: throughput.currentRps,
      baselineRps: throughput.baselineRps,
    },
  };
}

export function presentServiceMap({ services, edges }: ServiceMap): ResponseBody<typeof schemas.ServiceMap> {
  return {
    services: services.map((service) => {
      const { name, type, requestCount, errorRate, status } = service;
      return { name, type, requestCount, errorRate, status, ...presentRecentState(service) };
    }),
    edges: edges.map(({ source, target, requestCount, errorRate, avgLatencyMs }) => ({
      source,
      target,
      requestCount,
      errorRate,
      avgLatencyMs,
    })),
  };
}

export function presentTimeline(events: readonly TimelineEvent[]): ResponseBody<typeof schemas.Timeline> {
  return {
    events: events.map(({ timestamp, type, description, severity, serviceName }) => ({
      timestamp: formatTimestamp(timestamp),
      type,
      description,
      severity,
      serviceName,
    })),
  };
}

export function presentServiceDetail(detail: ServiceDetail): ResponseBody<typeof schemas.ServiceDetail> {
  const { serviceName, status, apdex, errorRate, requestCount, p50LatencyMs, endpoints, topErrors, dependencies } =
    detail;
  return {
    serviceName,
    status,
    apdex,
    errorRate,
    requestCount,
    p50LatencyMs,
    endpoints: endpoints.map(({ operation, requestCount, errorRate, avgLatencyMs, p50LatencyMs, p95LatencyMs }) => ({
      operation,
      requestCount,
      errorRate,
      avgLatencyMs,
      p50LatencyMs,
      p95LatencyMs,
    })),
    topErrors: topErrors.map(({ exceptionType, message, count, percentage }) => ({
      exceptionType,
      message,
      count,
      percentage,
    })),
    dependencies: dependencies.map((dependency) => {
      const { name, status, errorRate, avgLatencyMs } = dependency;
      return { name, status, errorRate, avgLatencyMs, ...presentRecentState(dependency) };
    }),
    ...presentRecentState(detail),
  };
}

export function presentSlowestEndpoints(
  endpoints: readonly SlowEndpoint[],
): ResponseBody<typeof schemas.SlowEndpoints> {
  return {
    endpoints: endpoints.map(
      ({ rank, serviceName, operation, avgLatencyMs, p95LatencyMs, p99LatencyMs, requestCount, errorRate }) => ({
        rank,
        serviceName,
        operation,
        avgLatencyMs,
        p95LatencyMs,
        p99LatencyMs,
        requestCount,
        errorRate,
      }),
    ),
  };
}

export function presentChanges(changes: readonly Change[]): ResponseBody<typeof schemas.Changes> {
  return { changes: changes.map(presentChange) };
}

/** Deployments of a known version have versions, all other changes a description; fields that do not apply are omitted. */
export function presentChange({
  type,
  serviceName,
  detectedAt,
  previousVersion,
  currentVersion,
  description,
  performanceImpact,
}: Change): ResponseBody<typeof schemas.Change> {
  const { latencyChange, errorRateChange, newErrorRate, assessment } = performanceImpact;
  return {
    type,
    serviceName,
    detectedAt: formatTimestamp(detectedAt),
    ...(type === 'deployment' && currentVersion !== '' ? { previousVersion, currentVersion } : { description }),
    performanceImpact: {
      latencyChange,
      errorRateChange,
      assessment,
      ...(newErrorRate !== undefined && { newErrorRate }),
    },
  };
}

export function presentComparison({
  baseline,
  current,
  deltas,
  regressions,
}: Comparison): ResponseBody<typeof comparison.Comparison> {
  const delta = ({ absolute, percent }: Comparison['deltas']['apdex']): ResponseBody<typeof comparison.Delta> => ({
    absolute,
    percent,
  });
  return {
    baseline: presentWindowFigures(baseline),
    current: presentWindowFigures(current),
    deltas: {
      avgLatencyMs: delta(deltas.avgLatencyMs),
      p95LatencyMs: delta(deltas.p95LatencyMs),
      errorRate: delta(deltas.errorRate),
      throughputRps: delta(deltas.throughputRps),
      apdex: delta(deltas.apdex),
    },
    regressions: regressions.map(({ serviceName, metric, baselineValue, currentValue, changePercent }) => ({
      serviceName,
      metric,
      baselineValue,
      currentValue,
      changePercent,
    })),
  };
}

/** The presenter of each topic, the same as for the operation with that name. */
const PRESENTERS: Readonly<Record<LiveTopic, (answer: never) => object>> = {
  health: presentHealth,
  alerts: presentAlerts,
  diagnosis: presentDiagnoses,
  pressure: presentPressurePoints,
  trends: presentTrends,
  services: presentServiceMap,
  timeline: presentTimeline,
  'slowest-endpoints': presentSlowestEndpoints,
  changes: presentChanges,
};

/** Diagnostics that can be streamed, in the order of event ids. */
export const STREAMED_TOPICS = Object.keys(PRESENTERS) as readonly LiveTopic[];

/** @param answer content of a live document of this topic */
export function presentLiveTopic(topic: LiveTopic, answer: object): object {
  return PRESENTERS[topic](answer as never);
}

function presentWindowFigures({
  rangeStart,
  rangeEnd,
  avgLatencyMs,
  p95LatencyMs,
  errorRate,
  throughputRps,
  apdex,
}: WindowFigures): ResponseBody<typeof comparison.WindowFigures> {
  return {
    rangeStart: formatTimestamp(rangeStart),
    rangeEnd: formatTimestamp(rangeEnd),
    avgLatencyMs,
    p95LatencyMs,
    errorRate,
    throughputRps,
    apdex,
  };
}
