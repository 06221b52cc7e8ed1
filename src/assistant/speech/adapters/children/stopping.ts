import { setMaxListeners } from 'node:events';
import type { Health } from '../../../../component.js';
import { HindsightError } from '../../../../errors.js';

/** Ends the work of a component when it closes: children must not outlive the service. */
export class Stopping {
  private readonly controller = new AbortController();

  constructor() {
    // One for each piece of work that waits or runs, which is bounded elsewhere.
    setMaxListeners(0, this.controller.signal);
  }

  /** Runs work with a signal that aborts when `signal` does, and when the component closes, then with code `unavailable`. */
  async during<T>(signal: AbortSignal, work: (until: AbortSignal) => Promise<T>): Promise<T> {
    // By hand: what AbortSignal.any makes stays known to a signal that lives as long as the service.
    const either = new AbortController();
    const sources = [signal, this.controller.signal];
    const abort = () => either.abort(sources.find(({ aborted }) => aborted)?.reason);
    if (sources.some(({ aborted }) => aborted)) abort();
    for (const source of sources) source.addEventListener('abort', abort, { once: true });
    try {
      return await work(either.signal);
    } finally {
      for (const source of sources) source.removeEventListener('abort', abort);
    }
  }

  stop(): void {
    this.controller.abort(new HindsightError('unavailable', 'The service is stopping.'));
  }

  health(): Health {
    return this.controller.signal.aborted ? { ok: false, reason: 'closed' } : { ok: true };
  }
}
