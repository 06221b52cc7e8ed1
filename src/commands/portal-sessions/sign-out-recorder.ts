import type { EventStore } from '../../streams/event-store.js';
import type { PortalSessionEnded } from '../../streams/events/portal-session-events.js';
import { PORTAL_SESSIONS_STREAM } from '../../streams/stream-names.js';

/**
 * Records a sign-out; resolves once it is durable. Rejects with `unavailable` if the log cannot be written: then
 * nothing was appended, or the outcome is unknown.
 */
export type SignOutRecorder = (ended: PortalSessionEnded['data']) => Promise<void>;

/** Appends without reading the stream: ending a session twice has no further effect. */
export function createSignOutRecorder({
  log,
  newId,
}: {
  readonly log: Pick<EventStore, 'append'>;
  readonly newId: () => string;
}): SignOutRecorder {
  return async (data) => {
    const event: PortalSessionEnded = { type: 'PortalSessionEnded.v1', data };
    await log.append(PORTAL_SESSIONS_STREAM, 'any', [{ id: newId(), ...event }]);
  };
}
