import type {
  Alert,
  Change,
  Diagnosis,
  PressurePoint,
  ServiceDetail,
  ServiceHealth,
  ServiceMap,
  SlowEndpoint,
  TimelineEvent,
  Trends,
} from '../../../src/diagnostics/diagnostic-results.js';
import type { AlertRule } from '../../../src/diagnostics/alerting/alert-rule-model.js';
import type { LogEntry, SpanSummary } from '../../../src/queries/telemetry/telemetry-query-types.js';
import type { ListedChart, ListedDashboard, ListedMetric } from '../../../src/queries/charts/chart-query-types.js';
import type { ChartPoint } from '../../../src/diagnostics/chart-series/chart-series.js';

/** A Friday afternoon, UTC. */
export const NOW = Date.UTC(2026, 10, 20, 14, 37);
export const at = (hour: number, minute: number, day = 20): number => Date.UTC(2026, 10, day, hour, minute);

export const TRACE = '5b8aa5a2d2c872e8321cf37308d69df2';
export const SPAN = '5fb397be34d26b51';

/** All telemetry of the test's Grid; tests change what they need. */
export interface Shop {
  readonly health: readonly ServiceHealth[];
  readonly alerts: readonly Alert[];
  readonly diagnoses: readonly Diagnosis[];
  readonly pressure: readonly PressurePoint[];
  readonly trends: Trends;
  readonly map: ServiceMap;
  readonly timeline: readonly TimelineEvent[];
  readonly details: readonly ServiceDetail[];
  readonly slowest: readonly SlowEndpoint[];
  readonly changes: readonly Change[];
  readonly rules: readonly AlertRule[];
  readonly spans: readonly SpanSummary[];
  readonly logs: readonly LogEntry[];
  readonly metrics: readonly ListedMetric[];
  readonly charts: readonly ListedChart[];
  readonly points: readonly ChartPoint[];
  readonly dashboards: readonly ListedDashboard[];
  readonly energy: number;
  readonly promptsUsed: number;
}

const service = (
  serviceName: string,
  errorRate: number,
  apdex: number,
  avgLatencyMs: number,
  requestCount: number,
): ServiceHealth => ({
  serviceName,
  status: errorRate >= 5 || apdex < 0.7 ? 'degraded' : 'healthy',
  recentStatus: requestCount === 0 ? 'unknown' : errorRate >= 5 || apdex < 0.7 ? 'degraded' : 'healthy',
  errorRate,
  apdex,
  requestCount,
  avgLatencyMs,
});

const detail = (of: ServiceHealth, operations: readonly string[], exception?: string): ServiceDetail => ({
  serviceName: of.serviceName,
  status: of.status,
  recentStatus: of.recentStatus,
  apdex: of.apdex,
  errorRate: of.errorRate,
  requestCount: of.requestCount,
  p50LatencyMs: of.avgLatencyMs / 2,
  endpoints: operations.map((operation, i) => ({
    operation,
    requestCount: of.requestCount - i,
    errorRate: of.errorRate,
    avgLatencyMs: of.avgLatencyMs + i,
    p50LatencyMs: of.avgLatencyMs / 2 + i,
    p95LatencyMs: of.avgLatencyMs * 2 + i,
  })),
  topErrors:
    exception === undefined ? [] : [{ exceptionType: exception, message: 'no funds', count: 71, percentage: 83.53 }],
  dependencies: [],
});

const HEALTH: readonly ServiceHealth[] = [
  service('checkout-service', 8.5, 0.652, 812.4, 1204),
  service('payment', 7.25, 0.71, 640.12, 980),
  service('frontend', 2.1, 0.881, 320.5, 4100),
  service('orders-api', 0, 0.99, 21.75, 2300),
  service('orders-worker', 0.4, 0.97, 55, 2290),
  service('shippingService', 0, 1, 12.5, 640),
];

const span = (
  traceId: string,
  serviceName: string,
  operationName: string,
  durationMs: number,
  status: 'OK' | 'ERROR',
  startMs: number,
): SpanSummary => ({
  traceId,
  spanId: traceId.slice(0, 16),
  parentSpanId: null,
  serviceName,
  operationName,
  spanKind: 'SERVER',
  status,
  start: BigInt(startMs) * 1_000_000n,
  end: BigInt(startMs + durationMs) * 1_000_000n,
  durationMs,
});

const log = (serviceName: string, severityLevel: LogEntry['severityLevel'], body: string, ms: number): LogEntry => ({
  id: `${serviceName}-${ms}`,
  time: BigInt(ms) * 1_000_000n,
  severityLevel,
  severityNumber: 17,
  body,
  serviceName,
  traceId: TRACE,
  spanId: SPAN,
  attributes: {},
});

const change = (
  type: Change['type'],
  serviceName: string,
  detectedAt: number,
  versions: readonly [string, string],
  description = '',
): Change => ({
  type,
  serviceName,
  detectedAt,
  previousVersion: versions[0],
  currentVersion: versions[1],
  description,
  performanceImpact: { latencyChange: '+145%', errorRateChange: '+320%', assessment: 'negative' },
});

const chart = (id: string, title: string, metric: string, serviceName: string): ListedChart => ({
  id,
  title,
  metric,
  serviceName,
  chartType: 'line',
  groupBy: '',
  aggregation: '',
  unit: '',
  createdAt: NOW,
  updatedAt: NOW,
  builtIn: true,
});

