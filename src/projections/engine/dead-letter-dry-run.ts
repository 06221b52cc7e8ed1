import { PROJECTION_GROUPS, type ProjectionGroup } from '../projection-groups.js';
import type { DeadLetter } from './dead-letter-queue.js';
import type { DryRunOutcome } from './projector-types.js';
import { hasCode } from '../../errors.js';
import type { ReadModelStore } from '../../read-models/read-model-store.js';
import type { EventReader, RecordedEvent } from '../../streams/event-store.js';
import { isDamagedEvent } from '../../streams/damaged-event.js';
import { summarizeError } from './projection-failures.js';
import type { ShardScope } from '../sharding/shard-scope.js';

/**
 * Dry-runs each event. Events that crash the process are never folded here: with `fatal` they are reported as foldable.
 */
export async function dryRunDeadLetters(
  events: readonly DeadLetter[],
  fatal: boolean,
  parts: DryRunParts,
): Promise<DryRunOutcome[]> {
  const outcomes: DryRunOutcome[] = [];
  for (const event of events) {
    const { position, projection } = event;
    const error = await findFailure(event, fatal, parts);
    outcomes.push({ position, projection, folds: error === undefined, ...(error === undefined ? {} : { error }) });
  }
  return outcomes;
}

/** Projections that miss an event that folds now; only `projection` if it is given. */
export function findProjectionsToRebuild(
  events: readonly DeadLetter[],
  outcomes: readonly DryRunOutcome[],
  projection?: string,
): ReadonlySet<string> {
  const lacking = events.flatMap((event, i) => (outcomes[i].folds ? event.lacking : []));
  return new Set(lacking.filter((name) => projection === undefined || name === projection));
}

async function findFailure(event: DeadLetter, fatal: boolean, parts: DryRunParts): Promise<string | undefined> {
  if (event.fatal === true) return fatal ? undefined : `${event.error}; retried only with --fatal`;
  const group = PROJECTION_GROUPS.find(({ name }) => name === event.projection);
  return group === undefined ? `this version has no projection group ${event.projection}` : dryRun(event, group, parts);
}

interface DryRunParts {
  readonly events: EventReader;
  /** Opens an empty store for one dry run; closed afterwards. */
  readonly scratch: () => ReadModelStore;
  readonly scope?: ShardScope;
}

/**
 * Folds one dead letter into an empty read model and discards the result. Returns why it cannot be folded, undefined if
 * it can. It knows nothing about earlier events in the log: only a rebuild is conclusive. An event that was truncated
 * from the log counts as foldable, because there is nothing left to fold.
 */
async function dryRun(
  deadLetter: DeadLetter,
  group: ProjectionGroup,
  { events, scratch, scope }: DryRunParts,
): Promise<string | undefined> {
  const store = scratch();
  try {
    const run = group.createRun(new Map(deadLetter.lacking.map((name) => [name, 1])), 'dry-run', {
      events,
      store,
      hold: { readers: 0 },
      scope,
    });
    await run.fold.restore();
    const event = await readDeadLetterEvent(deadLetter, run.prefixes, events);
    if (event !== undefined) await run.fold.fold([event]);
    return undefined;
  } catch (error) {
    if (hasCode(error, 'unavailable') && !isDamagedEvent(error)) throw error;
    return summarizeError(error);
  } finally {
    await store.close();
  }
}

/** Undefined if the event is not in the log any more. */
async function readDeadLetterEvent(
  { position, stream, revision, after }: DeadLetter,
  prefixes: readonly string[],
  events: EventReader,
): Promise<RecordedEvent | undefined> {
  if (stream !== undefined && revision !== undefined) return events.readEvent(stream, revision);
  if (after === undefined)
    throw new Error('the log cannot read the event and its position was not recorded; run a replay');
  const [first] = await events.readAll(after, { prefixes, limit: 1 });
  return first?.position === position ? first : undefined;
}
