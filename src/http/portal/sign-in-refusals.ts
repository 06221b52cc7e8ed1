import type { SignInRefusal } from '../../self-telemetry/prometheus-metrics.js';
import { LogThrottle } from '../limits/log-throttle.js';
import type { HttpLog } from '../steps/request-tracing.js';

/** Counts failed sign-ins. */
export interface SignInMeters {
  countRefusedSignIn(reason: SignInRefusal): void;
}

const MESSAGES: Readonly<Record<SignInRefusal, string>> = {
  refused: 'Portal sign-in refused',
  token: 'The API rejected the access token of a portal user',
  unavailable: 'Cannot reach the identity provider of the portal',
  'too-large': 'The tokens of the identity provider are too large for cookies; configure it to issue smaller tokens',
};

/** Failures of the service or its configuration, logged as errors. */
const SERVICE_FAILURES: readonly SignInRefusal[] = ['unavailable', 'too-large'];

/**
 * Records failed sign-ins: all of them in the metrics, and one per second and reason in the log, since anybody can cause
 * failing sign-ins.
 */
export class SignInRefusalLog {
  private readonly throttles = new Map<SignInRefusal, LogThrottle>();

  constructor(
    private readonly log: Pick<HttpLog, 'warn' | 'error'>,
    private readonly meters: SignInMeters | undefined,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** @param fields MUST NOT contain tokens, codes or cookies */
  record(reason: SignInRefusal, fields: Readonly<Record<string, unknown>>): void {
    this.meters?.countRefusedSignIn(reason);
    const leftOut = this.throttleFor(reason).acquire();
    if (leftOut === undefined) return;
    this.log[SERVICE_FAILURES.includes(reason) ? 'error' : 'warn'](MESSAGES[reason], { ...fields, leftOut });
  }

  private throttleFor(reason: SignInRefusal): LogThrottle {
    const throttle = this.throttles.get(reason) ?? new LogThrottle(this.now);
    this.throttles.set(reason, throttle);
    return throttle;
  }
}
