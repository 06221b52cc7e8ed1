import { statfs } from 'node:fs/promises';
import { mintApiKey } from '../auth/api-keys.js';
import type { ImportedGrid, ImportRequest } from '../cli/operations.js';
import { areReadModelsEmbedded, isLogEmbedded, type EngineSettings } from '../engines/engine-settings.js';
import type { Appended, Imported, ImportOptions, ImportTarget } from '../slices/import-slice.js';
import type { EventStore } from '../streams/event-store.js';
import type { SliceApi } from '../threads/slice-thread.js';
import { callback, startThread } from '../threads/thread.js';
import type { ThreadSettings } from '../threads/thread-settings.js';
import { threadSettingsOf } from '../threads/threads.js';
import type { Standings } from './standings.js';

/** In whose read models an imported Grid shows, by what was appended: the others may never come to stand at its position. */
const SHOWN_IN: Readonly<Record<Appended, readonly string[]>> = {
  telemetry: ['traces', 'logs', 'metrics'],
  grid: ['access', 'alerts', 'charts', 'traces', 'logs', 'metrics'],
};
/** How long an import waits for read models that fall behind. */
const SETTLE_MS = 10_000;

export type Import = (file: string, options: Omit<ImportOptions, 'newId' | 'onProgress'>, onProgress: ImportOptions['onProgress']) => Promise<Imported>;

/** The operator's order, with a key where one was asked for. */
export async function orderImport(file: string, { withKey, ...request }: ImportRequest, onProgress: ImportOptions['onProgress'], run: Import): Promise<ImportedGrid> {
  const minted = withKey ? mintApiKey() : undefined;
  const key = minted && { keyId: minted.keyId, secretHash: minted.secretHash };
  const imported = await run(file, { ...request, now: Date.now(), ...(key === undefined ? {} : { key }) }, onProgress);
  return { ...imported, ...(minted === undefined ? {} : { apiKey: minted.text }) };
}

/** How an import writes into stores that are open here. */
export function importWrites(log: Pick<EventStore, 'append'>, settings: Pick<EngineSettings, 'dataDir' | 'eventStoreUrl' | 'readStoreUrl'>, standings: Standings): Pick<ImportTarget, 'append' | 'settle' | 'freeBytes'> {
  return {
    append: (stream, expected, events) => log.append(stream, expected, events),
    settle: async (position, gridId, of) => {
      await Promise.all(SHOWN_IN[of].map((projection) => standings.whenAt(projection, position, SETTLE_MS, gridId)));
    },
    freeBytes: async () => {
      if (!isLogEmbedded(settings) && !areReadModelsEmbedded(settings)) return Infinity;
      const { bavail, bsize } = await statfs(settings.dataDir);
      return bavail * bsize;
    },
  };
}

/** Reads the file in a thread of its own, which ends with the import. */
export async function importInThread(settings: ThreadSettings, maxAppendBytes: number, writes: ReturnType<typeof importWrites>, ...[file, options, onProgress]: Parameters<Import>): Promise<Imported> {
  const thread = startThread<SliceApi>(new URL('../threads/slice-thread.js', import.meta.url), threadSettingsOf(settings));
  try {
    const { append, settle, freeBytes } = writes;
    return await thread.api.importSlice(file, options, maxAppendBytes, callback(append), callback(settle), callback(freeBytes), callback(onProgress));
  } finally {
    await thread.close();
  }
}
