import { SEED } from './budget.js';

/** Results of a fault test. */
export interface Figures {
  readonly test: string;
  readonly cycles: number;
  /** Acknowledged records that are not stored. */
  readonly lost: number;
  /** Records that were stored more than once or never sent. */
  readonly doubled: number;
  /** Read models that differ from a replay. */
  readonly divergent: number;
  /** Longest time from process start to readiness. */
  readonly slowestRecoveryMs: number;
}

const rows: Figures[] = [];
const measurements: string[] = [];

/** Adds a row to the table that is printed at the end of the run. */
export function reportFigures(figures: Figures): void {
  if (rows.length === 0) process.once('exit', print);
  rows.push(figures);
}

/** Adds a line with the measurements of a load test, printed at the end of the run; names include the unit. */
export function reportMeasurements(test: string, figures: Readonly<Record<string, number | string>>): void {
  if (measurements.length === 0) process.once('exit', () => console.log(`\nload tests\n${measurements.join('\n')}`));
  measurements.push(
    `  ${test}: ${Object.entries(figures)
      .map(([name, value]) => `${name} ${value.toLocaleString('en-US')}`)
      .join(', ')}`,
  );
}

function print(): void {
  console.log(`\nfault tests, FAULTS_SEED=${SEED}`);
  console.table(
    rows.map(({ test, slowestRecoveryMs, ...counts }) => ({
      test,
      ...counts,
      'slowest recovery, ms': Math.round(slowestRecoveryMs),
    })),
  );
}
