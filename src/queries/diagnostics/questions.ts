import type { AlertRule, Backtest, RuleEvaluation } from '../../diagnostics/alert-rule.js';
import type { Alert, Change, Comparison, Diagnosis, Health, PressurePoint, ServiceDetail, ServiceMap, SlowEndpoint, TimelineEvent, Trends } from '../../diagnostics/answers.js';
import type { Timeframe, When } from '../../diagnostics/timeframe.js';
import type { LiveDocument, LiveTopic } from '../../read-models/live-diagnostics.js';

/** Every diagnostic question, by name: the diagnostics thread answers exactly these. */
export interface DiagnosticsQueries {
  health(gridId: string, when: When): Promise<Health>;
  alerts(gridId: string, when: When): Promise<readonly Alert[]>;
  diagnosis(gridId: string, when: When): Promise<readonly Diagnosis[]>;
  pressure(gridId: string, when: When): Promise<readonly PressurePoint[]>;
  trends(gridId: string, when: When): Promise<Trends>;
  serviceMap(gridId: string, when: When): Promise<ServiceMap>;
  timeline(gridId: string, when: When): Promise<readonly TimelineEvent[]>;
  /** Undefined for a service that was never seen, or not before the moment in question. */
  serviceDetail(gridId: string, serviceName: string, when: When): Promise<ServiceDetail | undefined>;
  slowestEndpoints(gridId: string, when: When): Promise<readonly SlowEndpoint[]>;
  changes(gridId: string, when: When): Promise<readonly Change[]>;
  compare(gridId: string, current: Timeframe, baseline: Timeframe): Promise<Comparison>;
  backtest(gridId: string, rule: AlertRule, range: Timeframe): Promise<Backtest>;
  /** All enabled rules over all services with data, as of now; empty for a Grid without recent data. */
  evaluations(gridId: string): Promise<readonly RuleEvaluation[]>;
  /**
   * Grids whose rollups changed, or whose windows still hold something: those whose rules can change their mind. Where Grids are
   * shared out, `shares` says of which rollups are looked at; Grids of others may be among the answer.
   */
  awakeGrids(shares?: readonly number[]): Promise<readonly string[]>;
  alertRules(gridId: string): Promise<readonly AlertRule[]>;
  /** The kept answer, undefined before the first one. */
  live(gridId: string, topic: LiveTopic): Promise<LiveDocument | undefined>;
}
