import type { CodeName } from './server-error.js';

/** What shall happen to the next commands of a name. */
export interface Fault {
  readonly command: string;
  /** How often; once where it is not said. */
  readonly times?: number;
  /** Commands of that name that are let through first. */
  readonly after?: number;
  readonly kind:
    /** The connection ends; the command was not done. */
    | 'drop-before'
    /** The connection ends; the command was done, and its answer is lost. */
    | 'drop-after'
    /** No answer, not ever; the command was not done. */
    | 'freeze'
    | { readonly error: CodeName; readonly labels?: readonly string[] }
    | { readonly delayMs: number };
}

/** Faults on demand, each used up as it is met. */
export class Faults {
  private readonly planned: { fault: Fault; left: number; passing: number; meanwhile: () => void }[] = [];

  /** `meanwhile` happens when the fault is met, before the command is done. */
  plan(fault: Fault, meanwhile: () => void = () => undefined): void {
    this.planned.push({ fault, left: fault.times ?? 1, passing: fault.after ?? 0, meanwhile });
  }

  clear(): void {
    this.planned.length = 0;
  }

  /** What happens to this command. */
  next(name: string): Fault['kind'] | undefined {
    for (const plan of this.planned) {
      if (plan.left === 0 || plan.fault.command !== name) continue;
      if (plan.passing-- > 0) return undefined;
      plan.left--;
      plan.meanwhile();
      return plan.fault.kind;
    }
    return undefined;
  }
}
