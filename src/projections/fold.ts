import type { RecordedEvent } from '../streams/event-store.js';
import type { Change } from '../read-models/store.js';

/**
 * Turns events into changes of read models. May keep state in memory as long as `restore` can bring it back
 * to what the last commit left in the store.
 */
export interface Fold {
  /** Forgets everything and loads what the store holds at its checkpoint. Called before the first fold and after any failure. */
  restore(): Promise<void>;

  /**
   * How many of the events from index `from` on go into one commit, at least 1.
   * Bounds the work of a commit, and parts events that must not be folded together.
   */
  portion(events: readonly RecordedEvent[], from: number): number;

  /**
   * The changes that these events make, in the order of the log; what they amount to MUST NOT depend on how the log was
   * cut into portions. Nothing is written here. Rejects with code `unavailable` when a store is away; any other failure
   * means that one of the events is indigestible.
   */
  fold(events: readonly RecordedEvent[]): Promise<Change[]>;
}

/** Projections that are committed together, fold by fold. */
export interface Run {
  /** For logs. */
  readonly name: string;
  /** Of the group of projections: an event that is parked live and again in a rebuild is parked once. */
  readonly group: string;
  /** Streams that it reads. */
  readonly prefixes: readonly string[];
  /** Checkpoints that each commit moves, at least one; they are always equal. */
  readonly checkpoints: readonly string[];
  readonly fold: Fold;
}
