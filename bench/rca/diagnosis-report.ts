import { computeAccuracy, computeCalibration, computeOnsetErrors, type Mode } from './diagnosis-scores.js';
import type { FaultTrial, DiagnosisTrials } from './diagnosis-trials.js';

const MODES: readonly (readonly [Mode, string])[] = [
  ['given', 'onset given'],
  ['unknown', 'onset unknown'],
];

/** Formats all figures: accuracy by system and by fault, onsets, calibration, false alarms. */
export function formatReport({ trials, quiet }: DiagnosisTrials): string {
  const systems = groupBy(trials, ({ recorded }) => recorded.system);
  const faults = groupBy(trials, ({ recorded }) => `${recorded.system} ${recorded.faultType}`);
  return [
    formatTable(
      ['', 'cases', ...MODES.flatMap(([, name]) => [`AC@1 ${name}`, 'AC@3', 'Avg@5'])],
      [...[...systems].map(toAccuracyRow), ...[...faults].map(toAccuracyRow)],
    ),
    formatTable(
      ['detected onset after injection', 'median min', 'worst min'],
      MODES.map(([mode, name]) => [
        name,
        formatFixed(computeOnsetErrors(trials, mode).median),
        formatFixed(computeOnsetErrors(trials, mode).worst),
      ]),
    ),
    ...MODES.map(([mode, name]) =>
      formatTable(
        [`confidence, ${name}`, 'answers', 'right', 'share right', 'mean confidence'],
        computeCalibration(trials, quiet, mode).map(({ from, to, answers, right, meanConfidence }) => [
          `${from} to ${to}`,
          String(answers),
          String(right),
          answers === 0 ? '' : formatFixed(right / answers),
          answers === 0 ? '' : formatFixed(meanConfidence),
        ]),
      ),
    ),
    formatFalseAlarms({ trials, quiet }),
  ].join('\n\n');
}

function toAccuracyRow([name, trials]: readonly [string, readonly FaultTrial[]]): string[] {
  return [
    name,
    String(trials.length),
    ...MODES.flatMap(([mode]) => {
      const { ac1, ac3, avg5 } = computeAccuracy(trials, mode);
      return [formatFixed(ac1), formatFixed(ac3), formatFixed(avg5)];
    }),
  ];
}

function formatFalseAlarms({ quiet }: DiagnosisTrials): string {
  const systems = groupBy(quiet, ({ system }) => system);
  const count = (severity: string | undefined, of: DiagnosisTrials['quiet']) =>
    of.reduce(
      (sum, { diagnoses }) =>
        sum + diagnoses.filter((each) => severity === undefined || each.severity === severity).length,
      0,
    );
  return formatTable(
    ['fault-free intervals', 'runs', 'with a diagnosis', 'items', 'warnings', 'critical'],
    [...systems].map(([system, of]) =>
      [
        system,
        of.length,
        of.filter(({ diagnoses }) => diagnoses.length > 0).length,
        count(undefined, of),
        count('warning', of),
        count('critical', of),
      ].map(String),
    ),
  );
}

export function formatTable(head: readonly string[], body: readonly (readonly string[])[]): string {
  const all = [head, ...body];
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column].length)));
  return all
    .map((row) =>
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[column]) : cell.padStart(widths[column])))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

export function formatFixed(value: number): string {
  return value.toFixed(2);
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}
