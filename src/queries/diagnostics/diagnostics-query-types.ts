import type { AlertRule, Backtest, RuleEvaluation } from '../../diagnostics/alerting/alert-rule-model.js';
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

/** Every diagnostic question, by name: the diagnostics thread answers exactly these. */
export interface DiagnosticsQueries {
  health(gridId: string, when: TimeSelection): Promise<Health>;
  alerts(gridId: string, when: TimeSelection): Promise<readonly Alert[]>;
  diagnosis(gridId: string, when: TimeSelection): Promise<readonly Diagnosis[]>;
  pressure(gridId: string, when: TimeSelection): Promise<readonly PressurePoint[]>;
  trends(gridId: string, when: TimeSelection): Promise<Trends>;
  serviceMap(gridId: string, when: TimeSelection): Promise<ServiceMap>;
  timeline(gridId: string, when: TimeSelection): Promise<readonly TimelineEvent[]>;
  /** Undefined for a service that was never seen, or not before the moment in question. */
  serviceDetail(gridId: string, serviceName: string, when: TimeSelection): Promise<ServiceDetail | undefined>;
  slowestEndpoints(gridId: string, when: TimeSelection): Promise<readonly SlowEndpoint[]>;
  changes(gridId: string, when: TimeSelection): Promise<readonly Change[]>;
  compare(gridId: string, current: TimeWindow, baseline: TimeWindow): Promise<Comparison>;
  backtest(gridId: string, rule: AlertRule, range: TimeWindow): Promise<Backtest>;
  /** All enabled rules over all services with data, as of now; empty for a Grid without recent data. */
  evaluations(gridId: string): Promise<readonly RuleEvaluation[]>;
  /**
   * Grids whose rollups changed, or whose windows still hold something: those whose rules can change their mind. Where Grids are
   * shared out, `shares` says of which rollups are looked at; Grids of others may be among the answer.
   */
  gridsWithRecentTelemetry(shares?: readonly number[]): Promise<readonly string[]>;
  alertRules(gridId: string): Promise<readonly AlertRule[]>;
  /** The kept answer, undefined before the first one. */
  liveDocument(gridId: string, topic: LiveTopic): Promise<LiveDiagnosticsDocument | undefined>;
}
