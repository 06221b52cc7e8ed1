import type { AlertRule, Backtest, RuleEvaluation } from '../../src/diagnostics/alerting/alert-rule-model.js';
import type {
  Alert,
  CauseReference,
  Change,
  Comparison,
  Diagnosis,
  Health,
  PressurePoint,
  ServiceDetail,
  ServiceMap,
  SlowEndpoint,
  TimelineEvent,
  Trends,
} from '../../src/diagnostics/diagnostic-results.js';
import type { TimeWindow, TimeSelection } from '../../src/diagnostics/time-windows.js';
import type { DiagnosticsQueries } from '../../src/queries/diagnostics/diagnostics-query-types.js';
import { RULE } from './fake-alert-rules.js';
import {
  liveDiagnosticsId,
  type LiveDiagnosticsDocument,
  type LiveTopic,
} from '../../src/read-models/documents/live-diagnostics-documents.js';
import { withInternalMember } from './internal-member.js';

const AT = Date.UTC(2026, 0, 1) + 123;

const CAUSE_OF: CauseReference = {
  cause: 'checkout: new errors or changed behaviour',
  kind: 'errors',
  severity: 'critical',
  confidence: 0.93,
  firstDetected: AT,
};

/** One result for every query and every Grid, with more members than specified; records queries. */
export class FakeDiagnostics implements DiagnosticsQueries {
  readonly asked: { readonly name: keyof DiagnosticsQueries; readonly with: readonly unknown[] }[] = [];
  /** Results of `liveDocument` by `liveDiagnosticsId`; set by tests. */
  readonly documents = new Map<string, LiveDiagnosticsDocument>();

  readonly detail: ServiceDetail = withInternalMember({
    serviceName: 'checkout',
    status: 'degraded',
    recentStatus: 'degraded',
    causeOf: withInternalMember(CAUSE_OF),
    apdex: 0.812,
    errorRate: 8.5,
    requestCount: 4820,
    p50LatencyMs: 210.5,
    endpoints: [
      withInternalMember({
        operation: 'POST /orders',
        requestCount: 4000,
        errorRate: 8.5,
        avgLatencyMs: 320.12,
        p50LatencyMs: 240.25,
        p95LatencyMs: 980,
      }),
    ],
    topErrors: [
      withInternalMember({ exceptionType: 'CardDeclined', message: 'no funds', count: 387, percentage: 94.46 }),
    ],
    dependencies: [
      withInternalMember({
        name: 'payment',
        status: 'healthy',
        recentStatus: 'healthy',
        errorRate: 0,
        avgLatencyMs: 40.5,
      }),
    ],
  });

  readonly change = {
    deployment: {
      type: 'deployment',
      serviceName: 'checkout',
      detectedAt: AT,
      previousVersion: '1.8.2',
      currentVersion: '1.8.3',
      description: '',
      performanceImpact: withInternalMember({
        latencyChange: '+145%',
        errorRateChange: '+320%',
        assessment: 'negative',
      }),
    },
    scaling: {
      type: 'scaling',
      serviceName: 'checkout',
      detectedAt: AT,
      previousVersion: '',
      currentVersion: '',
      description: 'Instance count changed from 3 to 5',
      performanceImpact: withInternalMember({ latencyChange: '-20%', errorRateChange: '+0%', assessment: 'positive' }),
    },
  } as const satisfies Record<string, Change>;

  health(...question: [string, TimeSelection]): Promise<Health> {
    const service = {
      serviceName: 'checkout',
      status: 'degraded',
      recentStatus: 'degraded',
      causeOf: withInternalMember(CAUSE_OF),
      errorRate: 8.5,
      apdex: 0.812,
      requestCount: 4820,
      avgLatencyMs: 320.12,
    } as const;
    return this.answer(
      'health',
      question,
      withInternalMember({
        overallStatus: 'degraded',
        recentStatus: 'degraded',
        timestamp: AT,
        services: [withInternalMember(service)],
      } as const),
    );
  }

  alerts(...question: [string, TimeSelection]): Promise<readonly Alert[]> {
    return this.answer('alerts', question, [
      withInternalMember({
        id: 'a-1',
        ruleName: 'High error rate',
        severity: 'critical',
        serviceName: 'checkout',
        condition: 'error_rate > 5%',
        currentValue: 8.5,
        triggeredAt: AT,
        status: 'firing',
      } as const),
    ]);
  }

  diagnosis(...question: [string, TimeSelection]): Promise<readonly Diagnosis[]> {
    return this.answer('diagnosis', question, [
      withInternalMember({
        cause: 'payment answers slowly',
        confidence: 0.91,
        severity: 'critical',
        affectedServices: ['checkout', 'payment'],
        evidence: ['p95 rose from 80 ms to 900 ms'],
        firstDetected: AT,
        impactedTraceCount: 412,
        serviceName: 'payment',
        kind: 'latency',
        sampleTraceIds: ['5b8aa5a2d2c872e8321cf37308d69df2'],
      } as const),
    ]);
  }

  pressure(...question: [string, TimeSelection]): Promise<readonly PressurePoint[]> {
    return this.answer('pressure', question, [
      withInternalMember({
        type: 'connection_pool',
        serviceName: 'payment',
        resource: 'orders-db',
        utilization: 98.5,
        capacity: 100,
        queueDepth: 12,
        severity: 'critical',
        detectedAt: AT,
      } as const),
    ]);
  }

  trends(...question: [string, TimeSelection]): Promise<Trends> {
    const percentiles = (p50: number) => withInternalMember({ p50, p95: p50 * 2, p99: p50 * 4 });
    return this.answer(
      'trends',
      question,
      withInternalMember({
        latency: withInternalMember({
          trend: 'increasing',
          changePercent: 45.2,
          current: percentiles(100),
          baseline: percentiles(70),
        } as const),
        errorRate: withInternalMember({ trend: 'stable', changePercent: 0, current: 2, baseline: 2 } as const),
        throughput: withInternalMember({
          trend: 'decreasing',
          changePercent: -12.5,
          currentRps: 7,
          baselineRps: 8,
        } as const),
      }),
    );
  }

