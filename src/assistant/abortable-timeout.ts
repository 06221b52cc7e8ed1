import { HindsightError } from '../errors.js';

/**
 * Runs `work` with a time limit. When `callerSignal` is aborted or `ms` have passed, the signal passed to `work` is aborted
 * and this rejects, even if the work ignores the signal: with the reason of `callerSignal`, or with code `unavailable`.
 */
export async function runWithTimeout<T>(
  callerSignal: AbortSignal | undefined,
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  callerSignal?.throwIfAborted();
  const controller = new AbortController();
  const aborted = rejectOnAbort(controller.signal);
  const forwardAbort = (): void => controller.abort(callerSignal?.reason);
  const timer = setTimeout(
    () => controller.abort(new HindsightError('unavailable', `No response within ${ms} ms.`)),
    ms,
  );
  callerSignal?.addEventListener('abort', forwardAbort, { once: true });
  try {
    return await Promise.race([work(controller.signal), aborted]);
  } finally {
    clearTimeout(timer);
    callerSignal?.removeEventListener('abort', forwardAbort);
  }
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
  );
}
