import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { HindsightError } from '../errors.js';
import {
  START,
  type EventStore,
  type ExpectedRevision,
  type Position,
  type RecordedEvent,
} from '../streams/event-store.js';
import { isDamagedEvent } from '../streams/damaged-event.js';
import { isRejection, type Decider, type DomainEvent } from './decider.js';

/** Result of commands. `events` is empty if nothing changed. */
export interface CommandOutcome<Event, State> {
  /** Position of the last event of the stream: read models that have reached it reflect the command. */
  readonly position: Position;
  readonly events: readonly Event[];
  /** State after these events, for responses while read models may lag. */
  readonly state: State;
}

/**
 * Decides the commands in order on the stream's state and appends all of their events at once, or none. Rejects with
 * the code of the first rejected command, with `conflict` if other processes keep changing the stream, and with
 * `unavailable` as the store does.
 */
export type CommandHandler<Command, Event, State = unknown> = (
  stream: string,
  ...commands: readonly Command[]
) => Promise<CommandOutcome<Event, State>>;

/** Attempts before a command gives up because of conflicts: after about two seconds. */
export const MAX_ATTEMPTS = 40;

/**
 * Upper bound (ms) of the random delay before the second attempt; it doubles with each attempt up to LONGEST_PAUSE_MS.
 */
const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 100;

/** Streams are folded in batches, which bounds memory and yields to other work in between. */
export const EVENT_BATCH_SIZE = 2_000;

type CommandLog = Pick<EventStore, 'readStream' | 'append'>;

/** State of a stream after one of its events. Never becomes invalid: only later events have to be read. */
interface FoldedStream<State> {
  readonly state: State;
  readonly revision: ExpectedRevision;
  readonly position: Position;
}

/** The last pending command of each stream. */
export type CommandQueue = Map<string, Promise<unknown>>;

/**
 * Creates a handler that loads, folds, decides and appends, and repeats this on a conflict. Commands of one stream in
 * one queue wait for each other: if all deciders of a stream share a queue, only other processes can conflict.
 * @param cacheSize number of streams whose state is cached (LRU), for streams that grow for years
 */
export function createCommandHandler<Command, State, Event extends DomainEvent>(
  log: CommandLog,
  decider: Decider<Command, State, Event>,
  cacheSize = 0,
  queue: CommandQueue = new Map<string, Promise<unknown>>(),
): CommandHandler<Command, Event, State> {
  const cache = new Map<string, FoldedStream<State>>();
  const store = (stream: string, folded: FoldedStream<State>): void => {
    cache.delete(stream);
    cache.set(stream, folded);
    for (const oldest of cache.keys()) if (cache.size > cacheSize) cache.delete(oldest);
  };
  return (stream, ...commands) => {
    const before = queue.get(stream) ?? Promise.resolve();
    const run = before.then(() =>
      handleCommands(log, decider, {
        stream,
        commands,
        cached: () => cache.get(stream),
        store: (folded) => store(stream, folded),
      }),
    );
    const settled = run
      .catch(() => undefined)
      .then(() => {
        if (queue.get(stream) === settled) queue.delete(stream);
      });
    queue.set(stream, settled);
    return run;
  };
}

interface CommandTask<Command, State> {
  readonly stream: string;
  readonly commands: readonly Command[];
  readonly cached: () => FoldedStream<State> | undefined;
  readonly store: (folded: FoldedStream<State>) => void;
}

async function handleCommands<Command, State, Event extends DomainEvent>(
  log: CommandLog,
  decider: Decider<Command, State, Event>,
  { stream, commands, cached, store }: CommandTask<Command, State>,
): Promise<CommandOutcome<Event, State>> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const before = await loadState(log, decider, stream, cached());
    store(before);
    const { events, state } = decideAll(decider, commands, before.state);
    if (events.length === 0) return { position: before.position, events, state };
    const appended = await log.append(
      stream,
      before.revision,
      events.map(({ type, data }) => ({ id: randomUUID(), type, data })),
    );
    if (!appended.ok) {
      await pause(retryDelayMs(attempt));
      continue;
    }
    const { position, revision } = appended;
    store({ state, revision, position });
    return { position, events, state };
  }
  throw new HindsightError('conflict', 'The resource is being changed by others at the same time. Please try again.');
}

/** Random, because processes with the same delays would conflict again each time. */
function retryDelayMs(attempt: number): number {
  return randomInt(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempt));
}

async function loadState<Command, State, Event extends DomainEvent>(
  log: CommandLog,
  decider: Decider<Command, State, Event>,
  stream: string,
  cached: FoldedStream<State> | undefined,
): Promise<FoldedStream<State>> {
  let folded: FoldedStream<State> = cached ?? { state: decider.initialState, revision: 'none', position: START };
  for (let limit = EVENT_BATCH_SIZE; ;) {
    const from = typeof folded.revision === 'number' ? folded.revision + 1 : 0;
    const recorded = await log.readStream(stream, from, limit).catch((error: unknown) => toSkippable(error, decider));
    if (!Array.isArray(recorded)) {
      // Reading one by one reaches the damaged event, and skips only that.
      if (limit === 1) folded = { ...folded, revision: recorded.revision, position: recorded.position };
      limit = limit === 1 ? EVENT_BATCH_SIZE : 1;
      continue;
    }
    const newest = recorded.at(-1);
    if (newest !== undefined)
      folded = {
        state: foldEvents(decider, folded.state, recorded),
        revision: newest.revision,
        position: newest.position,
      };
    if (recorded.length < limit) return folded;
  }
}

/** Where a damaged event is that this decider skips. Throws any other error, and `unavailable` if it does not skip. */
function toSkippable(
  error: unknown,
  { skipsDamagedEvents }: Pick<Decider<never, unknown, DomainEvent>, 'skipsDamagedEvents'>,
): Pick<RecordedEvent, 'revision' | 'position'> {
  if (!isDamagedEvent(error)) throw error;
  const { revision, position, message } = error;
  if (skipsDamagedEvents === true && revision !== undefined) return { revision, position };
  throw new HindsightError(
    'unavailable',
    `Nothing can be changed here until an operator has repaired the log. ${message}`,
    [],
    {
      cause: error,
    },
  );
}

function foldEvents<State, Event extends DomainEvent>(
  decider: Decider<never, State, Event>,
  initial: State,
  recorded: readonly RecordedEvent[],
): State {
  const events = recorded
    .filter(({ type }) => decider.eventTypes.has(type))
    .map(({ type, data }) => ({ type, data }) as Event);
  return evolveAll(decider, initial, events);
}

function evolveAll<State, Event extends DomainEvent>(
  decider: Decider<never, State, Event>,
  initial: State,
  events: readonly Event[],
): State {
  if (events.length === 0) return initial;
  return decider.evolveAll?.(initial, events) ?? events.reduce((state, event) => decider.evolve(state, event), initial);
}

function decideAll<Command, State, Event extends DomainEvent>(
  decider: Decider<Command, State, Event>,
  commands: readonly Command[],
  initial: State,
): { readonly events: readonly Event[]; readonly state: State } {
  const events: Event[] = [];
  let state = initial;
  for (const command of commands) {
    const decision = decider.decide(command, state);
    if (isRejection(decision))
      throw new HindsightError(decision.rejected, decision.message, decision.fields, { retryAtMs: decision.retryAtMs });
    state = evolveAll(decider, state, decision);
    events.push(...decision);
  }
  return { events, state };
}
