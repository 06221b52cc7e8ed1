import type { Position, Revision } from './event-store.js';

export interface DamageDetails extends ErrorOptions {
  /** Revision of the event in its stream; absent if it cannot be read either. */
  readonly revision?: Revision | undefined;
  /** Pages of the event could not be read, perhaps only temporarily; absent: the content that was read is damaged. */
  readonly isUnreadable?: boolean;
}

/**
 * A stored event whose bytes differ from those that were appended, or that cannot be upcast. Readers record a dead
 * letter, notify the operator, and continue after `position`, or in the stream after `revision`.
 */
export class DamagedEvent extends Error {
  override readonly name = 'DamagedEvent';
  readonly code = 'damaged-event';
  readonly revision: Revision | undefined;
  readonly isUnreadable: boolean;

  constructor(
    readonly position: Position,
    readonly reason: string,
    { revision, isUnreadable = false, ...options }: DamageDetails = {},
  ) {
    super(`Event at position ${position} is damaged: ${reason}`, options);
    this.revision = revision;
    this.isUnreadable = isUnreadable;
  }
}

/** Checks the code instead of the class, because the class does not survive a thread boundary. */
export function isDamagedEvent(error: unknown): error is DamagedEvent {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'damaged-event';
}
