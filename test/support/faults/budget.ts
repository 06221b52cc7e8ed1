import { Random } from '../generator/random.js';

/** `npm run test:faults` sets it: the same tests, long. */
export const FULL = process.env.FAULTS === 'full';

/** How often a fault is tried: the variable where it is set, else by the tier. */
export function timesOf(variable: string, small: number, full: number): number {
  return Number(process.env[variable] ?? (FULL ? full : small));
}

/** What everything random in a run of fault tests is drawn from. Timing is not: a failing seed may need a few runs. */
export const SEED = Number(process.env.FAULTS_SEED ?? Date.now() % 2 ** 31);

/** The first cycle to run, to go on where a run failed: `FAULTS_SEED=… FAULTS_FROM=… npm run test:faults`. */
export const FROM = Number(process.env.FAULTS_FROM ?? 0);

/** The draws of one cycle, the same in every run with this seed. */
export function drawsOf(cycle: number): Random {
  return new Random(Math.imul(SEED + cycle + 1, 0x9e37_79b1));
}
