import type { Diagnosis } from '../diagnostic-results.js';
import { type AnalysisWindows, MINUTE_MS, type TimeWindow } from '../time-windows.js';
import type { DiagnosticsInput } from '../diagnostics-input.js';
import { Sketch } from '../rollups/sketch.js';

/**
 * Selects the traces impacted by a cause: those with an entry span of this service, and of this operation if the cause
 * is limited to one, that ended in the window with status ERROR or took longer than `slowerThanNs`.
 */
export interface ImpactFilter {
  readonly service: string;
  readonly operation?: string;
  /**
   * p95 of the same spans in the baseline, or if there are none, in the window before the onset; Infinity without any
   * reference, so that only errors count. For `inconclusive` twice the previous mean.
   */
  readonly slowerThanNs: number;
  readonly window: TimeWindow;
}

/** A diagnosis without the fields that require reading blocks: the number of impacted traces, and samples. */
export interface RankedCause extends Omit<Diagnosis, 'impactedTraceCount' | 'sampleTraceIds'> {
  /** Absent for `inconclusive` without a service: no traces are counted then. */
  readonly impact?: ImpactFilter;
}

/**
 * Builds the filter for a cause. The threshold is the p95 of the entry spans in the baseline, or if there are none, in
 * the window before the onset.
 */
export function buildImpactFilter(
  service: string,
  operation: string | undefined,
  { services }: Pick<DiagnosticsInput, 'services'>,
  windows: AnalysisWindows,
  onsetMs: number,
): ImpactFilter {
  const p95 = (fromMs: number, toMs: number): number | undefined => {
    const latency = new Sketch();
    for (const { minute, value } of services) {
      if (value.service !== service || minute * MINUTE_MS < fromMs || minute * MINUTE_MS >= toMs) continue;
      for (const each of value.operations)
        if (each.entry && (operation === undefined || each.operation === operation)) latency.merge(each.latency);
    }
    return latency.count === 0 ? undefined : latency.percentile(95);
  };
  const slowerThanNs =
    p95(windows.baseline.fromMs, windows.baseline.toMs) ?? p95(windows.current.fromMs, onsetMs) ?? Infinity;
  return { service, operation, slowerThanNs, window: windows.current };
}

/**
 * Strength at which the best candidate has a probability of one half, and steepness of the curve; fitted to recorded
 * faults and fault-free minutes, see docs/diagnosis.md.
 */
const EVEN_STRENGTH = 5;

const STEEPNESS = 2.5;

/** Probability of each candidate being the cause: candidates compete with each other and with "none of these". */
export function computeConfidences(strengths: readonly number[]): number[] {
  const weights = strengths.map((strength) => strength ** STEEPNESS);
  const sum = weights.reduce((total, weight) => total + weight, EVEN_STRENGTH ** STEEPNESS);
  return weights.map((weight) => Math.round((100 * weight) / sum) / 100);
}
