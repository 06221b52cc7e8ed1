import { setTimeout } from 'node:timers/promises';

/** For a condition that never holds; long enough for a machine that is busy with other work. */
const TIMEOUT_MS = 60_000;

/** Resolves as soon as the condition holds; rejects when it does not within a minute. */
export async function until(condition: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + TIMEOUT_MS;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error('the condition did not hold within a minute');
    await setTimeout(5);
  }
}
