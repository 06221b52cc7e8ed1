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

/** Calls back into the thread that owns the event log. */
export type ImportWrites = Pick<ImportTarget, 'append' | 'waitUntilVisible' | 'freeBytes'>;

/** API of the import thread: reads and verifies incident files, which is slow and must not block requests. */
export interface IncidentImportApi {
  importIncidentFile(
    file: string,
    options: Omit<ImportOptions, 'newId' | 'onProgress'>,
    maxAppendBytes: number,
    append: ImportWrites['append'],
    waitUntilVisible: ImportWrites['waitUntilVisible'],
    freeBytes: ImportWrites['freeBytes'],
    onProgress: ImportOptions['onProgress'],
  ): Promise<ImportResult>;
}

const settings = workerData as ThreadSettings;

const api: IncidentImportApi = {
  async importIncidentFile(file, options, maxAppendBytes, append, waitUntilVisible, freeBytes, onProgress) {
    const log = await openEventLogReader(settings, new InProcessFeed());
    const target: ImportTarget = {
      maxAppendBytes,
      append,
      waitUntilVisible,
      freeBytes,
      readStream: (stream, from, limit) => log.readStream(stream, from, limit),
      readAll: (after, options) => log.readAll(after, options),
    };
    try {
      return await importIncidentFile(file, target, { ...options, newId: randomUUID, onProgress });
    } finally {
      await log.close();
    }
  },
};

exposeThreadApi(api);
