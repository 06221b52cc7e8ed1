import type { FaultFreeTrial, FaultTrial } from './diagnosis-trials.js';

/** Fractions of cases, 0 to 1. */
export interface Accuracy {
  readonly cases: number;
  /**
   * Fractions in which the true service is ranked first or in the first three, and the mean of the first one to five
   * ranks.
   */
  readonly ac1: number;
  readonly ac3: number;
  readonly avg5: number;
}

export interface CalibrationRow {
  /** Confidence of the first diagnosis, from ≤ c < to. */
  readonly from: number;
  readonly to: number;
  readonly answers: number;
  readonly right: number;
  readonly meanConfidence: number;
}

export type Mode = 'given' | 'unknown';

const MAX_RANK = 5;
const BUCKETS = [0, 0.2, 0.4, 0.6, 0.8, 1.01];

export function computeAccuracy(trials: readonly FaultTrial[], mode: Mode): Accuracy {
  const ranks = trials.map((trial) => findTrueServiceRank(trial, mode));
  const at = (k: number) => ranks.filter((rank) => rank <= k).length / Math.max(1, ranks.length);
  const depths = Array.from({ length: MAX_RANK }, (_, i) => at(i + 1));
  return {
    cases: ranks.length,
    ac1: at(1),
    ac3: at(3),
    avg5: depths.reduce((sum, share) => sum + share, 0) / MAX_RANK,
  };
}

/** From 1; Infinity when the true service is missing. */
export function findTrueServiceRank({ recorded, given, unknown }: FaultTrial, mode: Mode): number {
  const index = (mode === 'given' ? given : unknown).findIndex(
    ({ serviceName }) => serviceName === recorded.groundTruth.service,
  );
  return index < 0 ? Infinity : index + 1;
}

/** Minutes from the injection to the diagnosed onset, for cases with a correct diagnosis: median and maximum. */
export function computeOnsetErrors(trials: readonly FaultTrial[], mode: Mode): { median: number; worst: number } {
  const errors = trials
    .filter((trial) => findTrueServiceRank(trial, mode) === 1)
    .map(
      ({ recorded, given, unknown }) =>
        Math.abs(
          (mode === 'given' ? given : unknown)[0].firstDetected - Math.floor(recorded.injectMs / 60_000) * 60_000,
        ) / 60_000,
    )
    .sort((a, b) => a - b);
  return { median: errors[Math.floor((errors.length - 1) / 2)] ?? NaN, worst: errors[errors.length - 1] ?? NaN };
}

/** Accuracy of the first diagnosis by its confidence; without a fault no diagnosis is correct. */
export function computeCalibration(
  trials: readonly FaultTrial[],
  quiet: readonly FaultFreeTrial[],
  mode: Mode,
): CalibrationRow[] {
  const firsts = [
    ...trials.map((trial) => ({
      first: (mode === 'given' ? trial.given : trial.unknown)[0],
      right: findTrueServiceRank(trial, mode) === 1,
    })),
    ...quiet.map(({ diagnoses }) => ({ first: diagnoses[0], right: false })),
  ].flatMap(({ first, right }) => (first === undefined ? [] : [{ confidence: first.confidence, right }]));
  return BUCKETS.slice(1).map((to, i) => {
    const within = firsts.filter(({ confidence }) => confidence >= BUCKETS[i] && confidence < to);
    return {
      from: BUCKETS[i],
      to: Math.min(1, to),
      answers: within.length,
      right: within.filter(({ right }) => right).length,
      meanConfidence: within.reduce((sum, { confidence }) => sum + confidence, 0) / Math.max(1, within.length),
    };
  });
}
