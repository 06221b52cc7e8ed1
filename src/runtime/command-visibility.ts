import type { VisibilityWaiter } from '../commands/read-your-writes.js';
import type { Settings } from '../config/settings.js';
import {
  createStoredProjectionProgress,
  type ProjectionProgress,
} from '../projections/engine/stored-projection-progress.js';
import type { AccessLogFollower } from './access-log-follower.js';
import { areReadModelsEmbedded } from './engines/engine-settings.js';
import type { ServiceThreads } from './threads/service-threads.js';

/** How long the response to a command waits until its effect is visible to readers (contract §6). */
const VISIBILITY_TIMEOUT_MS = 2_000;

/** Progress of the read models and, for access rights, also of the records that this process checks them with. */
export function withAccessRecords(
  readModels: ProjectionProgress,
  accessLog: Pick<AccessLogFollower, 'waitForPosition'>,
): ProjectionProgress {
  return {
    async waitForPosition(projection, position, timeoutMs, gridId) {
      const [isReached] = await Promise.all([
        readModels.waitForPosition(projection, position, timeoutMs, gridId),
        projection === 'access' && accessLog.waitForPosition(position, timeoutMs),
      ]);
      return isReached;
    },
  };
}

/**
 * Embedded read models report progress directly from the projector thread. Read models in a shared store may be written
 * by another process: their stored positions are polled.
 */
export function createProjectionProgress(
  settings: Settings,
  { projector, access }: ServiceThreads,
): ProjectionProgress {
  if (areReadModelsEmbedded(settings))
    return {
      waitForPosition: (projection, position, timeoutMs) =>
        projector.api.waitForPosition(projection, position, timeoutMs),
    };
  return createStoredProjectionProgress((projection, gridId) => access.api.position(projection, gridId));
}

/** Waits until all these projections have reached a position; resolves to false after `VISIBILITY_TIMEOUT_MS`. */
export function createVisibilityWaiter(
  progress: ProjectionProgress,
  ...projections: readonly string[]
): VisibilityWaiter {
  return {
    async waitForPosition(position) {
      const reached = await Promise.all(
        projections.map((projection) => progress.waitForPosition(projection, position, VISIBILITY_TIMEOUT_MS)),
      );
      return reached.every((each) => each);
    },
  };
}
