import { uptime } from 'node:os';

const startedAt = performance.now() - uptime() * 1_000;

/** Elapsed ms since some moment. Counts the time that the machine slept, for which `performance.now` stands still. */
export function elapsed(): number {
  return Math.max(performance.now(), startedAt + uptime() * 1_000);
}
