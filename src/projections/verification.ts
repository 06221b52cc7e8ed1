import { PARKED_EVENTS } from '../read-models/parked-events.js';
import type { ReadModelStore } from '../read-models/store.js';
import type { Position } from '../streams/event-store.js';
import { digestOf } from './digest.js';
import type { ProjectionGroup, RunSources } from './groups.js';
import { parkingOf } from './parked-events.js';
import type { Projection } from './projection.js';
import { Replay, type ReplaySources } from './replay.js';

export interface VerificationParts extends Omit<RunSources & ReplaySources, 'store' | 'hold'> {
  /** An empty store; closed afterwards, in any case. */
  readonly scratch: () => ReadModelStore;
  /** Events that are passed by untried, because they are known to end the process. */
  readonly fatal?: ReadonlySet<Position>;
  /** Ends it: rejects with the signal's reason. */
  readonly signal: AbortSignal;
}

/** Digest that the read model has after a fresh replay of the log up to `position`. */
export async function replayedDigest(projection: Projection, group: ProjectionGroup, position: Position | undefined, parts: VerificationParts): Promise<string> {
  const { scratch, signal, fatal, attempts: _, ...sources } = parts;
  signal.throwIfAborted();
  const store = scratch();
  try {
    const run = group.run(new Map([[projection.name, 1]]), 'live', { ...sources, store, hold: { readers: 0 } });
    const parking = parkingOf(group, [projection.name], PARKED_EVENTS, fatal);
    await replayTo(position, new Replay(run, { ...sources, store, parking }), signal);
    return (await digestOf(projection, 1, store, signal)) ?? '';
  } finally {
    await store.close();
  }
}

async function replayTo(position: Position | undefined, replay: Replay, signal: AbortSignal): Promise<void> {
  const stop = (): void => void replay.stop();
  signal.addEventListener('abort', stop);
  try {
    await replay.to(position);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
