import { randomUUID } from 'node:crypto';
import { HindsightError } from '../errors.js';
import { START, type EventStore, type ExpectedRevision, type Position, type RecordedEvent } from '../streams/event-store.js';
import { isRejection, type Decider, type DomainEvent } from './decider.js';

/** What a command brought about. `events` is empty where it changed nothing. */
export interface Handled<Event> {
  /** Place of the last event of the stream: read models that reflect it show the command. */
  readonly position: Position;
  readonly events: readonly Event[];
}

/**
 * Decides the commands one after the other on the stream's state and appends all of their events at once, or nothing.
 * Rejects with the code of the first command that is refused, with `conflict` when other processes kept changing
 * the stream, with `unavailable` as the store does.
 */
export type Handle<Command, Event> = (stream: string, ...commands: readonly Command[]) => Promise<Handled<Event>>;

/** Other processes can win this often in a row before a command gives up. */
export const MAX_ATTEMPTS = 20;

type Log = Pick<EventStore, 'readStream' | 'append'>;

/**
 * Load, fold, decide, append; again on a conflict. Commands of one stream and one process wait for each other,
 * so that only other processes can conflict.
 */
export function createHandle<Command, State, Event extends DomainEvent>(log: Log, decider: Decider<Command, State, Event>): Handle<Command, Event> {
  const last = new Map<string, Promise<unknown>>();
  return (stream, ...commands) => {
    const before = last.get(stream) ?? Promise.resolve();
    const run = before.then(() => handle(log, decider, stream, commands));
    const settled = run.catch(() => undefined).then(() => {
      if (last.get(stream) === settled) last.delete(stream);
    });
    last.set(stream, settled);
    return run;
  };
}

async function handle<Command, State, Event extends DomainEvent>(
  log: Log, decider: Decider<Command, State, Event>, stream: string, commands: readonly Command[],
): Promise<Handled<Event>> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const recorded = await log.readStream(stream);
    const events = decideAll(decider, commands, fold(decider, recorded));
    const newest = recorded.at(-1);
    if (events.length === 0) return { position: newest?.position ?? START, events };
    const expected: ExpectedRevision = newest?.revision ?? 'none';
    const appended = await log.append(stream, expected, events.map(({ type, data }) => ({ id: randomUUID(), type, data })));
    if (appended.ok) return { position: appended.position, events };
  }
  throw new HindsightError('conflict', 'Others are changing the same thing. Please try again.');
}

function fold<State, Event extends DomainEvent>(decider: Decider<never, State, Event>, recorded: readonly RecordedEvent[]): State {
  return recorded
    .filter(({ type }) => decider.eventTypes.has(type))
    .reduce((state, { type, data }) => decider.evolve(state, { type, data } as Event), decider.initialState);
}

function decideAll<Command, State, Event extends DomainEvent>(
  decider: Decider<Command, State, Event>, commands: readonly Command[], initial: State,
): readonly Event[] {
  const events: Event[] = [];
  let state = initial;
  for (const command of commands) {
    const decision = decider.decide(command, state);
    if (isRejection(decision)) throw new HindsightError(decision.rejected, decision.message, decision.fields);
    state = decision.reduce((folded, event) => decider.evolve(folded, event), state);
    events.push(...decision);
  }
  return events;
}
