import type { Hint } from '../live-feed.js';

/** How many subjects of hints may wait at once. */
export const OUTBOX_LIMIT = 1_024;

/**
 * Hints that wait to be sent: of those about the same thing the latest, because it says all that the earlier ones said. Full, it
 * drops what has waited longest. So neither an absent server nor a storm of hints takes memory.
 */
export class Outbox {
  readonly #waiting = new Map<string, Hint>();

  constructor(private readonly limit = OUTBOX_LIMIT) {}

  get size(): number {
    return this.#waiting.size;
  }

  put(hint: Hint): void {
    const key = about(hint);
    // Deleted first: a map keeps the place of a key that it has, and this one is the newest now.
    this.#waiting.delete(key);
    this.#waiting.set(key, hint);
    if (this.#waiting.size > this.limit) this.#dropOldest();
  }

  /** Everything that waits, oldest first; the box is empty afterwards. */
  take(): Hint[] {
    const hints = [...this.#waiting.values()];
    this.#waiting.clear();
    return hints;
  }

  #dropOldest(): void {
    const [oldest] = this.#waiting.keys();
    this.#waiting.delete(oldest);
  }
}

function about(hint: Hint): string {
  switch (hint.topic) {
    case 'appended':
      return hint.topic;
    case 'projected':
      return `${hint.topic} ${hint.projection}`;
    case 'diagnosed':
      return `${hint.topic} ${hint.gridId} ${hint.diagnostic}`;
  }
}
