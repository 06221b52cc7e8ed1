import { SEED } from './sizes.js';

/** What a fault test found out. */
export interface Figures {
  readonly test: string;
  readonly cycles: number;
  /** Records that were acknowledged and are not stored. */
  readonly lost: number;
  /** Records stored more than once, or never sent. */
  readonly doubled: number;
  /** Read models that a fresh replay disagrees with. */
  readonly divergent: number;
  /** From the start of the process until it is ready, the longest of all cycles. */
  readonly slowestRecoveryMs: number;
}

const noted: Figures[] = [];
const measured: string[] = [];

/** Prints all figures at the end of the run, as one table. */
export function note(figures: Figures): void {
  if (noted.length === 0) process.once('exit', print);
  noted.push(figures);
}

/** Prints a line of a test of load at the end of the run: what was measured, with its unit in its name. */
export function tell(test: string, figures: Readonly<Record<string, number | string>>): void {
  if (measured.length === 0) process.once('exit', () => console.log(`\nload tests\n${measured.join('\n')}`));
  measured.push(
    `  ${test}: ${Object.entries(figures)
      .map(([name, value]) => `${name} ${value.toLocaleString('en-US')}`)
      .join(', ')}`,
  );
}

function print(): void {
  console.log(`\nfault tests, FAULTS_SEED=${SEED}`);
  console.table(
    noted.map(({ test, slowestRecoveryMs, ...counts }) => ({
      test,
      ...counts,
      'slowest recovery, ms': Math.round(slowestRecoveryMs),
    })),
  );
}
