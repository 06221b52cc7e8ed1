import { setTimeout } from 'node:timers/promises';

const PATIENCE_MS = 10_000;

/** Resolves as soon as the condition holds; rejects when it does not within 10 s. */
export async function until(condition: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error('waited in vain');
    await setTimeout(5);
  }
}
