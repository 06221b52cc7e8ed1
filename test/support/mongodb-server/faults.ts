import type { CodeName } from './server-error.js';

/** A fault of the next commands with a name. */
export interface Fault {
  readonly command: string;
  /** Number of times; default: 1. */
  readonly times?: number;
  /** Number of commands that succeed first. */
  readonly after?: number;
  readonly kind:
    /** Closes the connection before the command. */
    | 'drop-before'
    /** Performs the command and closes the connection without a response. */
    | 'drop-after'
    /** Neither performs the command nor responds. */
    | 'freeze'
    | { readonly error: CodeName; readonly labels?: readonly string[] }
    /** The first document of a write is rejected with this error. */
    | { readonly writeError: CodeName }
    | { readonly delayMs: number };
}

/** Injected faults, each consumed when it occurs. */
export class Faults {
  private readonly planned: { fault: Fault; left: number; passing: number; meanwhile: () => void }[] = [];

  /** `meanwhile` is called when the fault occurs, before the command is performed. */
  plan(fault: Fault, meanwhile: () => void = () => undefined): void {
    this.planned.push({ fault, left: fault.times ?? 1, passing: fault.after ?? 0, meanwhile });
  }

  clear(): void {
    this.planned.length = 0;
  }

  /** The fault of this command. */
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
