import type { Diagnosis } from '../answers.js';
import type { Timeframe } from '../timeframe.js';

/**
 * Which traces a cause did harm to: those with an entry span of this service, and of this operation where the cause is
 * narrowed to one, that ended in the window as ERROR or took longer than `slowerThanNs`.
 */
export interface Impact {
  readonly service: string;
  readonly operation?: string;
  /**
   * p95 of the same spans in the baseline, or where it has none in the window before the onset; Infinity where there is
   * nothing to compare with, so that only errors count. Of `inconclusive` twice the mean before.
   */
  readonly slowerThanNs: number;
  readonly window: Timeframe;
}

/** A diagnosis without what only the blocks know: the number of impacted traces, and samples of them. */
export interface RankedCause extends Omit<Diagnosis, 'impactedTraceCount' | 'sampleTraceIds'> {
  /** Absent for `inconclusive` without a service in question: no trace is counted then. */
  readonly impact?: Impact;
}
