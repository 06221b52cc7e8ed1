import { PROJECTION_GROUPS, type ProjectionGroup } from '../projection-groups.js';
import type { DeadLetter } from './dead-letter-queue.js';
import type { DryRunOutcome } from './projector-types.js';
import { hasCode } from '../../errors.js';
import type { ReadModelStore } from '../../read-models/read-model-store.js';
import type { EventReader, RecordedEvent } from '../../streams/event-store.js';
import { isDamagedEvent } from '../../streams/damaged-event.js';
import { summarizeError } from './projection-failures.js';
import type { ShardScope } from '../sharding/shard-scope.js';

/** Which of these events would fold now. Those that have ended the process are not tried: `fatal` takes them as if they would. */
export async function dryRunDeadLetters(
  events: readonly DeadLetter[],
  fatal: boolean,
  parts: DryRunParts,
): Promise<DryRunOutcome[]> {
  const tried: DryRunOutcome[] = [];
  for (const event of events) {
    const { position, projection } = event;
    const error = await findFailure(event, fatal, parts);
    tried.push({ position, projection, folds: error === undefined, ...(error === undefined ? {} : { error }) });
  }
  return tried;
}

/** Projections that lack an event that folds; only this one, where one is named. */
export function findProjectionsToRebuild(
  events: readonly DeadLetter[],
  tried: readonly DryRunOutcome[],
  projection?: string,
): ReadonlySet<string> {
  const lacking = events.flatMap((event, i) => (tried[i].folds ? event.lacking : []));
  return new Set(lacking.filter((name) => projection === undefined || name === projection));
}

async function findFailure(event: DeadLetter, fatal: boolean, parts: DryRunParts): Promise<string | undefined> {
  if (event.fatal === true) return fatal ? undefined : `${event.error}; it is tried again on request alone`;
  const group = PROJECTION_GROUPS.find(({ name }) => name === event.projection);
  return group === undefined ? `this program has no projections ${event.projection}` : dryRun(event, group, parts);
}

interface DryRunParts {
  readonly events: EventReader;
  /** An empty store for one dry run; closed afterwards. */
  readonly scratch: () => ReadModelStore;
  readonly scope?: ShardScope;
}

/**
 * Folds one parked event over an empty read model and throws away what comes of it: answers why it cannot be folded,
 * undefined where it can. It does not know what came before the event in the log: only a rebuild settles that. An event
 * that the log has truncated folds, for nothing is left to fold.
 */
async function dryRun(
  parked: DeadLetter,
  group: ProjectionGroup,
  { events, scratch, scope }: DryRunParts,
): Promise<string | undefined> {
  const store = scratch();
  try {
    const run = group.createRun(new Map(parked.lacking.map((name) => [name, 1])), 'dry-run', {
      events,
      store,
      hold: { readers: 0 },
      scope,
    });
    await run.fold.restore();
    const event = await readDeadLetterEvent(parked, run.prefixes, events);
    if (event !== undefined) await run.fold.fold([event]);
    return undefined;
  } catch (error) {
    if (hasCode(error, 'unavailable') && !isDamagedEvent(error)) throw error;
    return summarizeError(error);
  } finally {
    await store.close();
  }
}

/** Undefined where it is not in the log any more. */
async function readDeadLetterEvent(
  { position, stream, revision, after }: DeadLetter,
  prefixes: readonly string[],
  events: EventReader,
): Promise<RecordedEvent | undefined> {
  if (stream !== undefined && revision !== undefined) return events.readEvent(stream, revision);
  if (after === undefined)
    throw new Error('the log could not read it, and where it stands was not noted: a replay tells');
  const [first] = await events.readAll(after, { prefixes, limit: 1 });
  return first?.position === position ? first : undefined;
}
