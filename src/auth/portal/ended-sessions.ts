import { createHash } from 'node:crypto';
import { HindsightError } from '../../errors.js';
import type { PortalSessionEnded } from '../../streams/events/portal-session-events.js';
import { CLOCK_SKEW_SECONDS } from '../tokens/token-claims.js';
import type { VerifyBearer } from '../tokens/token-verifier.js';
import { ExpiringSet } from './expiring-set.js';
import type { PortalSession } from './portal-session.js';

/** Sign-outs of a week that are kept, as many of their tokens, and as many that the log has not taken yet. */
const MAX_ENDED = 100_000;

type EndedSession = PortalSessionEnded['data'];
type EndingSession = Pick<PortalSession, 'id' | 'endsAt' | 'accessToken' | 'accessEndsAt'>;

export interface EndedSessionsOptions {
  /** Puts it into the log; resolves once it is durable. */
  readonly record: (ended: EndedSession) => Promise<unknown>;
  /** Told why a sign-out could not be put there when it happened. */
  readonly onUnrecorded: (error: unknown) => void;
  /** Told when a session has ended in this process, before the log has it. */
  readonly onEnded: () => void;
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
  private readonly sessions: ExpiringSet<number>;
  private readonly tokens: ExpiringSet<number>;
  /** On their way to the log. */
  private readonly ending = new Set<string>();
  /** Ended in this process, and perhaps nowhere else. */
  private readonly unrecorded: ExpiringSet<EndedSession>;
  private isRecording = false;
  private isCaughtUp = false;

  constructor(private readonly options: EndedSessionsOptions) {
    const { max = MAX_ENDED, now } = options;
    const marks = (): ExpiringSet<number> => new ExpiringSet(max, now, (until) => until);
    [this.sessions, this.tokens] = [marks(), marks()];
    this.unrecorded = new ExpiringSet<EndedSession>(max, now, ({ until }) => until);
  }

  /** An event of the log; one that comes again says nothing new. */
  apply({ sessionId, until, tokenHash, tokenUntil }: EndedSession): void {
    this.sessions.add(sessionId, until);
    this.addToken(tokenHash, tokenUntil);
    this.unrecorded.delete(sessionId);
  }

  /** All that the log held at the start has been heard. */
  markCaughtUp(): void {
    this.isCaughtUp = true;
  }

  /** Ends a session in this process at once. Resolves to whether it is in the log, and so holds everywhere and for good. */
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
   * Puts into the log what it could not take before, as long as it takes it, and resolves to how many it took. What it may have taken
   * without saying so is there twice then, which says nothing new. Never rejects: why it takes none was told when it began. Not twice at once.
   */
  async retryUnrecorded(): Promise<number> {
    if (this.isRecording) return 0;
    this.isRecording = true;
    let recorded = 0;
    try {
      for (const ended of this.unrecorded.all) {
        if (ended.until > this.options.now()) {
          await this.options.record(ended);
          recorded += 1;
        }
        this.apply(ended);
      }
    } catch {
      // The rest comes with the next call.
    } finally {
      this.isRecording = false;
    }
    return recorded;
  }

  /** Throws `unavailable` as long as the log has not been heard: nobody knows then whose cookie is a copy. */
  has({ id, endsAt }: Pick<PortalSession, 'id' | 'endsAt'>): boolean {
    if (!this.isCaughtUp)
      throw new HindsightError('unavailable', 'Who has signed out is not known yet. Please try again.');
    return (
      this.sessions.has(id) ||
      this.ending.has(id) ||
      this.unrecorded.has(id) ||
      endsAt <= Math.max(this.sessions.floor, this.unrecorded.floor)
    );
  }

  /** Refuses access tokens of sessions that have ended, and leaves the others to `verify`; those that never were in a session do not wait for the log. */
  rejectEnded(verify: VerifyBearer): VerifyBearer {
    return async (token) =>
      this.hasToken(token)
        ? { ok: false, reason: 'unauthenticated', expired: false, detail: 'The user has signed out.' }
        : verify(token);
  }

  /** As long as a verifier would take it, which is longer than the token says. */
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
