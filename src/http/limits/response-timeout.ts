import type { ServerResponse } from 'node:http';
import { HindsightError } from '../../errors.js';
import { Problem } from '../problems/problem-details.js';

/** Rejects with `unavailable` when the answer takes longer: no caller waits for ever for a store that hangs. */
export async function withTimeout<T>(ms: number, answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new HindsightError('unavailable', `No answer within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([answer, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * The same, and the work is told as soon as nobody waits for it any more: its time is up, or the client has gone. Work
 * that gives up then is no failure of the service.
 */
export async function runWhileClientWaits<T>(
  response: ServerResponse,
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const awaited = new AbortController();
  const abandon = (): void => awaited.abort();
  response.once('close', abandon);
  try {
    return await withTimeout(ms, work(awaited.signal));
  } catch (error) {
    if (awaited.signal.aborted && isAbortError(error))
      throw new Problem('request-timeout', 'The client has gone.', { cause: error });
    abandon();
    throw error;
  } finally {
    response.off('close', abandon);
  }
}

function isAbortError(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}
