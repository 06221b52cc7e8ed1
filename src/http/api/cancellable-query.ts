import { randomUUID } from 'node:crypto';
import type { TelemetryQueries } from '../../queries/telemetry/telemetry-query-types.js';

/** Runs a query until it is answered, or nobody waits for the answer any more. */
export async function runCancellable<T>(
  telemetry: TelemetryQueries,
  signal: AbortSignal,
  run: (queryId: string) => Promise<T>,
): Promise<T> {
  const queryId = randomUUID();
  // A thread that has ended runs no query: the call itself reports that.
  const cancel = (): void => void telemetry.cancelQuery(queryId).catch(() => undefined);
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const answer = run(queryId);
    // Whoever has gone before this call is not told again.
    if (signal.aborted) cancel();
    return await answer;
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}
