import type { Logger } from './logger.js';

/** A failure that lasts is logged again after this time (ms). */
const REPEAT_MS = 600_000;
/** A failure that comes back after a recovery is logged again after this time (ms), so that one that alternates stays readable. */
const PAUSE_MS = 60_000;
/** Reasons of one subject that are logged within `REPEAT_MS`. */
const MAX_REASONS = 8;
/** Subjects that are remembered. While so many fail, further ones are logged as one, without their fields. */
const MAX_SUBJECTS = 1_000;

/** What has failed, as fields of the log: a Grid, an objective of it; no fields: the policy as a whole. */
export type FailureSubject = Readonly<Record<string, string>>;

export interface FailureReporterParts {
  readonly log: Pick<Logger, 'error' | 'warn' | 'info'>;
  /** Of failures; default `error`. */
  readonly level?: 'error' | 'warn';
  /** Message of a failure, which is logged with the fields of its subject and the error. */
  readonly failed: string;
  /** Message of the first success after a logged failure. */
  readonly recovered: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Whether failures are expected from now on, because the service stops. */
  readonly isStopping: () => boolean;
}

interface KnownFailures {
  /** When each reason was last logged, oldest first. */
  readonly loggedAt: Map<string, number>;
  /** Whether the last attempt failed, as far as the log says. */
  isFailing: boolean;
  /** Milliseconds since 1970. */
  failedAt: number;
}

const createFailures = (): KnownFailures => ({ loggedAt: new Map(), isFailing: false, failedAt: 0 });

/**
 * Logs the failures of a policy that retries: once for each subject and reason, again every ten minutes while it lasts, and
 * once that the subject works again. A subject that fails and recovers in turn is logged at most once a minute. Lines are
 * bounded however many subjects fail: beyond 1,000, the others share one.
 */
export class FailureReporter {
  /** The one that has failed least recently first. */
  private readonly known = new Map<string, KnownFailures>();
  /** Of all subjects for which there is no place. */
  private readonly others = createFailures();

  constructor(private readonly parts: FailureReporterParts) {}

  /** Runs an attempt and logs what follows from it. Never rejects; resolves to whether the attempt has succeeded. */
  async watch(subject: FailureSubject, attempt: () => Promise<unknown>): Promise<boolean> {
    try {
      await attempt();
      this.reportSuccess(subject);
      return true;
    } catch (error) {
      this.reportFailure(subject, error);
      return false;
    }
  }

  reportFailure(subject: FailureSubject, error: unknown): void {
    if (this.parts.isStopping()) return;
    const known = this.open(subject);
    const failures = known ?? this.others;
    failures.failedAt = this.parts.now();
    // The reasons of the others may all be different.
    if (!this.isDue(failures, known === undefined ? '' : describeReason(error))) return;
    failures.isFailing = true;
    const { log, level = 'error', failed } = this.parts;
    log[level](failed, { ...(known === undefined ? { beside: `${MAX_SUBJECTS} others that fail` } : subject), error });
  }

  reportSuccess(subject: FailureSubject): void {
    const failures = this.known.get(toKey(subject));
    if (failures?.isFailing !== true) return;
    failures.isFailing = false;
    this.parts.log.info(this.parts.recovered, subject);
  }

  /** The failures of a subject, which becomes the most recent one; undefined if there is no place for it. */
  private open(subject: FailureSubject): KnownFailures | undefined {
    const key = toKey(subject);
    const failures = this.known.get(key) ?? createFailures();
    this.known.delete(key);
    if (this.known.size >= MAX_SUBJECTS && !this.forgetOldest()) return undefined;
    this.known.set(key, failures);
    return failures;
  }

  /** False if the subject that has failed least recently still fails, and so do all others. */
  private forgetOldest(): boolean {
    for (const [key, { isFailing, failedAt }] of this.known) {
      const hasEnded = !isFailing || Math.abs(this.parts.now() - failedAt) >= REPEAT_MS;
      return hasEnded && this.known.delete(key);
    }
    return true;
  }

  /** Notes that the reason is logged now; false if it was a short time ago. */
  private isDue({ loggedAt, isFailing }: KnownFailures, reason: string): boolean {
    const now = this.parts.now();
    // A clock that was set back must not silence failures.
    const elapsed = (since: number | undefined): number => (since === undefined ? Infinity : Math.abs(now - since));
    if (elapsed(loggedAt.get(reason)) < (isFailing ? REPEAT_MS : PAUSE_MS)) return false;
    if (!loggedAt.delete(reason) && loggedAt.size >= MAX_REASONS) {
      const [[oldest, since]] = loggedAt;
      if (elapsed(since) < REPEAT_MS) return false;
      loggedAt.delete(oldest);
    }
    loggedAt.set(reason, now);
    return true;
  }
}

function toKey(subject: FailureSubject): string {
  return JSON.stringify(Object.values(subject));
}

function describeReason(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
