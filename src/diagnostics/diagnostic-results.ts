/**
 * Results of the diagnostics as plain data. Times are ms since 1970, converted to ISO strings by the API layer;
 * everything else is already as the API returns it, including rounding: rates, changes and latencies to 2 decimals,
 * apdex to 3.
 */

import type { AlertSubject } from './alerting/alert-subject.js';

export type ServiceStatus = 'healthy' | 'degraded';
/** `unknown`: no service is listed, so that nothing can be judged. */
export type OverallStatus = ServiceStatus | 'unknown';
/** Of the recent minutes; `unknown`: no requests. */
export type RecentStatus = 'healthy' | 'degraded' | 'recovering' | 'unknown';
export type Severity = 'info' | 'warning' | 'critical';
export type Trend = 'increasing' | 'decreasing' | 'stable';

/** A diagnosis that names a service or dependency as its cause. */
export type CauseReference = Pick<Diagnosis, 'cause' | 'kind' | 'severity' | 'confidence' | 'firstDetected'>;

/** Status of a service or dependency over the window, in the recent minutes, and by the diagnosis. */
export interface CurrentState {
  readonly status: ServiceStatus;
  readonly recentStatus: RecentStatus;
  /** The worst current diagnosis, then the likeliest; absent: it is not the cause of any. */
  readonly causeOf?: CauseReference;
}

export interface Health {
  readonly overallStatus: OverallStatus;
  /** The worst of the services. */
  readonly recentStatus: RecentStatus;
  readonly timestamp: number;
  readonly services: readonly ServiceHealth[];
}

export interface ServiceHealth extends CurrentState {
  readonly serviceName: string;
  readonly errorRate: number;
  readonly apdex: number;
  readonly requestCount: number;
  readonly avgLatencyMs: number;
}

export interface Alert extends AlertSubject {
  readonly id: string;
  readonly ruleName: string;
  readonly severity: Severity;
  readonly condition: string;
  readonly currentValue: number;
  readonly triggeredAt: number;
  readonly status: 'firing' | 'resolved';
  /** Who takes care of it, and since when; absent: nobody. */
  readonly acknowledgedBy?: string;
  readonly acknowledgedAt?: number;
}

export type DiagnosisKind =
  'latency' | 'errors' | 'network' | 'saturation' | 'deployment' | 'traffic' | 'dependency' | 'inconclusive';

export interface Diagnosis {
  readonly cause: string;
  /** Probability of being the cause, calibrated on recorded faults (docs/diagnosis.md), 0 to 1, 2 decimals. */
  readonly confidence: number;
  readonly severity: Severity;
  /** Affected services other than the cause itself, most affected first. */
  readonly affectedServices: readonly string[];
  /** Sentences with figures, strongest evidence first. */
  readonly evidence: readonly string[];
  /** Start of the minute in which the fault began, ms. */
  readonly firstDetected: number;
  /** Start of the minute from which on the fault is over, ms; absent while it lasts. */
  readonly recoveredAt?: number;
  readonly impactedTraceCount: number;
  /** Root-cause service, or virtual node called by services; null for `inconclusive`. */
  readonly serviceName: string | null;
  readonly kind: DiagnosisKind;
  readonly sampleTraceIds: readonly string[];
}

export interface PressurePoint {
  /** `connection_pool`, `thread_pool`, `queue`, `event_loop`, `cpu`, `memory`. */
  readonly type: string;
  readonly serviceName: string;
  readonly resource: string;
  /** Percent. */
  readonly utilization: number;
  /** Absolute; 0 if unknown. */
  readonly capacity: number;
  readonly queueDepth: number;
  readonly severity: Severity;
  readonly detectedAt: number;
}

