import { computeAccuracy, computeCalibration } from './diagnosis-scores.js';
import { formatFixed, formatTable } from './diagnosis-report.js';
import type { DiagnosisTrials, FaultFreeTrial } from './diagnosis-trials.js';
import type { VariationTrials } from './variation-trials.js';

/** One row a variation: accuracy, periods without a fault; then the calibration over all variations. */
export function formatVariations(results: VariationTrials): string {
  const trials = [...results.values()].flatMap((each) => each.trials);
  const quiet = [...results.values()].flatMap((each) => each.quiet);
  return [
    formatTable(
      ['variation', 'cases', 'AC@1 given', 'AC@3', 'AC@1 unknown', 'AC@3', 'quiet', 'warned', 'critical'],
      [...results].map(([{ name }, each]) => toRow(name, each)),
    ),
    formatTable(
      ['confidence, onset unknown', 'answers', 'right', 'share right', 'mean confidence'],
      computeCalibration(trials, quiet, 'unknown').map(({ from, to, answers, right, meanConfidence }) => [
        `${from} to ${to}`,
        String(answers),
        String(right),
        answers === 0 ? '' : formatFixed(right / answers),
        answers === 0 ? '' : formatFixed(meanConfidence),
      ]),
    ),
  ].join('\n\n');
}

function toRow(name: string, { trials, quiet }: DiagnosisTrials): string[] {
  const figures = (['given', 'unknown'] as const).flatMap((mode) => {
    const { ac1, ac3 } = computeAccuracy(trials, mode);
    return trials.length === 0 ? ['', ''] : [formatFixed(ac1), formatFixed(ac3)];
  });
  return [name, String(trials.length), ...figures, ...countAlarms(quiet)];
}

/** Number of quiet periods, of those with a warning or worse, and of those with a critical diagnosis. */
function countAlarms(quiet: readonly FaultFreeTrial[]): string[] {
  if (quiet.length === 0) return ['', '', ''];
  const having = (severities: readonly string[]) =>
    quiet.filter(({ diagnoses }) => diagnoses.some(({ severity }) => severities.includes(severity))).length;
  return [quiet.length, having(['warning', 'critical']), having(['critical'])].map(String);
}
