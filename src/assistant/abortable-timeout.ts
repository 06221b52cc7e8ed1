import { HindsightError } from '../errors.js';

/**
 * What the work resolves with. As soon as nobody waits for it any more (`outer` is aborted) or `ms` have passed, its signal is
 * aborted and this rejects, whether or not the work listens: with the reason of `outer`, or with code `unavailable`.
 */
export async function runWithTimeout<T>(
  outer: AbortSignal | undefined,
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  outer?.throwIfAborted();
  const inner = new AbortController();
  const abandoned = rejectOnAbort(inner.signal);
  const abandon = (): void => inner.abort(outer?.reason);
  const timer = setTimeout(() => inner.abort(new HindsightError('unavailable', `No answer within ${ms} ms.`)), ms);
  outer?.addEventListener('abort', abandon, { once: true });
  try {
    return await Promise.race([work(inner.signal), abandoned]);
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener('abort', abandon);
  }
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
  );
}