  serviceMap(...question: [string, TimeSelection]): Promise<ServiceMap> {
    return this.answer(
      'serviceMap',
      question,
      withInternalMember({
        services: [
          withInternalMember({
            name: 'checkout',
            type: 'SERVER',
            requestCount: 4820,
            errorRate: 8.5,
            status: 'degraded',
            recentStatus: 'degraded',
            causeOf: withInternalMember(CAUSE_OF),
          } as const),
        ],
        edges: [
          withInternalMember({
            source: 'checkout',
            target: 'orders-db',
            requestCount: 9000,
            errorRate: 0.1,
            avgLatencyMs: 4.25,
          }),
        ],
      }),
    );
  }

  timeline(...question: [string, TimeSelection]): Promise<readonly TimelineEvent[]> {
    return this.answer('timeline', question, [
      withInternalMember({
        timestamp: AT,
        type: 'deployment',
        description: 'checkout 1.8.3 deployed',
        severity: 'info',
        serviceName: 'checkout',
      } as const),
    ]);
  }

  serviceDetail(...question: [string, string, TimeSelection]): Promise<ServiceDetail | undefined> {
    return this.answer(
      'serviceDetail',
      question,
      question[1] === 'unknown' ? undefined : { ...this.detail, serviceName: question[1] },
    );
  }

  slowestEndpoints(...question: [string, TimeSelection]): Promise<readonly SlowEndpoint[]> {
    return this.answer('slowestEndpoints', question, [
      withInternalMember({
        rank: 1,
        serviceName: 'checkout',
        operation: 'POST /orders',
        avgLatencyMs: 320.12,
        p95LatencyMs: 980,
        p99LatencyMs: 1500,
        requestCount: 4000,
        errorRate: 8.5,
      }),
    ]);
  }

  changes(...question: [string, TimeSelection]): Promise<readonly Change[]> {
    return this.answer('changes', question, [
      withInternalMember(this.change.deployment),
      withInternalMember(this.change.scaling),
    ]);
  }

  compare(...question: [string, TimeWindow, TimeWindow]): Promise<Comparison> {
    const figures = {
      rangeStart: AT,
      rangeEnd: AT + 60_000,
      avgLatencyMs: 100.5,
      p95LatencyMs: 250,
      errorRate: 1.25,
      throughputRps: 12.5,
      apdex: 0.95,
    };
    const delta = (absolute: number) => withInternalMember({ absolute, percent: absolute * 2 });
    return this.answer(
      'compare',
      question,
      withInternalMember({
        baseline: withInternalMember(figures),
        current: withInternalMember({ ...figures, apdex: 0.9 }),
        deltas: {
          avgLatencyMs: delta(1),
          p95LatencyMs: delta(2),
          errorRate: delta(3),
          throughputRps: delta(-4),
          apdex: delta(-0.05),
        },
        regressions: [
          withInternalMember({
            serviceName: 'checkout',
            metric: 'p95LatencyMs',
            baselineValue: 100,
            currentValue: 250,
            changePercent: 150,
          }),
        ],
      }),
    );
  }

  backtest(...question: [string, AlertRule, TimeWindow]): Promise<Backtest> {
    const missed = {
      id: 'a-1',
      ruleId: 'r-1',
      ruleName: 'Low Apdex',
      serviceName: 'checkout',
      condition: 'apdex < 0.7',
      severity: 'warning' as const,
      value: 0.61,
      firedAt: AT,
    };
    return this.answer(
      'backtest',
      question,
      withInternalMember({
        firings: [
          withInternalMember({ serviceName: 'checkout', firedAt: AT, resolvedAt: AT + 60_000, peakValue: 12.5 }),
          withInternalMember({ serviceName: 'payment', firedAt: AT, resolvedAt: null, peakValue: 7 }),
        ],
        perWeek: 14,
        missed: [withInternalMember({ ...missed, resolvedAt: AT + 90_000 }), withInternalMember(missed)],
      }),
    );
  }

  evaluations(gridId: string): Promise<readonly RuleEvaluation[]> {
    return this.answer('evaluations', [gridId], []);
  }

  gridsWithRecentTelemetry(): Promise<readonly string[]> {
    return this.answer('gridsWithRecentTelemetry', [], []);
  }

  recentDiagnosis(gridId: string): Promise<readonly Diagnosis[]> {
    return this.diagnosis(gridId, {});
  }

  alertRules(gridId: string): Promise<readonly AlertRule[]> {
    return this.answer('alertRules', [gridId], [withInternalMember(RULE)]);
  }

  liveDocument(gridId: string, topic: LiveTopic): Promise<LiveDiagnosticsDocument | undefined> {
    return this.answer('liveDocument', [gridId, topic], this.documents.get(liveDiagnosticsId(gridId, topic)));
  }

  /** Replaces the result of a topic and increments its version. */
  async refresh(gridId: string, topic: LiveTopic, answer: object): Promise<LiveDiagnosticsDocument> {
    const version = (this.documents.get(liveDiagnosticsId(gridId, topic))?.version ?? 0) + 1;
    const document = { gridId, topic, version, at: AT, answer };
    this.documents.set(liveDiagnosticsId(gridId, topic), document);
    return document;
  }

  private async answer<Answer>(
    name: keyof DiagnosticsQueries,
    question: readonly unknown[],
    answer: Answer,
  ): Promise<Answer> {
    this.asked.push({ name, with: question });
    return answer;
  }
}
