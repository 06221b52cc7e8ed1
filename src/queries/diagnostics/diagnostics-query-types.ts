import type {
  AlertRule,
  Backtest,
  MetricAlertRule,
  RuleEvaluation,
} from '../../diagnostics/alerting/alert-rule-model.js';
import type {
  Alert,
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
} from '../../diagnostics/diagnostic-results.js';
import type { TimeWindow, TimeSelection } from '../../diagnostics/time-windows.js';
import type { LiveDiagnosticsDocument, LiveTopic } from '../../read-models/documents/live-diagnostics-documents.js';

/** All diagnostics queries; the interface of the diagnostics thread. */
export interface DiagnosticsQueries {
  health(gridId: string, when: TimeSelection): Promise<Health>;
  alerts(gridId: string, when: TimeSelection): Promise<readonly Alert[]>;
  diagnosis(gridId: string, when: TimeSelection): Promise<readonly Diagnosis[]>;
  pressure(gridId: string, when: TimeSelection): Promise<readonly PressurePoint[]>;
  trends(gridId: string, when: TimeSelection): Promise<Trends>;
  serviceMap(gridId: string, when: TimeSelection): Promise<ServiceMap>;
  timeline(gridId: string, when: TimeSelection): Promise<readonly TimelineEvent[]>;
  /** Undefined if the service was never seen, or not before the selected time. */
  serviceDetail(gridId: string, serviceName: string, when: TimeSelection): Promise<ServiceDetail | undefined>;
  slowestEndpoints(gridId: string, when: TimeSelection): Promise<readonly SlowEndpoint[]>;
  changes(gridId: string, when: TimeSelection): Promise<readonly Change[]>;
  compare(gridId: string, current: TimeWindow, baseline: TimeWindow): Promise<Comparison>;
  backtest(gridId: string, rule: MetricAlertRule, range: TimeWindow): Promise<Backtest>;
  /** Evaluates all enabled rules on metrics for all services with data, as of now; empty for a Grid without recent data. */
  evaluations(gridId: string): Promise<readonly RuleEvaluation[]>;
  /**
   * Grids whose rollups changed or whose windows are not empty: those whose alert state may change. `shards` limits
   * the shards whose rollups are checked (default: all); the result may contain Grids of other shards.
   */
  gridsWithRecentTelemetry(shards?: readonly number[]): Promise<readonly string[]>;
  /** The diagnosis of now for the service itself: the last one if it is recent. The Grid does not count as queried. */
  recentDiagnosis(gridId: string): Promise<readonly Diagnosis[]>;
  alertRules(gridId: string): Promise<readonly AlertRule[]>;
  /** The stored result; undefined before the first one. */
  liveDocument(gridId: string, topic: LiveTopic): Promise<LiveDiagnosticsDocument | undefined>;
}
