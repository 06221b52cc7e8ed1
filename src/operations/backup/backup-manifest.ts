import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Position } from '../../streams/event-store.js';

export const MANIFEST_FILE = 'manifest.json';
export const BACKUP_FORMAT = 'hindsight-backup';
/** Incremented with every change that older versions cannot restore. */
export const BACKUP_FORMAT_VERSION = 1;

export interface BackupFile {
  readonly name: string;
  readonly bytes: number;
  /** Hex SHA-256 of the file. */
  readonly sha256: string;
}

/** Digest of one read model at the position that it has reached. */
export interface ReadModelDigest {
  readonly projection: string;
  readonly position: Position | undefined;
  readonly digest: string;
}

/** Describes a backup; the last file that is written. */
export interface BackupManifest {
  readonly format: typeof BACKUP_FORMAT;
  readonly formatVersion: number;
  /** Version of Hindsight that created the backup. */
  readonly hindsight: string;
  /** ISO time when the backup began: it contains everything acknowledged before. */
  readonly createdAt: string;
  /** Position of the last event; absent for an empty log. */
  readonly position?: Position;
  /** ISO time when the last event was recorded. */
  readonly recordedAt?: string;
  readonly events: number;
  /** Positions of events that were already damaged in the log; the backup contains them as they were found. */
  readonly damaged: readonly Position[];
  readonly files: readonly BackupFile[];
  /** Absent in a backup of only the log. */
  readonly readModels?: readonly ReadModelDigest[];
}

/** Size and hash of a file, read from the disk. */
export async function createFileEntry(folder: string, name: string): Promise<BackupFile> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(join(folder, name), { highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { name, bytes, sha256: hash.digest('hex') };
}

/** Reads the manifest of a backup. Throws when the folder has none, or one that this version cannot restore. */
export async function readManifest(folder: string): Promise<BackupManifest> {
  const text = await readFile(join(folder, MANIFEST_FILE), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw error;
  });
  if (text === undefined) throw new Error(`${folder} is not a backup: ${MANIFEST_FILE} is missing`);
  const manifest = parseManifest(text);
  if (manifest?.format !== BACKUP_FORMAT || !Array.isArray(manifest.files))
    throw new Error(`${join(folder, MANIFEST_FILE)} is not a backup manifest`);
  if (manifest.formatVersion > BACKUP_FORMAT_VERSION) {
    throw new Error(
      `The backup has format ${manifest.formatVersion} of Hindsight ${manifest.hindsight}, but this version reads up to ${BACKUP_FORMAT_VERSION}; restore it with that version`,
    );
  }
  return manifest;
}

function parseManifest(text: string): BackupManifest | undefined {
  try {
    return JSON.parse(text) as BackupManifest;
  } catch {
    return undefined; // the caller reports an invalid manifest
  }
}

/**
 * Throws when a file does not match the manifest. Compares the size first, which is cheap and detects truncated files.
 */
export async function assertFileMatches(folder: string, expected: BackupFile): Promise<void> {
  const { size } = await stat(join(folder, expected.name));
  if (size !== expected.bytes)
    throw new Error(`The backup is damaged: ${expected.name} has ${size} bytes instead of ${expected.bytes}`);
  const { sha256 } = await createFileEntry(folder, expected.name);
  if (sha256 !== expected.sha256)
    throw new Error(`The backup is damaged: the SHA-256 of ${expected.name} does not match the manifest`);
}
