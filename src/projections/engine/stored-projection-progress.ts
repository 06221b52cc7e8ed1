import { setTimeout as pause } from 'node:timers/promises';
import type { Position } from '../../streams/event-store.js';

/** Reports when read models have reached a position, whichever process runs the projector. */
export interface ProjectionProgress {
  /**
   * True once everything up to `position` that concerns the projection is in its read models; false after `timeoutMs`.
   * @param gridId Grid whose read models are meant, for a projection of telemetry
   */
  waitForPosition(projection: string, position: Position, timeoutMs: number, gridId?: string): Promise<boolean>;
}

/** Shorter than users notice. Only commands wait, and they are few. */
const POLL_INTERVAL_MS = 40;

/**
 * Polls the store, because the projector may run in another process. Failed reads are retried until the timeout; a read
 * that hangs is not waited for beyond it.
 */
export function createStoredProjectionProgress(
  readPosition: (projection: string, gridId?: string) => Promise<Position | undefined>,
): ProjectionProgress {
  return {
    async waitForPosition(projection, position, timeoutMs, gridId) {
      const deadline = performance.now() + timeoutMs;
      for (;;) {
        const reached = await settleBefore(deadline, readPosition(projection, gridId));
        if (reached !== undefined && reached >= position) return true;
        if (performance.now() + POLL_INTERVAL_MS > deadline) return false;
        await pause(POLL_INTERVAL_MS);
      }
    },
  };
}

/** Undefined if the result is rejected, or not there at the deadline (`performance.now`). */
async function settleBefore<Result>(deadline: number, result: Promise<Result>): Promise<Result | undefined> {
  const settled = new AbortController();
  const timeout = pause(deadline - performance.now(), undefined, { signal: settled.signal });
  try {
    return await Promise.race([result, timeout]);
  } catch {
    return undefined; // the caller tries again
  } finally {
    settled.abort();
    timeout.catch(() => undefined);
  }
}
