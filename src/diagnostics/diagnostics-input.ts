import type { Severity } from './diagnostic-results.js';
import type {
  GridRollup,
  LogRollup,
  MetricRollup,
  ServiceCatalog,
  ServiceRollup,
  TimeBucket,
} from './rollups/rollup-types.js';

/** Per-Grid settings that answers depend on (contract §5). */
export interface DiagnosticsSettings {
  readonly apdexThresholdMs: number;
  /** Percent from which a service is degraded. */
  readonly errorRateThreshold: number;
  /** Apdex below which a service is degraded. */
  readonly apdexHealthThreshold: number;
}

/** An alert as its events tell it. Times in ms; `resolvedAt` is absent while it fires. */
export interface AlertRecord {
  readonly id: string;
  readonly ruleId: string;
  readonly ruleName: string;
  readonly serviceName: string;
  readonly condition: string;
  readonly severity: Severity;
  /** When it fired, or when its severity changed last. */
  readonly value: number;
  readonly firedAt: number;
  readonly resolvedAt?: number;
}

/**
 * All that a diagnostic may look at, for one Grid and the windows of one answer, in ascending order of time (and of names
 * within a stretch). Each diagnostic takes the parts that it needs: `health(input: Pick<DiagnosticsInput, 'grids' | …>, frames)`.
 * Stretches without telemetry are absent. Hours stand in for minutes where the window covers the whole hour.
 */
export interface DiagnosticsInput {
  readonly settings: DiagnosticsSettings;
  readonly grids: readonly TimeBucket<GridRollup>[];
  readonly services: readonly TimeBucket<ServiceRollup>[];
  readonly logs: readonly TimeBucket<LogRollup>[];
  readonly metrics: readonly TimeBucket<MetricRollup>[];
  /** As of now, not of the window: whoever asks about the past leaves out what was first seen later. */
  readonly catalogs: readonly ServiceCatalog[];
  /** Since when metric series have been past their bound, ms, to the minute; absent where none was. As of now, like catalogs. */
  readonly seriesOverflowMs?: number;
  /** All that were open at some time of the window and its baseline. */
  readonly alerts: readonly AlertRecord[];
}
