import type { Position } from '../streams/event-store.js';
import type { Done } from './grid-commands.js';

/** Knows when what a command did shows. */
export interface Showing {
  /** Resolves when the read models in which it shows have reached the position, or after 2 s. */
  whenAt(position: Position): Promise<unknown>;
}

/** The same; `then` is done before anybody who waits goes on, also where it did not show in time. */
export function afterShowing(showing: Showing, then: () => void): Showing {
  return { whenAt: (position) => showing.whenAt(position).finally(then) };
}

/** What was done, once it shows or after 2 s: it is durable, whether or not it shows in time. */
export async function shown<D extends Done>(showing: Showing, doing: Promise<D>): Promise<D> {
  const done = await doing;
  await showing.whenAt(done.position).catch(() => undefined);
  return done;
}