export const SHOP: Shop = {
  health: HEALTH,
  alerts: [
    {
      id: 'a-1',
      ruleName: 'High error rate',
      severity: 'critical',
      serviceName: 'checkout-service',
      condition: 'error_rate > 5%',
      currentValue: 8.5,
      triggeredAt: at(14, 12),
      status: 'firing',
    },
  ],
  diagnoses: [
    {
      cause: 'payment answers slowly since its deployment of 2.4.0',
      confidence: 0.91,
      severity: 'critical',
      affectedServices: ['checkout-service', 'frontend'],
      evidence: ['p95 of payment rose from 80 ms to 900 ms.', '71 of 85 exceptions are CardDeclined.'],
      firstDetected: at(14, 9),
      impactedTraceCount: 412,
      serviceName: 'payment',
      kind: 'deployment',
      sampleTraceIds: [TRACE],
    },
  ],
  pressure: [
    {
      type: 'connection_pool',
      serviceName: 'payment',
      resource: 'orders-db',
      utilization: 98.5,
      capacity: 100,
      queueDepth: 12,
      severity: 'critical',
      detectedAt: at(14, 20),
    },
  ],
  trends: {
    latency: {
      trend: 'increasing',
      changePercent: 45.2,
      current: { p50: 101.5, p95: 402.25, p99: 900 },
      baseline: { p50: 70, p95: 277, p99: 600.5 },
    },
    errorRate: { trend: 'stable', changePercent: 1.5, current: 2.03, baseline: 2 },
    throughput: { trend: 'decreasing', changePercent: -12.5, currentRps: 7.25, baselineRps: 8.29 },
  },
  map: {
    services: HEALTH.map(({ serviceName, requestCount, errorRate, status, recentStatus }) => ({
      status,
      recentStatus,
      name: serviceName,
      type: 'SERVER',
      requestCount,
      errorRate,
    })),
    edges: [
      { source: 'frontend', target: 'checkout-service', requestCount: 1204, errorRate: 8.5, avgLatencyMs: 815.5 },
      { source: 'checkout-service', target: 'payment', requestCount: 980, errorRate: 7.25, avgLatencyMs: 642 },
      { source: 'checkout-service', target: 'orders-api', requestCount: 1100, errorRate: 0, avgLatencyMs: 22 },
      { source: 'orders-api', target: 'orders-db', requestCount: 5200, errorRate: 0.1, avgLatencyMs: 4.25 },
      { source: 'orders-worker', target: 'orders-db', requestCount: 2290, errorRate: 0, avgLatencyMs: 3.5 },
    ],
  },
  timeline: [
    {
      timestamp: at(14, 5),
      type: 'deployment',
      description: 'payment 2.4.0 deployed',
      severity: 'info',
      serviceName: 'payment',
    },
    {
      timestamp: at(14, 9),
      type: 'anomaly',
      description: 'Latency of payment rose to 640 ms',
      severity: 'critical',
      serviceName: 'payment',
    },
  ],
  details: [
    detail(HEALTH[0], ['POST /checkout', 'GET /cart/{id}'], 'PaymentFailed'),
    detail(HEALTH[1], ['POST /charge'], 'CardDeclined'),
    ...HEALTH.slice(2).map((each) => detail(each, [`GET /${each.serviceName}`])),
  ],
  slowest: [
    {
      rank: 1,
      serviceName: 'checkout-service',
      operation: 'POST /checkout',
      avgLatencyMs: 812.4,
      p95LatencyMs: 1480,
      p99LatencyMs: 2210.5,
      requestCount: 1204,
      errorRate: 8.5,
    },
    {
      rank: 2,
      serviceName: 'payment',
      operation: 'POST /charge',
      avgLatencyMs: 640.12,
      p95LatencyMs: 905,
      p99LatencyMs: 1410,
      requestCount: 980,
      errorRate: 7.25,
    },
  ],
  changes: [
    change('deployment', 'payment', at(14, 5), ['2.3.9', '2.4.0']),
    change('scaling', 'frontend', at(13, 20), ['', ''], 'Instance count changed from 3 to 5'),
    change('deployment', 'checkout-service', at(9, 0, 19), ['1.8.2', '1.8.3']),
  ],
  rules: [
    {
      id: 'r-1',
      name: 'High error rate',
      metric: 'error_rate',
      operator: '>',
      threshold: 5,
      severity: 'warning',
      criticalThreshold: 10,
      windowMinutes: 15,
      forMinutes: 0,
      minRequests: 20,
      enabled: true,
    },
  ],
  spans: [
    span(TRACE, 'payment', 'POST /charge', 2040, 'ERROR', at(14, 35)),
    span('a'.repeat(32), 'checkout-service', 'POST /checkout', 2100, 'ERROR', at(14, 34)),
    span('b'.repeat(32), 'frontend', 'GET /', 120, 'OK', at(14, 33)),
    span('c'.repeat(32), 'payment', 'POST /charge', 80, 'OK', at(13, 10)),
  ],
  logs: [
    log('payment', 'Error', 'card declined: no funds', at(14, 35)),
    log('payment', 'Warning', 'retrying charge', at(14, 34)),
    log('frontend', 'Information', 'page served', at(14, 33)),
  ],
  metrics: [
    {
      name: 'process.memory.usage',
      unit: 'By',
      type: 'gauge',
      monotonic: false,
      services: ['payment', 'frontend'],
      attributeKeys: [],
      seriesCount: 4,
    },
  ],
  charts: [
    chart('c1', 'payment · Memory', 'process.memory.usage', 'payment'),
    chart('c2', 'payment · Latency', 'latency', 'payment'),
    chart('c3', 'frontend · Memory', 'process.memory.usage', 'frontend'),
  ],
  points: [
    { atMs: at(14, 0), value: 512.5 },
    { atMs: at(14, 30), value: 640.25 },
  ],
  dashboards: [
    {
      id: 'd1',
      title: 'payment',
      description: 'What payment serves',
      builtIn: true,
      createdAt: NOW,
      updatedAt: NOW,
      charts: [],
    },
  ],
  energy: 73,
  promptsUsed: 12,
};
