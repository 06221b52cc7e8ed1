import { createHash } from 'node:crypto';
import { HindsightError } from '../../errors.js';
import type { PortalSessionEnded } from '../../streams/events/portal-session-events.js';
import type { VerifyBearer } from '../token-verifier.js';
import { BoundedMarks } from './bounded-marks.js';
import type { PortalSession } from './session.js';

/** Sign-outs of a week that are kept, and as many of their tokens. */
const MAX_ENDED = 100_000;

type Ended = PortalSessionEnded['data'];
type Ending = Pick<PortalSession, 'id' | 'endsAt' | 'accessToken' | 'accessEndsAt'>;

export interface EndedSessionsOptions {
  /** Puts it into the log; resolves once it is durable. */
  readonly record: (ended: Ended) => Promise<unknown>;
  /** Told why a sign-out could not be put there. */
  readonly onUnrecorded: (error: unknown) => void;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** 100,000 unless said otherwise. */
  readonly max?: number;
}

/**
 * Sessions of users who have signed out, and the access tokens that these had: folded from the log, in each process that takes them, so
 * that a copy of either is worth nothing anywhere, also after a restart. Of more than `max` sessions those that would end soonest are
 * forgotten, and with them every session that ends no later is refused: somebody signs in once more, but no copy comes back.
 */
export class EndedSessions {
  private readonly sessions: BoundedMarks;
  private readonly tokens: BoundedMarks;
  /** Ended in this process, and perhaps nowhere else. */
  private readonly unrecorded: BoundedMarks;
  private isCaughtUp = false;

  constructor(private readonly options: EndedSessionsOptions) {
    const { max = MAX_ENDED, now } = options;
    [this.sessions, this.tokens, this.unrecorded] = [new BoundedMarks(max, now), new BoundedMarks(max, now), new BoundedMarks(max, now)];
  }

  /** An event of the log; one that comes again says nothing new. */
  hear({ sessionId, until, tokenHash, tokenUntil }: Ended): void {
    this.sessions.add(sessionId, until);
    this.tokens.add(tokenHash, tokenUntil);
    this.unrecorded.delete(sessionId);
  }

  /** All that the log held at the start has been heard. */
  caughtUp(): void {
    this.isCaughtUp = true;
  }

  /** Ends a session in this process at once. Resolves to whether it is in the log, and so holds everywhere and for good. */
  async end({ id, endsAt, accessToken, accessEndsAt }: Ending): Promise<boolean> {
    if (this.sessions.has(id)) return true;
    const ended: Ended = { sessionId: id, until: endsAt, tokenHash: hashOf(accessToken), tokenUntil: accessEndsAt, at: this.options.now() };
    this.unrecorded.add(id, endsAt);
    this.tokens.add(ended.tokenHash, accessEndsAt);
    try {
      await this.options.record(ended);
    } catch (error) {
      this.options.onUnrecorded(error);
      return false;
    }
    this.hear(ended);
    return true;
  }

  /** Throws `unavailable` as long as the log has not been heard: nobody knows then whose cookie is a copy. */
  has({ id, endsAt }: Pick<PortalSession, 'id' | 'endsAt'>): boolean {
    if (!this.isCaughtUp) throw new HindsightError('unavailable', 'Who has signed out is not known yet. Please try again.');
    return this.sessions.has(id) || this.unrecorded.has(id) || endsAt <= this.sessions.floor;
  }

  /** Refuses access tokens of sessions that have ended, and leaves the others to `verify`; those that never were in a session do not wait for the log. */
  guard(verify: VerifyBearer): VerifyBearer {
    return async (token) => (this.hasToken(token) ? { ok: false, reason: 'unauthenticated', expired: false, detail: 'The user has signed out.' } : verify(token));
  }

  private hasToken(token: string): boolean {
    return this.tokens.size > 0 && this.tokens.has(hashOf(token));
  }
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64');
}
