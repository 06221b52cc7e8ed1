import type { EventStore } from '../../streams/event-store.js';
import type { TokenMembershipsSeen } from '../../streams/events/token-membership-events.js';
import { PORTAL_SESSIONS_STREAM } from '../../streams/stream-names.js';

/** Records memberships that tokens grant; resolves once they are durable. Rejects with `unavailable`. */
export type TokenMembershipRecorder = (seen: readonly TokenMembershipsSeen['data'][]) => Promise<void>;

/** Appends without reading the stream: the event whose token ends last counts. */
export function createTokenMembershipRecorder({
  log,
  newId,
}: {
  readonly log: Pick<EventStore, 'append'>;
  readonly newId: () => string;
}): TokenMembershipRecorder {
  return async (seen) => {
    const events = seen.map((data): TokenMembershipsSeen => ({ type: 'TokenMembershipsSeen.v1', data }));
    await log.append(
      PORTAL_SESSIONS_STREAM,
      'any',
      events.map((event) => ({ id: newId(), ...event })),
    );
  };
}
