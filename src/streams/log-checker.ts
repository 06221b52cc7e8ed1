import type { Position } from './event-store.js';

/** Damage of the log at one position. Plain data. */
export interface Damage {
  readonly position: Position;
  readonly reason: string;
  /** The event is intact: an index lacks it, or cannot be read there. Absent: the event is damaged. */
  readonly isIndexOnly?: boolean;
}

/** Result of checking one slice of the log. Plain data. */
export interface CheckedSlice {
  /** Position of the last event that was checked; absent if no event follows. */
  readonly reached?: Position;
  /** Bytes that were read. */
  readonly bytes: number;
  /** In log order. */
  readonly damaged: readonly Damage[];
}

/** PORT: checks what a log has on its disk, including what its readers never notice, such as events without an index entry. */
export interface LogChecker {
  /**
   * Checks the first events after `after`, so few that other readers hardly wait. Reads from the disk, not from what
   * earlier reads have cached. Rejects with `unavailable` if the log cannot be read at all.
   */
  checkAfter(after: Position): Promise<CheckedSlice>;
}
