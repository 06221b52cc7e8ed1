import type { Position } from '../streams/event-store.js';
import type { CommandReceipt } from './grids/grid-commands.js';

/** Knows when what a command did shows. */
export interface VisibilityWaiter {
  /** Resolves when the read models in which it shows have reached the position, or after 2 s. */
  waitForPosition(position: Position): Promise<unknown>;
}

/** The same; `then` is done before anybody who waits goes on, also where it did not show in time. */
export function runAfterVisible(showing: VisibilityWaiter, then: () => void): VisibilityWaiter {
  return { waitForPosition: (position) => showing.waitForPosition(position).finally(then) };
}

/** What was done, once it shows or after 2 s: it is durable, whether or not it shows in time. */
export async function waitUntilVisible<D extends CommandReceipt>(
  showing: VisibilityWaiter,
  doing: Promise<D>,
): Promise<D> {
  const done = await doing;
  await showing.waitForPosition(done.position).catch(() => undefined);
  return done;
}