export interface Percentiles {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

export interface Trends {
  readonly latency: {
    readonly trend: Trend;
    readonly changePercent: number;
    readonly current: Percentiles;
    readonly baseline: Percentiles;
  };
  readonly errorRate: {
    readonly trend: Trend;
    readonly changePercent: number;
    readonly current: number;
    readonly baseline: number;
  };
  readonly throughput: {
    readonly trend: Trend;
    readonly changePercent: number;
    readonly currentRps: number;
    readonly baselineRps: number;
  };
}

/** A service on the map. */
export interface MappedService extends CurrentState {
  readonly name: string;
  readonly type: string;
  readonly requestCount: number;
  readonly errorRate: number;
}

export interface ServiceMap {
  readonly services: readonly MappedService[];
  readonly edges: readonly {
    readonly source: string;
    readonly target: string;
    readonly requestCount: number;
    readonly errorRate: number;
    readonly avgLatencyMs: number;
  }[];
}

export interface TimelineEvent {
  readonly timestamp: number;
  /** One of CHANGE_TYPES, `anomaly`, `alert` or `overflow`. */
  readonly type: string;
  readonly description: string;
  readonly severity: Severity;
  readonly serviceName: string;
}

/** A service or dependency that a service calls, as far as these calls show. */
export interface Dependency extends CurrentState {
  readonly name: string;
  readonly errorRate: number;
  readonly avgLatencyMs: number;
}

export interface ServiceDetail extends CurrentState {
  readonly serviceName: string;
  readonly apdex: number;
  readonly errorRate: number;
  readonly requestCount: number;
  /** Median over all entry spans; like that of the endpoints, an addition to the API as specified. */
  readonly p50LatencyMs: number;
  readonly endpoints: readonly {
    readonly operation: string;
    readonly requestCount: number;
    readonly errorRate: number;
    readonly avgLatencyMs: number;
    readonly p50LatencyMs: number;
    readonly p95LatencyMs: number;
  }[];
  readonly topErrors: readonly {
    readonly exceptionType: string;
    readonly message: string;
    readonly count: number;
    readonly percentage: number;
  }[];
  readonly dependencies: readonly Dependency[];
}

export interface SlowEndpoint {
  readonly rank: number;
  readonly serviceName: string;
  readonly operation: string;
  readonly avgLatencyMs: number;
  readonly p95LatencyMs: number;
  readonly p99LatencyMs: number;
  readonly requestCount: number;
  readonly errorRate: number;
}

/** Causes before effects. */
export const CHANGE_TYPES = [
  'deployment',
  'scaling',
  'eviction',
  'restart',
  'probe_failure',
  'new_service',
  'new_endpoint',
] as const;

export interface Change {
  readonly type: (typeof CHANGE_TYPES)[number];
  readonly serviceName: string;
  readonly detectedAt: number;
  /** Of deployments; "" for other types. */
  readonly previousVersion: string;
  readonly currentVersion: string;
  /** Empty for deployments if there is nothing to add. */
  readonly description: string;
  readonly performanceImpact: {
    readonly latencyChange: string;
    readonly errorRateChange: string;
    /** Error rate afterwards; only if no request failed before, because there is no percentage of zero. */
    readonly newErrorRate?: number;
    readonly assessment: 'positive' | 'negative' | 'neutral';
  };
}

export interface WindowFigures {
  readonly rangeStart: number;
  readonly rangeEnd: number;
  readonly avgLatencyMs: number;
  readonly p95LatencyMs: number;
  readonly errorRate: number;
  readonly throughputRps: number;
  readonly apdex: number;
}

export type ComparedMetric = 'avgLatencyMs' | 'p95LatencyMs' | 'errorRate' | 'throughputRps' | 'apdex';

export interface Comparison {
  readonly baseline: WindowFigures;
  readonly current: WindowFigures;
  readonly deltas: Readonly<Record<ComparedMetric, { readonly absolute: number; readonly percent: number }>>;
  readonly regressions: readonly {
    readonly serviceName: string;
    readonly metric: string;
    readonly baselineValue: number;
    readonly currentValue: number;
    readonly changePercent: number;
  }[];
}

/** An unusual rate, error rate or latency of one service, with its start. */
export interface Anomaly {
  readonly serviceName: string;
  readonly metric: 'rate' | 'errors' | 'latency';
  /** First and last unusual minute, ms. */
  readonly fromMs: number;
  readonly untilMs: number;
  /** Precision of the start: it lies within this many ms after `fromMs`, a minute or an hour. */
  readonly stretchMs: number;
  readonly before: number;
  readonly after: number;
  readonly severity: Severity;
  readonly description: string;
}

/** Ascending. */
export const SEVERITIES = ['info', 'warning', 'critical'] as const satisfies readonly Severity[];

/** Negative if `a` is less severe, positive if `b` is. */
export function compareSeverities(a: Severity, b: Severity): number {
  return SEVERITIES.indexOf(a) - SEVERITIES.indexOf(b);
}

export function isMoreSevere(severity: Severity, than: Severity): boolean {
  return compareSeverities(severity, than) > 0;
}
