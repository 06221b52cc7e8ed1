import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ReadModelReader } from '../../read-models/read-model-store.js';
import type { Position } from '../../streams/event-store.js';
import { computeStoredDigests } from './backup-digests.js';
import { createFolderAtomically } from './atomic-folder.js';
import {
  BACKUP_FORMAT,
  BACKUP_FORMAT_VERSION,
  createFileEntry,
  MANIFEST_FILE,
  type ReadModelDigest,
  type BackupManifest,
} from './backup-manifest.js';

/** Progress of copying the log, in events. */
export type CopyProgressListener = (progress: { readonly done: number; readonly total: number }) => void;

/** Access to the stores. Each copies itself, consistently and without blocking its writer. */
export interface BackupSources {
  readonly logFile: string;
  readonly readModelsFile: string;
  copyLog(
    to: string,
    onProgress: CopyProgressListener,
  ): Promise<{
    readonly position: Position | undefined;
    readonly recordedAt: number | undefined;
    readonly events: number;
    readonly damaged: readonly Position[];
  }>;
  /** Returns false when there are no read models yet. */
  copyReadModels(to: string): boolean;
  openReadModels(file: string): ReadModelReader;
}

export interface BackupOptions {
  /** Omits the read models: the first start after a restore rebuilds them. */
  readonly logOnly: boolean;
  readonly hindsight: string;
  /** Ms since 1970. */
  readonly now: number;
  readonly onProgress: CopyProgressListener;
}

/**
 * Writes a backup into `folder`, which must be empty or missing: complete, or not at all. Copies the read models before
 * the log, so that none is ahead of it. The backup contains no plain-text secret: neither bootstrap.json nor signing
 * keys, and only the hashes of API keys.
 */
export function createBackup(folder: string, sources: BackupSources, options: BackupOptions): Promise<BackupManifest> {
  return createFolderAtomically(folder, async (draft) => {
    const names = [sources.logFile];
    const hasReadModels = !options.logOnly && sources.copyReadModels(join(draft, sources.readModelsFile));
    if (hasReadModels) names.push(sources.readModelsFile);
    const log = await sources.copyLog(join(draft, sources.logFile), options.onProgress);
    const readModels = hasReadModels
      ? await computeDigestsInFile(join(draft, sources.readModelsFile), sources)
      : undefined;
    const files = await Promise.all(names.map((name) => createFileEntry(draft, name)));
    const manifest: BackupManifest = {
      format: BACKUP_FORMAT,
      formatVersion: BACKUP_FORMAT_VERSION,
      hindsight: options.hindsight,
      createdAt: new Date(options.now).toISOString(),
      ...(log.position === undefined ? {} : { position: log.position }),
      ...(log.recordedAt === undefined ? {} : { recordedAt: new Date(log.recordedAt).toISOString() }),
      events: log.events,
      damaged: log.damaged,
      files,
      ...(readModels === undefined ? {} : { readModels }),
    };
    await writeFile(join(draft, MANIFEST_FILE), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600, flush: true });
    return manifest;
  });
}

async function computeDigestsInFile(file: string, sources: BackupSources): Promise<ReadModelDigest[]> {
  const store = sources.openReadModels(file);
  try {
    return await computeStoredDigests(store);
  } finally {
    await store.close();
  }
}
