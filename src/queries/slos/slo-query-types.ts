import type { ErrorBudget } from '../../diagnostics/slos/error-budget.js';
import type { SloAssessment, UncountedSlo } from '../../diagnostics/slos/slo-assessment.js';
import type { SloBacktest } from '../../diagnostics/slos/slo-backtest.js';
import type { EventCounts, Indicator, Slo } from '../../diagnostics/slos/slo-model.js';
import type { SloReport } from '../../diagnostics/slos/slo-report.js';
import type { TimeWindow } from '../../diagnostics/time-windows.js';

/** An objective with the times at which it was created and last changed, ms since 1970. */
export interface SavedSlo extends Slo {
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** An objective and its Grid. */
export interface DefinedSlo {
  readonly gridId: string;
  readonly slo: Slo;
}

/** An hour of the window of an objective. */
export interface SloHour extends EventCounts {
  /** ms since 1970. */
  readonly at: number;
  /** What remained of the budget of the whole window at the end of the hour. */
  readonly remainingPercent: ErrorBudget['remainingPercent'];
}

export interface SloDetail extends SloAssessment {
  /** Hours of the window with events, ascending. */
  readonly hours: readonly SloHour[];
}

/** Each objective is counted by itself: one that fails does not hide the others. Both lists are in the order of `slos`. */
export interface SloAssessments {
  readonly assessed: readonly SloAssessment[];
  readonly uncounted: readonly UncountedSlo[];
}

/** A calendar month, such as `2026-11`, in a zone of the IANA database. */
export interface ReportRequest {
  readonly month: string;
  readonly zone: string;
  /** Default: the end of the month, or now. */
  readonly asOfMs?: number | undefined;
}

export interface BacktestRequest {
  readonly indicator: Indicator;
  /** Percent. */
  readonly objectives: readonly number[];
  readonly days: number;
  /** Of the objective: its burn factors depend on it. */
  readonly windowDays: number;
  readonly excludesMaintenance: boolean;
}

export interface SloBacktests {
  /** Whole minutes. */
  readonly range: TimeWindow;
  /** Start of the first minute with events, ms since 1970; undefined without any. */
  readonly coveredFromMs: number | undefined;
  readonly events: EventCounts;
  readonly backtests: readonly SloBacktest[];
  /** Percent; undefined if no candidate would have been met. */
  readonly proposed: number | undefined;
}

/** An indicator of a service, and which objectives past telemetry would have met. */
export interface SloProposal extends SloBacktests {
  readonly indicator: Indicator;
}

/** What was counted beyond the record of an objective, to be added to it. */
export interface NewEventCounts {
  readonly gridId: string;
  readonly sloId: string;
  /** Since when the objective has the indicator that was counted, ms since 1970. */
  readonly definedAt: number;
  /** Telemetry with revisions above `after`, up to `through`, was counted. */
  readonly after: number;
  readonly through: number;
  /** Hours since 1970 with events, ascending, with their good events and all events. */
  readonly hours: readonly (readonly [hour: number, good: number, total: number])[];
  /** Those of them in planned maintenance; absent: none. */
  readonly maintenance?: readonly (readonly [hour: number, good: number, total: number])[];
}

/** Service level objectives; none before the projection's first commit. `asOfMs`: as of this moment, else now. */
export interface SloQueries {
  /** Sorted by name. */
  slos(gridId: string): Promise<readonly SavedSlo[]>;
  slo(gridId: string, sloId: string): Promise<SavedSlo | undefined>;
  assessSlos(gridId: string, asOfMs?: number): Promise<SloAssessments>;
  sloDetail(gridId: string, sloId: string, asOfMs?: number): Promise<SloDetail | undefined>;
  sloReport(gridId: string, sloId: string, request: ReportRequest): Promise<SloReport | undefined>;
  /** How often objectives for this indicator would have alerted over the last days, as far as telemetry is retained. */
  backtestSlo(gridId: string, request: BacktestRequest): Promise<SloBacktests>;
  /**
   * Objectives for the availability of the ten services with most spans, of those that have requests, from the last 28
   * days as far as telemetry is retained.
   */
  proposeSlos(gridId: string): Promise<readonly SloProposal[]>;
  /** The objectives of all Grids. */
  allSlos(): Promise<readonly DefinedSlo[]>;
  /** Counts one objective now, in the turns of the service; undefined if it does not exist any more. */
  evaluateSlo(gridId: string, sloId: string): Promise<SloAssessment | undefined>;
  /** Counts for the record of an objective; undefined without new telemetry, or if it does not exist any more. */
  countNewEvents(gridId: string, sloId: string): Promise<NewEventCounts | undefined>;
}
