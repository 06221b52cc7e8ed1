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
import { isRejection, type Decider, type DomainEvent } from './decider.js';

/** What a command brought about. `events` is empty where it changed nothing. */
export interface CommandOutcome<Event, State> {
  /** Place of the last event of the stream: read models that reflect it show the command. */
  readonly position: Position;
  readonly events: readonly Event[];
  /** After these events: what an answer tells of the command's work, while read models may lag. */
  readonly state: State;
}

/**
 * Decides the commands one after the other on the stream's state and appends all of their events at once, or nothing.
 * Rejects with the code of the first command that is refused, with `conflict` when other processes kept changing
 * the stream, with `unavailable` as the store does.
 */
export type CommandHandler<Command, Event, State = unknown> = (
  stream: string,
  ...commands: readonly Command[]
) => Promise<CommandOutcome<Event, State>>;

/** Other processes can win this often in a row before a command gives up: after some two seconds. */
export const MAX_ATTEMPTS = 40;

/** Who has lost waits up to so long (ms) before the second attempt, twice that before the third, and so on up to the longest. */
const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 100;

/** Streams of years are folded in parts, so that others come to read in between and memory holds no more than one. */
export const EVENT_BATCH_SIZE = 2_000;

type CommandLog = Pick<EventStore, 'readStream' | 'append'>;

/** A stream as it was after one of its events: that never changes, so that only later events have to be read. */
interface FoldedStream<State> {
  readonly state: State;
  readonly revision: ExpectedRevision;
  readonly position: Position;
}

/** The last command of each stream that has one under way. */
export type CommandQueue = Map<string, Promise<unknown>>;

/**
 * Load, fold, decide, append; again on a conflict. Commands of one stream and one line wait for each other: where all
 * deciders of a stream share one, only other processes can conflict.
 * @param remembered of how many streams, the last ones used, the state is kept: for streams that grow for years
 */
export function createCommandHandler<Command, State, Event extends DomainEvent>(
  log: CommandLog,
  decider: Decider<Command, State, Event>,
  remembered = 0,
  last: CommandQueue = new Map<string, Promise<unknown>>(),
): CommandHandler<Command, Event, State> {
  const memory = new Map<string, FoldedStream<State>>();
  const remember = (stream: string, folded: FoldedStream<State>): void => {
    memory.delete(stream);
    memory.set(stream, folded);
    for (const oldest of memory.keys()) if (memory.size > remembered) memory.delete(oldest);
  };
  return (stream, ...commands) => {
    const before = last.get(stream) ?? Promise.resolve();
    const run = before.then(() =>
      handleCommands(log, decider, {
        stream,
        commands,
        known: () => memory.get(stream),
        remember: (folded) => remember(stream, folded),
      }),
    );
    const settled = run
      .catch(() => undefined)
      .then(() => {
        if (last.get(stream) === settled) last.delete(stream);
      });
    last.set(stream, settled);
    return run;
  };
}

interface CommandTask<Command, State> {
  readonly stream: string;
  readonly commands: readonly Command[];
  readonly known: () => FoldedStream<State> | undefined;
  readonly remember: (folded: FoldedStream<State>) => void;
}

async function handleCommands<Command, State, Event extends DomainEvent>(
  log: CommandLog,
  decider: Decider<Command, State, Event>,
  { stream, commands, known, remember }: CommandTask<Command, State>,
): Promise<CommandOutcome<Event, State>> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const before = await loadState(log, decider, stream, known());
    remember(before);
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
    remember({ state, revision, position });
    return { position, events, state };
  }
  throw new HindsightError('conflict', 'Others are changing the same thing. Please try again.');
}

/** At random: processes that keep step with each other would lose to the same one each time. */
function retryDelayMs(attempt: number): number {
  return randomInt(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempt));
}

async function loadState<Command, State, Event extends DomainEvent>(
  log: CommandLog,
  decider: Decider<Command, State, Event>,
  stream: string,
  known: FoldedStream<State> | undefined,
): Promise<FoldedStream<State>> {
  let folded: FoldedStream<State> = known ?? { state: decider.initialState, revision: 'none', position: START };
  for (;;) {
    const recorded = await log.readStream(
      stream,
      typeof folded.revision === 'number' ? folded.revision + 1 : 0,
      EVENT_BATCH_SIZE,
    );
    const newest = recorded.at(-1);
    if (newest !== undefined)
      folded = {
        state: foldEvents(decider, folded.state, recorded),
        revision: newest.revision,
        position: newest.position,
      };
    if (recorded.length < EVENT_BATCH_SIZE) return folded;
  }
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
