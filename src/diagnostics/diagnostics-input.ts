import type { AlertSubject } from './alerting/alert-subject.js';
import type { OrchestratorEvent } from './changes/orchestrator-event.js';
import type { Severity } from './diagnostic-results.js';
import type {
  GridRollup,
  LogRollup,
  MetricRollup,
  ServiceCatalog,
  ServiceRollup,
  TimeBucket,
} from './rollups/rollup-types.js';

/** Settings of a Grid that affect diagnostics (contract §5). */
export interface DiagnosticsSettings {
  readonly apdexThresholdMs: number;
  /** Error rate in percent from which a service is degraded. */
  readonly errorRateThreshold: number;
  /** Apdex below which a service is degraded. */
  readonly apdexHealthThreshold: number;
}

/** An alert as recorded by its events. Times in ms; `resolvedAt` is absent while it is firing. */
export interface AlertRecord extends AlertSubject {
  readonly id: string;
  readonly ruleId: string;
  readonly ruleName: string;
  readonly condition: string;
  readonly severity: Severity;
  /** Value when it fired, or when its severity last changed. */
  readonly value: number;
  readonly firedAt: number;
  readonly resolvedAt?: number;
  /** When it had fired at the latest by the present clock; absent unless the clock was set back since. */
  readonly firedBy?: number;
  /** Who takes care of it, since when (ms since 1970); absent: nobody. */
  readonly acknowledgedBy?: string;
  readonly acknowledgedAt?: number;
}

/**
 * Input of the diagnostics for one Grid and the windows of one result, ascending by time (and by name within a bucket).
 * Each diagnostic takes the parts it needs: `computeHealth(input: Pick<DiagnosticsInput, 'grids' | …>, windows)`.
 * Buckets without telemetry are absent. Hourly rollups replace minutes where the window covers the whole hour.
 */
export interface DiagnosticsInput {
  readonly settings: DiagnosticsSettings;
  readonly grids: readonly TimeBucket<GridRollup>[];
  readonly services: readonly TimeBucket<ServiceRollup>[];
  readonly logs: readonly TimeBucket<LogRollup>[];
  readonly metrics: readonly TimeBucket<MetricRollup>[];
  /** Current state, not that of the window: an analysis of the past must exclude entries first seen later. */
  readonly catalogs: readonly ServiceCatalog[];
  /**
   * Since when the metric series exceed their limit, ms, to the minute; absent if they never did. Current state, like
   * `catalogs`.
   */
  readonly seriesOverflowMs?: number;
  /** What orchestrators report in log records about the window and its baseline; absent: none. */
  readonly events?: readonly OrchestratorEvent[];
  /** Alerts open at any time within the window or its baseline. */
  readonly alerts: readonly AlertRecord[];
}
