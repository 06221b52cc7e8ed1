/**
 * Strength at which the best candidate is as likely right as not, and how fast doubt fades beyond it; fitted on the
 * recorded faults and their fault-free minutes, see docs/diagnosis.md.
 */
const EVEN_STRENGTH = 5;
const STEEPNESS = 2.5;

/** For each strength the chance that it is the cause: the strengths compete with each other and with "nothing of these". */
export function confidencesOf(strengths: readonly number[]): number[] {
  const weights = strengths.map((strength) => strength ** STEEPNESS);
  const sum = weights.reduce((total, weight) => total + weight, EVEN_STRENGTH ** STEEPNESS);
  return weights.map((weight) => Math.round((100 * weight) / sum) / 100);
}
