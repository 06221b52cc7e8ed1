import { Random } from '../generator/random.js';

/**
 * Seconds for which each fault test file repeats its faults: its part of `npm run test:faults -- --minutes N`.
 * 0: each fault only as often as the test requires.
 */
const BUDGET_SECONDS = Number(process.env.FAULTS_SECONDS ?? 0);

/** The budget at which sizes reach their full values. */
const FULL_SECONDS = 600;

/** Whether there is time for checks that replay the whole log after a load test. */
export const HAS_BUDGET = BUDGET_SECONDS > 0;

/** Whether to assert figures that require a long run on an otherwise idle machine. */
export const IS_FULL = BUDGET_SECONDS >= FULL_SECONDS;

/** Seed of all random choices of a run. Timing is not deterministic: reproducing a failure may take a few runs. */
export const SEED = Number(process.env.FAULTS_SEED ?? Date.now() % 2 ** 31);

/** The first cycle to run, to continue where a run failed: `FAULTS_SEED=… FAULTS_FROM=… npm run test:faults`. */
const FROM = Number(process.env.FAULTS_FROM ?? 0);

/** A size between `small` and `full`, depending on the budget; the environment variable overrides it. */
export function scaleToBudget(variable: string, small: number, full: number): number {
  const fraction = Math.min(1, BUDGET_SECONDS / FULL_SECONDS);
  // Large sizes are multiples of 100, since tests divide them among senders and requests.
  const unit = small >= 100 ? 100 : 1;
  return Number(process.env[variable] ?? unit * Math.round((small + (full - small) * fraction) / unit));
}

/**
 * Cycle numbers of a fault: at least `least`, then more until the time budget of the file is used up. The environment
 * variable sets their number instead.
 * @param part fraction of the budget, if the file has several such loops
 */
export function* cyclesWithinBudget(variable: string, least: number, part = 1): Generator<number> {
  const endMs = performance.now() + BUDGET_SECONDS * 1000 * part;
  const fixed = process.env[variable];
  const goesOn = (done: number): boolean =>
    fixed === undefined ? done < least || performance.now() < endMs : done < Number(fixed);
  for (let cycle = FROM; goesOn(cycle - FROM); cycle++) yield cycle;
}

/** Timeout (ms) of a test with such loops: the time for its minimum cycles plus the budget. */
export function timeoutWithinBudget(leastMs: number): number {
  return leastMs + 2 * BUDGET_SECONDS * 1000;
}

/** The random numbers of one cycle, the same in every run with this seed. */
export function drawsOfCycle(cycle: number): Random {
  return new Random(Math.imul(SEED + cycle + 1, 0x9e37_79b1));
}
