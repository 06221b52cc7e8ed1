import type { Position } from '../streams/event-store.js';

/** Events that a run was about to fold in one commit. */
export interface Attempt {
  /** Checkpoint of the run. */
  readonly after: Position;
  /** Of the first event. */
  readonly position: Position;
  /** Of the last one; absent: the first is folded alone. */
  readonly to?: Position;
  /** How many processes in a row have begun that event alone, the one that noted this included; 0 for several events. */
  readonly tries: number;
}

/** What a process finds that follows one which did not end in order. */
export interface Inheritance {
  /** What the process before noted last for the run; absent where it noted nothing. */
  readonly attempt?: Attempt;
}

/**
 * Tells a process what the one before it died of. A note MUST be there for the next process when this one is killed right
 * after it; it need not survive a power cut.
 */
export interface Attempts {
  /** Undefined where the process before ended in order, and for whoever asks again for the same run. */
  inherit(run: string): Inheritance | undefined;
  /** Replaces the run's note. MUST NOT throw. */
  note(run: string, attempt: Attempt): void;
  /** The run is over: nothing of it is kept. */
  forget(run: string): void;
}

/** For stores that do not outlive the process. */
export const NO_ATTEMPTS: Attempts = { inherit: () => undefined, note: () => undefined, forget: () => undefined };
