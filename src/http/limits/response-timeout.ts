import type { ServerResponse } from 'node:http';
import { HindsightError } from '../../errors.js';
import { Problem } from '../problems/problem-details.js';

/** Rejects with `unavailable` if the result takes longer than `ms`, so that no caller waits forever for a store that hangs. */
export async function withTimeout<T>(ms: number, result: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new HindsightError('unavailable', `No response within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([result, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Like `withTimeout`, and aborts the signal of the work as soon as nobody waits for it any more: on timeout, or when the
 * client disconnects. Work that stops because of the signal is not reported as an internal error.
 */
export async function runWhileClientWaits<T>(
  response: ServerResponse,
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  response.once('close', abort);
  try {
    return await withTimeout(ms, work(controller.signal));
  } catch (error) {
    if (controller.signal.aborted && isAbortError(error))
      throw new Problem('request-timeout', 'The client disconnected.', { cause: error });
    abort();
    throw error;
  } finally {
    response.off('close', abort);
  }
}

function isAbortError(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}
