/**
 * Results of the diagnostics as plain data. Times are ms since 1970, converted to ISO strings by the API layer;
 * everything else is already as the API returns it, including rounding: rates, changes and latencies to 2 decimals,
 * apdex to 3.
 */

export type ServiceStatus = 'healthy' | 'degraded';
/** `unknown`: no service is listed, so that nothing can be judged. */
export type OverallStatus = ServiceStatus | 'unknown';
export type Severity = 'info' | 'warning' | 'critical';
export type Trend = 'increasing' | 'decreasing' | 'stable';

export interface Health {
  readonly overallStatus: OverallStatus;
  readonly timestamp: number;
  readonly services: readonly ServiceHealth[];
}

export interface ServiceHealth {
  readonly serviceName: string;
  readonly status: ServiceStatus;
  readonly errorRate: number;
  readonly apdex: number;
  readonly requestCount: number;
  readonly avgLatencyMs: number;
}

export interface Alert {
  readonly id: string;
  readonly ruleName: string;
  readonly severity: Severity;
  readonly serviceName: string;
  readonly condition: string;
  readonly currentValue: number;
  readonly triggeredAt: number;
  readonly status: 'firing' | 'resolved';
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

export interface ServiceMap {
  readonly services: readonly {
    readonly name: string;
    readonly type: string;
    readonly requestCount: number;
    readonly errorRate: number;
  }[];
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

export interface ServiceDetail {
  readonly serviceName: string;
  readonly status: ServiceStatus;
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
  readonly dependencies: readonly {
    readonly name: string;
    readonly status: ServiceStatus;
    readonly errorRate: number;
    readonly avgLatencyMs: number;
  }[];
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
