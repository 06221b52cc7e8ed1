import type { ErrorCode, FieldError } from '../errors.js';

/** Why a command is refused. Nothing is written then. */
export interface Rejection {
  readonly rejected: ErrorCode;
  readonly message: string;
  readonly fields: readonly FieldError[];
  /** From when on the same command may be accepted, ms since 1970. */
  readonly retryAtMs?: number;
}

/** Events to append, in order; an empty list where the command changes nothing. */
export type Decision<Event> = readonly Event[] | Rejection;

export interface DomainEvent {
  readonly type: string;
  readonly data: object;
}

/**
 * The rules of one aggregate as three pure functions. Time, ids and hashes of secrets come in with the command,
 * so that a decision can be repeated, which `handle` does after a conflict.
 */
export interface Decider<Command, State, Event extends DomainEvent> {
  /** Stored types that `evolve` takes. Other events of the stream belong to other deciders and are passed by. */
  readonly eventTypes: ReadonlySet<string>;
  readonly initialState: State;
  decide(command: Command, state: State): Decision<Event>;
  evolve(state: State, event: Event): State;
  /** As `evolve` does it, event by event. For states that are large: one copy then does for all events. */
  evolveAll?(state: State, events: readonly Event[]): State;
}

export function reject(code: ErrorCode, message: string, fields: readonly FieldError[] = []): Rejection {
  return { rejected: code, message, fields };
}

/**
 * What the author of a command expects to be there; absent: whatever is there will do. Asked of the state that the events are appended
 * to, so that nobody can change it in between.
 */
export type Precondition<Thing> = (there: Thing) => boolean;

/** The refusal of a command whose author expected another `thing`. */
export function rejectChangedMeanwhile(thing: string): Rejection {
  return reject(
    'precondition-failed',
    `Somebody has changed this ${thing} since it was read: read it again, and repeat the change.`,
  );
}

/** A refusal that time cures. */
export function rejectUntil(retryAtMs: number, code: ErrorCode, message: string): Rejection {
  return { ...reject(code, message), retryAtMs };
}

export function isRejection<Event>(decision: Decision<Event>): decision is Rejection {
  return 'rejected' in decision;
}
