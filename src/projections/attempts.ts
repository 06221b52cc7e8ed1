import type { Position } from '../streams/event-store.js';

/** What a run is about to fold. */
export interface Attempt {
  /** Its checkpoint before. */
  readonly after: Position;
  /** Position of the last event that is tried. */
  readonly until: Position;
  /** Whether it is a single event. */
  readonly alone: boolean;
  /** How many processes have begun it, this one included. */
  readonly tries: number;
}

/**
 * Notes what each run tries, so that the next process knows what this one died of. A note MUST be there for the next
 * process when this one is killed right after it; it need not survive a power cut.
 */
export interface Attempts {
  /** What the process before noted last for this run; undefined at the second call. */
  left(run: string): Attempt | undefined;
  /** Replaces the run's note. Called before each commit of a run: MUST cost no more than microseconds, MUST NOT throw. */
  note(run: string, attempt: Attempt): void;
  /** The run is over: nothing of it is kept. */
  forget(run: string): void;
}

/** For stores that do not outlive the process. */
export const NO_ATTEMPTS: Attempts = { left: () => undefined, note: () => undefined, forget: () => undefined };
