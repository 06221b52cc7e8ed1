import { createHash } from 'node:crypto';
import { HindsightError } from '../../errors.js';
import type { PortalSessionEnded } from '../../streams/events/portal-session-events.js';
import { CLOCK_SKEW_SECONDS, type VerifyBearer } from '../tokens/token-verifier.js';
import { ExpiringSet } from './expiring-set.js';
import type { PortalSession } from './portal-session.js';

/** Maximum number of ended sessions, of their tokens, and of sign-outs that are not in the log yet; covers a week. */
const MAX_ENDED = 100_000;

type EndedSession = PortalSessionEnded['data'];
type EndingSession = Pick<PortalSession, 'id' | 'endsAt' | 'accessToken' | 'accessEndsAt'>;

export interface EndedSessionsOptions {
  /** Appends a sign-out to the log; resolves once it is durable. */
  readonly record: (ended: EndedSession) => Promise<unknown>;
  /** Called when a sign-out could not be recorded immediately. */
  readonly onUnrecorded: (error: unknown) => void;
  /** Called when a session has ended in this process, before it is in the log. */
  readonly onEnded: () => void;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Default 100,000. */
  readonly max?: number;
}

/**
 * Signed-out sessions and their access tokens, folded from the log in each process that accepts them, so that copies of
 * either are rejected everywhere, also after a restart. Beyond `max` sessions, those that expire soonest are evicted,
 * and every session that expires no later is rejected: some users have to sign in again, but no copy becomes valid.
 */
export class EndedSessions {
  private readonly sessions: ExpiringSet<number>;
  private readonly tokens: ExpiringSet<number>;
  /** Sign-outs that are being recorded. */
  private readonly ending = new Set<string>();
  /** Sign-outs that may be known to this process only. */
  private readonly unrecorded: ExpiringSet<EndedSession>;
  private isRecording = false;
  private isCaughtUp = false;

  constructor(private readonly options: EndedSessionsOptions) {
    const { max = MAX_ENDED, now } = options;
    const createSet = (): ExpiringSet<number> => new ExpiringSet(max, now, (until) => until);
    [this.sessions, this.tokens] = [createSet(), createSet()];
    this.unrecorded = new ExpiringSet<EndedSession>(max, now, ({ until }) => until);
  }

  /** Applies an event of the log; idempotent. */
  apply({ sessionId, until, tokenHash, tokenUntil }: EndedSession): void {
    this.sessions.add(sessionId, until);
    this.addToken(tokenHash, tokenUntil);
    this.unrecorded.delete(sessionId);
  }

  /** Marks that all events present at the start have been applied. */
  markCaughtUp(): void {
    this.isCaughtUp = true;
  }

  /**
   * Ends a session in this process immediately. Resolves to whether the sign-out is in the log and so effective
   * everywhere.
   */
  async end({ id, endsAt, accessToken, accessEndsAt }: EndingSession): Promise<boolean> {
    if (this.sessions.has(id)) return true;
    const ended: EndedSession = {
      sessionId: id,
      until: endsAt,
      tokenHash: hashToken(accessToken),
      tokenUntil: accessEndsAt,
      at: this.options.now(),
    };
    this.ending.add(id);
    this.addToken(ended.tokenHash, accessEndsAt);
    this.options.onEnded();
    try {
      await this.options.record(ended);
      this.apply(ended);
      return true;
    } catch (error) {
      this.unrecorded.add(id, ended);
      this.options.onUnrecorded(error);
      return false;
    } finally {
      this.ending.delete(id);
    }
  }

  /**
   * Retries unrecorded sign-outs until one fails; resolves to the number recorded. A sign-out may be recorded twice if
   * an earlier outcome was unknown, which has no effect. Never rejects: the failure was reported when it began. Does
   * nothing while another call runs.
   */
  async retryUnrecorded(): Promise<number> {
    if (this.isRecording) return 0;
    this.isRecording = true;
    let recorded = 0;
    try {
      for (const ended of this.unrecorded.values) {
        if (ended.until > this.options.now()) {
          await this.options.record(ended);
          recorded += 1;
        }
        this.apply(ended);
      }
    } catch {
      // The next call retries the rest.
    } finally {
      this.isRecording = false;
    }
    return recorded;
  }

  /**
   * Whether the session has ended. Throws `unavailable` until the log has been read, because the cookie may be a copy.
   */
  has({ id, endsAt }: Pick<PortalSession, 'id' | 'endsAt'>): boolean {
    if (!this.isCaughtUp)
      throw new HindsightError('unavailable', 'The list of ended sessions is still loading. Please try again.');
    return (
      this.sessions.has(id) ||
      this.ending.has(id) ||
      this.unrecorded.has(id) ||
      endsAt <= Math.max(this.sessions.floor, this.unrecorded.floor)
    );
  }

  /** Wraps a verifier to reject access tokens of ended sessions; other tokens do not wait for the log. */
  rejectEnded(verify: VerifyBearer): VerifyBearer {
    return async (token) =>
      this.hasToken(token)
        ? { ok: false, reason: 'unauthenticated', expired: false, detail: 'The user has signed out.' }
        : verify(token);
  }

  /** Kept as long as a verifier would accept the token, which includes the clock skew. */
  private addToken(hash: string, endsAt: number): void {
    this.tokens.add(hash, endsAt + CLOCK_SKEW_SECONDS * 1000);
  }

  private hasToken(token: string): boolean {
    return this.tokens.size > 0 && this.tokens.has(hashToken(token));
  }
}

function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64');
}
