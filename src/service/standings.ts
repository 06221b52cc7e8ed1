import { setTimeout as pause } from 'node:timers/promises';
import type { Position } from '../streams/event-store.js';

/** Knows how far read models are, whoever keeps them. */
export interface Standings {
  /**
   * True once everything up to `position` that concerns the projection is in its read models; false when that takes longer.
   * @param gridId whose read models, where that is a projection of telemetry
   */
  whenAt(projection: string, position: Position, timeoutMs: number, gridId?: string): Promise<boolean>;
}

/** Shorter than anybody notices; what waits are commands, which are few. */
const LOOK_EVERY_MS = 40;

/** Looks into the store: the projector may live in another process. What cannot be read now is looked at again until the time is up. */
export function storedStandings(positionOf: (projection: string, gridId?: string) => Promise<Position | undefined>): Standings {
  return {
    async whenAt(projection, position, timeoutMs, gridId) {
      const giveUpAt = performance.now() + timeoutMs;
      for (;;) {
        const reached = await positionOf(projection, gridId).catch(() => undefined);
        if (reached !== undefined && reached >= position) return true;
        if (performance.now() + LOOK_EVERY_MS > giveUpAt) return false;
        await pause(LOOK_EVERY_MS);
      }
    },
  };
}
