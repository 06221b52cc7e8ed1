import type { SignInRefusal } from '../../metrics/metrics.js';
import { LineBudget } from '../line-budget.js';
import type { ServiceLog } from '../service-log.js';

/** Counts people who could not be signed in. */
export interface SignInMeters {
  signInRefused(reason: SignInRefusal): void;
}

const MESSAGES: Readonly<Record<SignInRefusal, string>> = {
  'refused': 'a sign-in to the portal was refused',
  'token': 'the API does not take the token of a user of the portal',
  'unavailable': 'the identity provider of the portal cannot be asked',
  'too-large': 'the tokens of the identity provider do not fit into cookies: let it put less into them',
};

/** Not the doing of who signs in. */
const OWN_FAULTS: readonly SignInRefusal[] = ['unavailable', 'too-large'];

/**
 * Tells operators who was not signed in, and why: every one in the counter, in the log one a second of each reason. Anybody can begin
 * a sign-in that fails.
 */
export class RefusedSignIns {
  private readonly budgets = new Map<SignInRefusal, LineBudget>();

  constructor(
    private readonly log: Pick<ServiceLog, 'warn' | 'error'>,
    private readonly meters: SignInMeters | undefined,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** @param fields MUST hold no token, code or cookie */
  note(reason: SignInRefusal, fields: Readonly<Record<string, unknown>>): void {
    this.meters?.signInRefused(reason);
    const leftOut = this.budgetOf(reason).take();
    if (leftOut === undefined) return;
    this.log[OWN_FAULTS.includes(reason) ? 'error' : 'warn'](MESSAGES[reason], { ...fields, leftOut });
  }

  private budgetOf(reason: SignInRefusal): LineBudget {
    const known = this.budgets.get(reason) ?? new LineBudget(this.now);
    this.budgets.set(reason, known);
    return known;
  }
}
