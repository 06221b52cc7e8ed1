import { hasCode } from '../errors.js';
import type { ReadModelStore } from '../read-models/store.js';
import type { EventReader, RecordedEvent } from '../streams/event-store.js';
import { isDamagedEvent } from '../streams/damaged-event.js';
import type { ProjectionGroup } from './groups.js';
import type { ParkedEvent } from './parked-events.js';
import { reasonOf } from './reason.js';
import type { ShareScope } from './share-scope.js';

export interface DryRunParts {
  readonly events: EventReader;
  /** An empty store for one dry run; closed afterwards. */
  readonly scratch: () => ReadModelStore;
  readonly scope?: ShareScope;
}

/**
 * Folds one parked event over an empty read model and throws away what comes of it: answers why it cannot be folded,
 * undefined where it can. It does not know what came before the event in the log: only a rebuild settles that. An event
 * that the log has truncated folds, for nothing is left to fold.
 */
export async function dryRun(parked: ParkedEvent, group: ProjectionGroup, { events, scratch, scope }: DryRunParts): Promise<string | undefined> {
  const store = scratch();
  try {
    const run = group.run(new Map(parked.lacking.map((name) => [name, 1])), 'dry-run', { events, store, hold: { readers: 0 }, scope });
    await run.fold.restore();
    const event = await read(parked, run.prefixes, events);
    if (event !== undefined) await run.fold.fold([event]);
    return undefined;
  } catch (error) {
    if (hasCode(error, 'unavailable') && !isDamagedEvent(error)) throw error;
    return reasonOf(error);
  } finally {
    await store.close();
  }
}

/** Undefined where it is not in the log any more. */
async function read({ position, stream, revision, after }: ParkedEvent, prefixes: readonly string[], events: EventReader): Promise<RecordedEvent | undefined> {
  if (stream !== undefined && revision !== undefined) return events.readEvent(stream, revision);
  if (after === undefined) throw new Error('the log could not read it, and where it stands was not noted: a replay tells');
  const [first] = await events.readAll(after, { prefixes, limit: 1 });
  return first?.position === position ? first : undefined;
}
