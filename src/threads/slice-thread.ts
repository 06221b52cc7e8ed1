import { randomUUID } from 'node:crypto';
import { workerData } from 'node:worker_threads';
import { openLogReader } from '../engines/log.js';
import { importSlice, type Imported, type ImportOptions, type ImportTarget } from '../slices/import-slice.js';
import { InProcessFeed } from '../streams/live/in-process.js';
import { serveThread } from './thread.js';
import type { ThreadSettings } from './thread-settings.js';

/** What the thread leaves to the one that owns the log. */
export type ImportWrites = Pick<ImportTarget, 'append' | 'settle' | 'freeBytes'>;

/** Reads and verifies files of slices, which takes long and must not keep anybody waiting. */
export interface SliceApi {
  importSlice(
    file: string, options: Omit<ImportOptions, 'newId' | 'onProgress'>, maxAppendBytes: number,
    append: ImportWrites['append'], settle: ImportWrites['settle'], freeBytes: ImportWrites['freeBytes'], onProgress: ImportOptions['onProgress'],
  ): Promise<Imported>;
}

const settings = workerData as ThreadSettings;

const api: SliceApi = {
  async importSlice(file, options, maxAppendBytes, append, settle, freeBytes, onProgress) {
    const log = await openLogReader(settings, new InProcessFeed());
    const target: ImportTarget = {
      maxAppendBytes, append, settle, freeBytes,
      readStream: (stream, from, limit) => log.readStream(stream, from, limit),
      readAll: (after, reading) => log.readAll(after, reading),
    };
    try {
      return await importSlice(file, target, { ...options, newId: randomUUID, onProgress });
    } finally {
      await log.close();
    }
  },
};

serveThread(api);
