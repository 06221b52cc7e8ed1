import { setTimeout as pause } from 'node:timers/promises';
import type { Position } from '../../streams/event-store.js';

/** Knows how far read models are, whoever keeps them. */
export interface ProjectionProgress {
  /**
   * True once everything up to `position` that concerns the projection is in its read models; false when that takes longer.
   * @param gridId whose read models, where that is a projection of telemetry
   */
  waitForPosition(projection: string, position: Position, timeoutMs: number, gridId?: string): Promise<boolean>;
}

/** Shorter than anybody notices; what waits are commands, which are few. */
const POLL_INTERVAL_MS = 40;

/** Looks into the store: the projector may live in another process. What cannot be read now is looked at again until the time is up. */
export function createStoredProjectionProgress(
  positionOf: (projection: string, gridId?: string) => Promise<Position | undefined>,
): ProjectionProgress {
  return {
    async waitForPosition(projection, position, timeoutMs, gridId) {
      const giveUpAt = performance.now() + timeoutMs;
      for (;;) {
        const reached = await positionOf(projection, gridId).catch(() => undefined);
        if (reached !== undefined && reached >= position) return true;
        if (performance.now() + POLL_INTERVAL_MS > giveUpAt) return false;
        await pause(POLL_INTERVAL_MS);
      }
    },
  };
}
