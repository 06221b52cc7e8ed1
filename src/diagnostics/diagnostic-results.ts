/**
 * What the diagnostics answer, as plain data. Times are ms since 1970, the face turns them into ISO strings; everything else
 * is as the API says, rounded already: rates and changes to 2 decimals, latencies to 2, apdex to 3.
 */

export type ServiceStatus = 'healthy' | 'degraded';
export type Severity = 'info' | 'warning' | 'critical';
export type Trend = 'increasing' | 'decreasing' | 'stable';

export interface Health {
  readonly overallStatus: ServiceStatus;
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
  /** Chance that it is the cause, as fitted to recorded faults (docs/diagnosis.md), 0 to 1, 2 decimals. */
  readonly confidence: number;
  readonly severity: Severity;
  /** Services that suffer without being the culprit, those hit hardest first. */
  readonly affectedServices: readonly string[];
  /** Sentences with figures, the strongest first. */
  readonly evidence: readonly string[];
  /** Start of the minute in which it began, ms. */
  readonly firstDetected: number;
  readonly impactedTraceCount: number;
  /** The culprit: a service, or a virtual node that services call; null for `inconclusive`. */
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
  /** Absolute; 0 where it is not known. */
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
  /** `deployment`, `scaling`, `new_service`, `new_endpoint`, `anomaly`, `alert`, `overflow`. */
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
  /** Of all entry spans; no part of the API as it was given, like that of the endpoints. */
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

export interface Change {
  readonly type: 'deployment' | 'scaling' | 'new_service' | 'new_endpoint';
  readonly serviceName: string;
  readonly detectedAt: number;
  /** Of deployments; "" for others. */
  readonly previousVersion: string;
  readonly currentVersion: string;
  /** Of all but deployments, which may leave it "". */
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

/** Something that began at a moment: an unusual rate, error rate or latency of one service. */
export interface Anomaly {
  readonly serviceName: string;
  readonly metric: 'rate' | 'errors' | 'latency';
  /** First unusual minute (ms), and the last one. */
  readonly fromMs: number;
  readonly untilMs: number;
  /** It began at some time of so many ms from `fromMs`: a minute, or an hour. */
  readonly stretchMs: number;
  readonly before: number;
  readonly after: number;
  readonly severity: Severity;
  readonly description: string;
}

/** The mildest first. */
export const SEVERITIES = ['info', 'warning', 'critical'] as const satisfies readonly Severity[];

/** Negative where `a` is the milder one. */
export function compareSeverities(a: Severity, b: Severity): number {
  return SEVERITIES.indexOf(a) - SEVERITIES.indexOf(b);
}

export function isMoreSevere(severity: Severity, than: Severity): boolean {
  return compareSeverities(severity, than) > 0;
}
