import type { ReadModelStore } from '../read-models/store.js';
import type { Position } from '../streams/event-store.js';
import { digestOf } from './digest.js';
import type { ProjectionGroup, RunSources } from './groups.js';
import type { Projection } from './projection.js';
import { Replay, type ReplaySources } from './replay.js';

export interface VerificationParts extends Omit<RunSources & ReplaySources, 'store' | 'hold'> {
  /** An empty store; closed afterwards, in any case. */
  readonly scratch: () => ReadModelStore;
  /** Ends it: rejects with the signal's reason. */
  readonly signal: AbortSignal;
}

/** Digest that the read model has after a fresh replay of the log up to `position`. */
export async function replayedDigest(projection: Projection, group: ProjectionGroup, position: Position | undefined, parts: VerificationParts): Promise<string> {
  const { scratch, signal, ...sources } = parts;
  signal.throwIfAborted();
  const store = scratch();
  try {
    const run = group.run(new Map([[projection.name, 1]]), 'live', { ...sources, store, hold: { readers: 0 } });
    await replayTo(position, new Replay(run, { ...sources, store }), signal);
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
