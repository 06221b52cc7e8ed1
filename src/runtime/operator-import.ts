import { statfs } from 'node:fs/promises';
import { mintApiKey } from '../auth/api-key-format.js';
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
import type { IncidentImportApi } from './threads/incident-import-thread.js';
import { proxyCallback, startThread } from './threads/worker-thread.js';
import { pickThreadSettings } from './threads/service-threads.js';
import type { ProjectionProgress } from '../projections/engine/stored-projection-progress.js';

/** In whose read models an imported Grid shows, by what was appended: the others may never come to stand at its position. */
const AFFECTED_PROJECTIONS: Readonly<Record<AppendedKind, readonly string[]>> = {
  telemetry: ['traces', 'logs', 'metrics'],
  grid: ['access', 'alerts', 'charts', 'traces', 'logs', 'metrics'],
};
/** How long an import waits for read models that fall behind. */
const VISIBILITY_TIMEOUT_MS = 10_000;

export type ImportRunner = (
  file: string,
  options: Omit<ImportOptions, 'newId' | 'onProgress'>,
  onProgress: ImportOptions['onProgress'],
) => Promise<ImportResult>;

/** The operator's order, with a key where one was asked for. */
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

/** How an import writes into stores that are open here. */
export function createImportWrites(
  log: Pick<EventStore, 'append'>,
  settings: Pick<EngineSettings, 'dataDir' | 'eventStoreUrl' | 'readStoreUrl'>,
  standings: ProjectionProgress,
): Pick<ImportTarget, 'append' | 'settle' | 'freeBytes'> {
  return {
    append: (stream, expected, events) => log.append(stream, expected, events),
    settle: async (position, gridId, of) => {
      await Promise.all(
        AFFECTED_PROJECTIONS[of].map((projection) =>
          standings.waitForPosition(projection, position, VISIBILITY_TIMEOUT_MS, gridId),
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

/** Reads the file in a thread of its own, which ends with the import. */
export async function importInWorkerThread(
  settings: ThreadSettings,
  maxAppendBytes: number,
  writes: ReturnType<typeof createImportWrites>,
  ...[file, options, onProgress]: Parameters<ImportRunner>
): Promise<ImportResult> {
  const thread = startThread<IncidentImportApi>(
    new URL('./threads/incident-import-thread.js', import.meta.url),
    pickThreadSettings(settings),
  );
  try {
    const { append, settle, freeBytes } = writes;
    return await thread.api.importIncidentFile(
      file,
      options,
      maxAppendBytes,
      proxyCallback(append),
      proxyCallback(settle),
      proxyCallback(freeBytes),
      proxyCallback(onProgress),
    );
  } finally {
    await thread.close();
  }
}
