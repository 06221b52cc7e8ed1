import type { SignInRefusal } from '../../self-telemetry/prometheus-metrics.js';
import { LogThrottle } from '../limits/log-throttle.js';
import type { HttpLog } from '../steps/request-tracing.js';

/** Counts people who could not be signed in. */
export interface SignInMeters {
  countRefusedSignIn(reason: SignInRefusal): void;
}

const MESSAGES: Readonly<Record<SignInRefusal, string>> = {
  refused: 'a sign-in to the portal was refused',
  token: 'the API does not take the token of a user of the portal',
  unavailable: 'the identity provider of the portal cannot be asked',
  'too-large': 'the tokens of the identity provider do not fit into cookies: let it put less into them',
};

/** Not the doing of who signs in. */
const OWN_FAULTS: readonly SignInRefusal[] = ['unavailable', 'too-large'];

/**
 * Tells operators who was not signed in, and why: every one in the counter, in the log one a second of each reason. Anybody can begin
 * a sign-in that fails.
 */
export class SignInRefusalLog {
  private readonly budgets = new Map<SignInRefusal, LogThrottle>();

  constructor(
    private readonly log: Pick<HttpLog, 'warn' | 'error'>,
    private readonly meters: SignInMeters | undefined,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** @param fields MUST hold no token, code or cookie */
  record(reason: SignInRefusal, fields: Readonly<Record<string, unknown>>): void {
    this.meters?.countRefusedSignIn(reason);
    const leftOut = this.throttleFor(reason).acquire();
    if (leftOut === undefined) return;
    this.log[OWN_FAULTS.includes(reason) ? 'error' : 'warn'](MESSAGES[reason], { ...fields, leftOut });
  }

  private throttleFor(reason: SignInRefusal): LogThrottle {
    const known = this.budgets.get(reason) ?? new LogThrottle(this.now);
    this.budgets.set(reason, known);
    return known;
  }
}
