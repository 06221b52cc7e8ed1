import { randomUUID } from 'node:crypto';
import { workerData } from 'node:worker_threads';
import { openEventLogReader } from '../engines/event-log.js';
import {
  importIncidentFile,
  type ImportResult,
  type ImportOptions,
  type ImportTarget,
} from '../../operations/incident-files/incident-import.js';
import { InProcessFeed } from '../../streams/live/in-process-feed.js';
import { exposeThreadApi } from './worker-thread.js';
import type { ThreadSettings } from '../engines/engine-settings.js';

/** What the thread leaves to the one that owns the log. */
export type ImportWrites = Pick<ImportTarget, 'append' | 'settle' | 'freeBytes'>;

/** Reads and verifies files of slices, which takes long and must not keep anybody waiting. */
export interface IncidentImportApi {
  importIncidentFile(
    file: string,
    options: Omit<ImportOptions, 'newId' | 'onProgress'>,
    maxAppendBytes: number,
    append: ImportWrites['append'],
    settle: ImportWrites['settle'],
    freeBytes: ImportWrites['freeBytes'],
    onProgress: ImportOptions['onProgress'],
  ): Promise<ImportResult>;
}

const settings = workerData as ThreadSettings;

const api: IncidentImportApi = {
  async importIncidentFile(file, options, maxAppendBytes, append, settle, freeBytes, onProgress) {
    const log = await openEventLogReader(settings, new InProcessFeed());
    const target: ImportTarget = {
      maxAppendBytes,
      append,
      settle,
      freeBytes,
      readStream: (stream, from, limit) => log.readStream(stream, from, limit),
      readAll: (after, reading) => log.readAll(after, reading),
    };
    try {
      return await importIncidentFile(file, target, { ...options, newId: randomUUID, onProgress });
    } finally {
      await log.close();
    }
  },
};

exposeThreadApi(api);
