import type { EventStore } from '../../streams/event-store.js';
import type { PortalSessionEnded } from '../../streams/events/portal-session-events.js';
import { PORTAL_SESSIONS_STREAM } from '../../streams/stream-names.js';

/** Resolves once it is durable. Rejects with `unavailable` where the log cannot be written: then nothing was, or nobody knows. */
export type SignOutRecorder = (ended: PortalSessionEnded['data']) => Promise<void>;

/** Nothing is decided here, so nothing is read: a session that is ended twice has ended. */
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
