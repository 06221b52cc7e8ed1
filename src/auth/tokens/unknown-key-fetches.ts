import { setTimeout as pause } from 'node:timers/promises';
import { HindsightError } from '../../errors.js';
import type { TokenHeader } from './token-parser.js';

/** Resolves after this many milliseconds. */
export type Sleep = (ms: number) => Promise<unknown>;

/** Fetches that tokens with unknown keys may cause in a row, and the interval (ms) of further ones. */
export const FETCHES_IN_A_ROW = 10;
export const FETCH_INTERVAL_MS = 5_000;
/** How long (ms) a key is refused without a fetch after the issuer did not have it. */
export const ABSENT_MS = 10_000;
/** Tokens that may wait for a fetch, and absent keys to remember. */
const MAX_WAITING = 1_000;
const MAX_ABSENT = 1_000;

export interface UnknownKeyFetchesOptions {
  /** Fetches the issuer's keys. MUST begin the fetch after the call. */
  readonly fetch: () => Promise<void>;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  readonly sleep?: Sleep | undefined;
}

type KeyName = Pick<TokenHeader, 'alg' | 'kid'>;

/**
 * Limits the fetches that tokens with unknown keys cause, because clients can invent key ids. Tokens beyond the limit wait
 * for the next fetch together, so that the first token of a new key is accepted while others invent ids.
 */
export class UnknownKeyFetches {
  /** When each key was found to be absent; the oldest first. */
  private readonly absent = new Map<string, number>();
  /** When the next fetch is due. */
  private dueAt = Number.NEGATIVE_INFINITY;
  private waiting = 0;
  /** The next fetch, until it begins. */
  private next: Promise<void> | undefined;

  constructor(private readonly options: UnknownKeyFetchesOptions) {}

  /** Whether the issuer did not have the key a few seconds ago. */
  isAbsent(key: KeyName): boolean {
    return this.options.now() - (this.absent.get(toText(key)) ?? Number.NEGATIVE_INFINITY) < ABSENT_MS;
  }

  recordAbsence(key: KeyName): void {
    const name = toText(key);
    this.absent.delete(name);
    const oldest = this.absent.size >= MAX_ABSENT ? this.absent.keys().next().value : undefined;
    if (oldest !== undefined) this.absent.delete(oldest);
    this.absent.set(name, this.options.now());
  }

  /**
   * Resolves after a fetch that begins later than this call. Rejects like the fetch, and with `unavailable` if too many
   * tokens are waiting: the caller succeeds with a retry after the fetch.
   */
  async waitForFetch(): Promise<void> {
    if (this.waiting >= MAX_WAITING)
      throw new HindsightError(
        'unavailable',
        'Too many access tokens with unknown keys are waiting. Please try again.',
      );
    this.waiting++;
    try {
      await (this.next ??= this.fetchWhenDue());
    } finally {
      this.waiting--;
    }
  }

  private async fetchWhenDue(): Promise<void> {
    const delayMs = this.takeDelay();
    await (this.options.sleep ?? sleepUnreferenced)(delayMs);
    this.next = undefined;
    await this.options.fetch();
  }

  /** The time until the fetch may begin: 0 for a number of fetches, which grows by one per interval. */
  private takeDelay(): number {
    const now = this.options.now();
    const dueAt = Math.max(this.dueAt, now - (FETCHES_IN_A_ROW - 1) * FETCH_INTERVAL_MS);
    this.dueAt = dueAt + FETCH_INTERVAL_MS;
    return Math.max(0, dueAt - now);
  }
}

function sleepUnreferenced(ms: number): Promise<void> {
  return ms === 0 ? Promise.resolve() : pause(ms, undefined, { ref: false });
}

function toText({ alg, kid }: KeyName): string {
  return `${alg} ${kid}`;
}
