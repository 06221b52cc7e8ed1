import type { VisibilityWaiter } from '../commands/read-your-writes.js';
import type { Settings } from '../config/settings.js';
import {
  createStoredProjectionProgress,
  type ProjectionProgress,
} from '../projections/engine/stored-projection-progress.js';
import type { AccessLogFollower } from './access-log-follower.js';
import { areReadModelsEmbedded } from './engines/engine-settings.js';
import type { ServiceThreads } from './threads/service-threads.js';

/** Progress of read models for commands. */
export interface CommandProgress extends ProjectionProgress {
  /** How long (ms) the response to a command waits until its effect is visible to readers (contract §6). */
  readonly commandTimeoutMs: number;
}

/** Progress of the read models and, for access rights, also of the records that this process checks them with. */
export function withAccessRecords(
  readModels: CommandProgress,
  accessLog: Pick<AccessLogFollower, 'waitForPosition'>,
): CommandProgress {
  return {
    commandTimeoutMs: readModels.commandTimeoutMs,
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
export function createProjectionProgress(settings: Settings, { projector, access }: ServiceThreads): CommandProgress {
  const commandTimeoutMs = settings.storeTimeoutMs;
  if (areReadModelsEmbedded(settings))
    return {
      commandTimeoutMs,
      waitForPosition: (projection, position, timeoutMs) =>
        projector.api.waitForPosition(projection, position, timeoutMs),
    };
  const stored = createStoredProjectionProgress((projection, gridId) => access.api.position(projection, gridId));
  return { ...stored, commandTimeoutMs };
}

/** Waits until all these projections have reached a position; resolves to false after `commandTimeoutMs` of `progress`. */
export function createVisibilityWaiter(progress: CommandProgress, ...projections: readonly string[]): VisibilityWaiter {
  return {
    async waitForPosition(position) {
      const reached = await Promise.all(
        projections.map((projection) => progress.waitForPosition(projection, position, progress.commandTimeoutMs)),
      );
      return reached.every((each) => each);
    },
  };
}
