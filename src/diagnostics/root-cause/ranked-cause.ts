import type { Diagnosis } from '../diagnostic-results.js';
import { type AnalysisWindows, MINUTE_MS, type TimeWindow } from '../time-windows.js';
import type { DiagnosticsInput } from '../diagnostics-input.js';
import { Sketch } from '../rollups/sketch.js';

/**
 * Which traces a cause did harm to: those with an entry span of this service, and of this operation where the cause is
 * narrowed to one, that ended in the window as ERROR or took longer than `slowerThanNs`.
 */
export interface ImpactFilter {
  readonly service: string;
  readonly operation?: string;
  /**
   * p95 of the same spans in the baseline, or where it has none in the window before the onset; Infinity where there is
   * nothing to compare with, so that only errors count. Of `inconclusive` twice the mean before.
   */
  readonly slowerThanNs: number;
  readonly window: TimeWindow;
}

/** A diagnosis without what only the blocks know: the number of impacted traces, and samples of them. */
export interface RankedCause extends Omit<Diagnosis, 'impactedTraceCount' | 'sampleTraceIds'> {
  /** Absent for `inconclusive` without a service in question: no trace is counted then. */
  readonly impact?: ImpactFilter;
}

/** p95 of the entry spans in the baseline; of a service that has none there, of those in the window before the onset. */
export function buildImpactFilter(
  service: string,
  operation: string | undefined,
  { services }: Pick<DiagnosticsInput, 'services'>,
  frames: AnalysisWindows,
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
    p95(frames.baseline.fromMs, frames.baseline.toMs) ?? p95(frames.current.fromMs, onsetMs) ?? Infinity;
  return { service, operation, slowerThanNs, window: frames.current };
}

/**
 * Strength at which the best candidate is as likely right as not, and how fast doubt fades beyond it; fitted on the
 * recorded faults and their fault-free minutes, see docs/diagnosis.md.
 */
const EVEN_STRENGTH = 5;

const STEEPNESS = 2.5;

/** For each strength the chance that it is the cause: the strengths compete with each other and with "nothing of these". */
export function computeConfidences(strengths: readonly number[]): number[] {
  const weights = strengths.map((strength) => strength ** STEEPNESS);
  const sum = weights.reduce((total, weight) => total + weight, EVEN_STRENGTH ** STEEPNESS);
  return weights.map((weight) => Math.round((100 * weight) / sum) / 100);
}
