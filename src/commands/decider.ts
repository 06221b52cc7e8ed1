import type { ErrorCode, FieldError } from '../errors.js';

/** Rejection of a command. Nothing is appended. */
export interface Rejection {
  readonly rejected: ErrorCode;
  readonly message: string;
  readonly fields: readonly FieldError[];
  /** Earliest time at which the same command may be accepted, ms since 1970. */
  readonly retryAtMs?: number;
}

/** Events to append, in order; empty if the command changes nothing. */
export type Decision<Event> = readonly Event[] | Rejection;

export interface DomainEvent {
  readonly type: string;
  readonly data: object;
}

/**
 * The rules of one aggregate as pure functions. Time, ids and secret hashes are part of the command, so that a decision
 * can be repeated after a conflict (see handle-command.ts).
 */
export interface Decider<Command, State, Event extends DomainEvent> {
  /** Stored event types that `evolve` handles. Other events of the stream belong to other deciders and are skipped. */
  readonly eventTypes: ReadonlySet<string>;
  readonly initialState: State;
  /**
   * Whether to decide from the rest of the stream if some of its events are damaged: safe for facts that recur.
   * Otherwise commands on such a stream are refused as `unavailable`, since they could contradict the lost events.
   */
  readonly skipsDamagedEvents?: true;
  decide(command: Command, state: State): Decision<Event>;
  evolve(state: State, event: Event): State;
  /** Same result as repeated `evolve`. For large states: copies the state once for all events. */
  evolveAll?(state: State, events: readonly Event[]): State;
}

export function reject(code: ErrorCode, message: string, fields: readonly FieldError[] = []): Rejection {
  return { rejected: code, message, fields };
}

/**
 * Condition that a command's author places on the current value; absent: no condition. Checked against the state to
 * which the events are appended, so no concurrent change can slip in between.
 */
export type Precondition<Value> = (current: Value) => boolean;

/** Rejects a command whose precondition does not hold. `resource` is its name in the message, such as `chart`. */
export function rejectChangedMeanwhile(resource: string): Rejection {
  return reject(
    'precondition-failed',
    `This ${resource} has changed since you read it. Read it again and repeat the change.`,
  );
}

/** Rejects a command that may succeed from `retryAtMs` (ms since 1970) on. */
export function rejectUntil(retryAtMs: number, code: ErrorCode, message: string): Rejection {
  return { ...reject(code, message), retryAtMs };
}

export function isRejection<Event>(decision: Decision<Event>): decision is Rejection {
  return 'rejected' in decision;
}
