import type { Observable } from 'rxjs';
import type { EventReader, Position, ReadAllOptions, RecordedEvent } from './event-store.js';

/** Hints can get lost, so subscribers poll at least this often. */
const MAX_POLL_INTERVAL_MS = 500;

/**
 * `EventReader.subscribe` on top of `head` and `readAll`: reads up to the head, then waits for a hint or the poll
 * interval. Hints may be repeated, late or lost.
 */
export async function* subscribeByPolling(
  reader: Pick<EventReader, 'head' | 'readAll'>,
  hints: Observable<unknown>,
  after: Position,
  options: ReadAllOptions,
  signal: AbortSignal,
): AsyncGenerator<RecordedEvent[], void, void> {
  const hintSignal = new HintSignal(hints, signal);
  try {
    let position = after;
    while (!signal.aborted) {
      hintSignal.reset();
      const head = await reader.head();
      const batch = head > position ? await reader.readAll(position, options) : [];
      const last = batch.at(-1);
      if (last === undefined) {
        // Everything up to `head` was durable before the read, so no match can appear there any more.
        if (head > position) position = head;
        await hintSignal.wait(MAX_POLL_INTERVAL_MS);
      } else if (!signal.aborted) {
        position = last.position;
        yield batch;
      }
    }
  } finally {
    hintSignal.close();
  }
}

/** Latches one hint, so that a hint between read and wait is not missed. */
class HintSignal {
  #signaled = false;
  #wake: (() => void) | undefined;
  readonly #onHint = (): void => {
    this.#signaled = true;
    this.#wake?.();
  };
  readonly #subscription;

  constructor(
    hints: Observable<unknown>,
    private readonly signal: AbortSignal,
  ) {
    this.#subscription = hints.subscribe(this.#onHint);
    signal.addEventListener('abort', this.#onHint);
  }

  reset(): void {
    this.#signaled = false;
  }

  async wait(timeoutMs: number): Promise<void> {
    if (this.#signaled || this.signal.aborted) return;
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
    this.signal.removeEventListener('abort', this.#onHint);
  }
}
