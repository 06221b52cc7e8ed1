import type { Position, Revision } from './event-store.js';

export interface DamageDetails extends ErrorOptions {
  /** Place of the event in its stream; absent where that cannot be read either. */
  readonly revision?: Revision | undefined;
}

/**
 * An event whose bytes are not those that were appended. Readers park it, tell the operator, and go on after `position`, or in its
 * stream after `revision`.
 */
export class DamagedEvent extends Error {
  override readonly name = 'DamagedEvent';
  readonly code = 'damaged-event';
  readonly revision: Revision | undefined;

  constructor(
    readonly position: Position,
    reason: string,
    { revision, ...options }: DamageDetails = {},
  ) {
    super(`Event at position ${position} is damaged: ${reason}`, options);
    this.revision = revision;
  }
}

/** Looks at the code: the class does not survive a thread boundary. */
export function isDamagedEvent(error: unknown): error is DamagedEvent {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'damaged-event';
}
