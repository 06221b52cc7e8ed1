import type { Observable } from 'rxjs';
import type { EventReader, Position, ReadAllOptions, RecordedEvent } from './event-store.js';

/** The longest that a follower trusts in hints before it looks by itself. */
const MAX_POLL_INTERVAL_MS = 500;

/**
 * `EventReader.subscribe` for any reader that can tell its head: reads until nothing is left, then waits for a hint.
 * `hints` may repeat, come late or not at all.
 */
export async function* subscribeByPolling(
  reader: Pick<EventReader, 'head' | 'readAll'>,
  hints: Observable<unknown>,
  after: Position,
  options: ReadAllOptions,
  signal: AbortSignal,
): AsyncGenerator<RecordedEvent[], void, void> {
  const bell = new HintSignal(hints, signal);
  try {
    let position = after;
    while (!signal.aborted) {
      bell.reset();
      const head = await reader.head();
      const batch = head > position ? await reader.readAll(position, options) : [];
      const last = batch.at(-1);
      if (last === undefined) {
        // Everything up to `head` was durable before the look, so no match can appear there any more.
        if (head > position) position = head;
        await bell.wait(MAX_POLL_INTERVAL_MS);
      } else if (!signal.aborted) {
        position = last.position;
        yield batch;
      }
    }
  } finally {
    bell.close();
  }
}

/** Remembers one ring, so that a hint between the look and the wait is not missed. */
class HintSignal {
  #rang = false;
  #wake: (() => void) | undefined;
  readonly #ring = (): void => {
    this.#rang = true;
    this.#wake?.();
  };
  readonly #subscription;

  constructor(
    hints: Observable<unknown>,
    private readonly signal: AbortSignal,
  ) {
    this.#subscription = hints.subscribe(this.#ring);
    signal.addEventListener('abort', this.#ring);
  }

  reset(): void {
    this.#rang = false;
  }

  async wait(timeoutMs: number): Promise<void> {
    if (this.#rang || this.signal.aborted) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, timeoutMs);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#wake = undefined;
  }

  close(): void {
    this.#subscription.unsubscribe();
    this.signal.removeEventListener('abort', this.#ring);
  }
}
