import { statfs } from 'node:fs/promises';
import { mintApiKey } from '../auth/api-key-secret.js';
import type { ImportedGrid, IncidentImportRequest } from '../operations/operations-port.js';
import {
  areReadModelsEmbedded,
  type EngineSettings,
  isLogEmbedded,
  type ThreadSettings,
} from './engines/engine-settings.js';
import type {
  AppendedKind,
  ImportResult,
  ImportOptions,
  ImportTarget,
} from '../operations/incident-files/incident-import.js';
import type { EventStore } from '../streams/event-store.js';
import { proxyCallback } from './threads/worker-thread.js';
import { startImportThread } from './threads/service-threads.js';
import type { ProjectionProgress } from '../projections/engine/stored-projection-progress.js';

/**
 * Projections to wait for after an append, by the kind of events: the others skip them and may never reach their
 * position.
 */
const AFFECTED_PROJECTIONS: Readonly<Record<AppendedKind, readonly string[]>> = {
  telemetry: ['traces', 'logs', 'metrics'],
  grid: ['access', 'alerts', 'charts', 'traces', 'logs', 'metrics'],
};
/** Time (ms) that an import waits for read models that lag behind. */
const VISIBILITY_TIMEOUT_MS = 10_000;

export type ImportRunner = (
  file: string,
  options: Omit<ImportOptions, 'newId' | 'onProgress'>,
  onProgress: ImportOptions['onProgress'],
) => Promise<ImportResult>;

/** Runs an import, and issues an API key for the new Grid if requested. */
export async function importForOperator(
  file: string,
  { withKey, ...request }: IncidentImportRequest,
  onProgress: ImportOptions['onProgress'],
  run: ImportRunner,
): Promise<ImportedGrid> {
  const minted = withKey ? mintApiKey() : undefined;
  const key = minted && { keyId: minted.keyId, secretHash: minted.secretHash };
  const imported = await run(file, { ...request, now: Date.now(), ...(key === undefined ? {} : { key }) }, onProgress);
  return { ...imported, ...(minted === undefined ? {} : { apiKey: minted.text }) };
}

/** The write side of an import, on stores that this process has open. */
export function createImportWrites(
  log: Pick<EventStore, 'append'>,
  settings: Pick<EngineSettings, 'dataDir' | 'eventStoreUrl' | 'readStoreUrl'>,
  progress: ProjectionProgress,
): Pick<ImportTarget, 'append' | 'waitUntilVisible' | 'freeBytes'> {
  return {
    append: (stream, expected, events) => log.append(stream, expected, events),
    waitUntilVisible: async (position, gridId, kind) => {
      await Promise.all(
        AFFECTED_PROJECTIONS[kind].map((projection) =>
          progress.waitForPosition(projection, position, VISIBILITY_TIMEOUT_MS, gridId),
        ),
      );
    },
    freeBytes: async () => {
      if (!isLogEmbedded(settings) && !areReadModelsEmbedded(settings)) return Infinity;
      const { bavail, bsize } = await statfs(settings.dataDir);
      return bavail * bsize;
    },
  };
}

/**
 * Runs the import in a worker thread that ends with it. Only appends come back to this thread, which owns the event
 * log.
 */
export async function importInWorkerThread(
  settings: ThreadSettings,
  maxAppendBytes: number,
  writes: ReturnType<typeof createImportWrites>,
  ...[file, options, onProgress]: Parameters<ImportRunner>
): Promise<ImportResult> {
  const thread = startImportThread(settings);
  try {
    const { append, waitUntilVisible, freeBytes } = writes;
    return await thread.api.importIncidentFile(
      file,
      options,
      maxAppendBytes,
      proxyCallback(append),
      proxyCallback(waitUntilVisible),
      proxyCallback(freeBytes),
      proxyCallback(onProgress),
    );
  } finally {
    await thread.close();
  }
}
