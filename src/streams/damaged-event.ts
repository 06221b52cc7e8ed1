import type { Position } from './event-store.js';

/**
 * An event whose bytes are not those that were appended. Readers park it, tell the operator, and go on after `position`.
 */
export class DamagedEvent extends Error {
  override readonly name = 'DamagedEvent';
  readonly code = 'damaged-event';

  constructor(readonly position: Position, reason: string, options?: ErrorOptions) {
    super(`Event at position ${position} is damaged: ${reason}`, options);
  }
}

/** Looks at the code: the class does not survive a thread boundary. */
export function isDamagedEvent(error: unknown): error is DamagedEvent {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'damaged-event';
}
