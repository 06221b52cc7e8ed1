import { constants } from 'node:fs';
import { chmod, copyFile, open } from 'node:fs/promises';
import { join } from 'node:path';
import type { EventReader, Position } from '../../streams/event-store.js';
import type { ReadModelReader, ReadModelStore } from '../../read-models/read-model-store.js';
import type { CopyProgressListener } from './backup-creation.js';
import { computeStoredDigests, computeReplayedDigests } from './backup-digests.js';
import { assertEmptyOrMissing, createFolderAtomically } from './atomic-folder.js';
import { assertFileMatches, readManifest, type ReadModelDigest, type BackupManifest } from './backup-manifest.js';

/** Where to cut the log: after a position, or after the last event recorded at or before a time (ms since 1970). */
export type RestorePoint = { readonly position: Position } | { readonly recordedAt: number };

export interface RestoreStores {
  readonly logFile: string;
  /** Copies the log in `folder` up to the restore point into a new file. */
  copyLogUntil(
    folder: string,
    to: string,
    until: RestorePoint,
    onProgress: CopyProgressListener,
  ): Promise<{ readonly position: Position | undefined; readonly events: number }>;
  openReadModels(file: string): ReadModelReader;
  openLog(folder: string): EventReader;
  scratch(folder: string): () => ReadModelStore;
}

export interface RestoreOptions {
  /** Restores only up to this point; the next start rebuilds the read models. */
  readonly until?: RestorePoint;
  /** Replays the restored log and compares digests, which takes as long as `hindsight verify`. */
  readonly verify: boolean;
  readonly onProgress: CopyProgressListener;
}

export interface RestoreResult {
  readonly manifest: BackupManifest;
  /** Position of the last restored event. */
  readonly position: Position | undefined;
  readonly events: number;
  /** Read models whose digest a replay of the restored log confirmed; empty without read models or without `verify`. */
  readonly proven: readonly ReadModelDigest[];
  /**
   * Read models that a replay cannot confirm, because it skips these damaged events of the log. They are restored as they
   * were backed up.
   */
  readonly unproven: readonly UnprovenReadModel[];
}

export interface UnprovenReadModel {
  readonly projection: string;
  readonly damaged: readonly Position[];
}

/** Restores a backup into an empty or new data folder: complete and verified, or not at all. */
export async function restoreBackup(
  backup: string,
  dataDir: string,
  stores: RestoreStores,
  options: RestoreOptions,
): Promise<RestoreResult> {
  const manifest = await readManifest(backup);
  await assertEmptyOrMissing(dataDir);
  return createFolderAtomically(dataDir, async (draft) => {
    if (options.until !== undefined)
      return restoreUntil(manifest, { backup, draft, until: options.until }, stores, options);
    for (const file of manifest.files) {
      await copyDurably(join(backup, file.name), join(draft, file.name));
      await assertFileMatches(draft, file);
    }
    const verified = await verifyReadModels(manifest, draft, stores, options.verify);
    return { manifest, position: manifest.position, events: manifest.events, ...verified };
  });
}

async function restoreUntil(
  manifest: BackupManifest,
  { backup, draft, until }: { backup: string; draft: string; until: RestorePoint },
  stores: RestoreStores,
  { onProgress }: RestoreOptions,
): Promise<RestoreResult> {
  const log = manifest.files.find(({ name }) => name === stores.logFile);
  if (log === undefined) throw new Error('The backup is damaged: its manifest names no event log');
  await assertFileMatches(backup, log);
  const { position, events } = await stores.copyLogUntil(backup, join(draft, stores.logFile), until, onProgress);
  return { manifest, position, events, proven: [], unproven: [] };
}

/** Copies and syncs a file. The caller hashes the copy, and so verifies what was written. */
async function copyDurably(from: string, to: string): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  await chmod(to, 0o600);
  const file = await open(to, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Verifies the restored read models against the manifest and against a fresh replay of the restored log. */
async function verifyReadModels(
  manifest: BackupManifest,
  draft: string,
  stores: RestoreStores,
  replays: boolean,
): Promise<Pick<RestoreResult, 'proven' | 'unproven'>> {
  const expected = manifest.readModels ?? [];
  const readModels = manifest.files.find(({ name }) => name !== stores.logFile);
  if (readModels === undefined || !replays) return { proven: [], unproven: [] };
  const store = stores.openReadModels(join(draft, readModels.name));
  try {
    assertEqualDigests(await computeStoredDigests(store), expected, 'the restored read model');
  } finally {
    await store.close();
  }
  const events = stores.openLog(draft);
  try {
    const replayed = await computeReplayedDigests(expected, { events, scratch: stores.scratch(draft) });
    const unproven = replayed.filter(
      ({ damaged }, i) => damaged.length > 0 && replayed[i].digest !== expected[i].digest,
    );
    const proven = expected.filter(({ projection }) => !unproven.some((each) => each.projection === projection));
    assertEqualDigests(replayed, proven, 'a fresh replay of the restored log');
    return { proven, unproven: unproven.map(({ projection, damaged }) => ({ projection, damaged })) };
  } finally {
    await events.close();
  }
}

function assertEqualDigests(
  actualDigests: readonly ReadModelDigest[],
  expected: readonly ReadModelDigest[],
  source: string,
): void {
  for (const { projection, digest, position } of expected) {
    const actual = actualDigests.find((each) => each.projection === projection);
    if (actual?.digest !== digest || actual.position !== position)
      throw new Error(
        `The backup is inconsistent: ${source} of ${projection} has digest ${actual?.digest ?? 'none'} instead of ${digest}`,
      );
  }
}
