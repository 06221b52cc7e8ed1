import { HindsightError } from '../../../../errors.js';

export interface TurnBounds {
  readonly atWork: number;
  readonly waiting: number;
  /** What the work is, for the message of those that find no place, such as "texts to speak". */
  readonly what: string;
}

interface Turn {
  begin(): void;
  leave(reason: unknown): void;
}

/** Lets a few work at once and some more wait for their turn, first come, first served. */
export class Turns {
  private atWork = 0;
  private readonly waiting: Turn[] = [];

  constructor(private readonly bounds: TurnBounds) {}

  /**
   * What `work` answers, once it is its turn. Rejects with code `overloaded` when too many wait, and with the signal's reason
   * when it aborts before the turn comes; from then on stopping is the work's own duty.
   */
  async take<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    if (this.atWork >= this.bounds.atWork) await this.wait(signal);
    else this.atWork++;
    try {
      return await work();
    } finally {
      this.pass();
    }
  }

  private wait(signal: AbortSignal): Promise<void> {
    if (this.waiting.length >= this.bounds.waiting) return Promise.reject(new HindsightError('overloaded', `Too many ${this.bounds.what} are waiting.`));
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.waiting.splice(this.waiting.indexOf(turn), 1);
        turn.leave(signal.reason);
      };
      const turn = {
        begin: () => {
          signal.removeEventListener('abort', leave);
          resolve();
        },
        leave: reject,
      };
      this.waiting.push(turn);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  /** The place goes to the next that waits; it is free only when nobody does. */
  private pass(): void {
    const next = this.waiting.shift();
    if (next === undefined) this.atWork--;
    else next.begin();
  }
}
