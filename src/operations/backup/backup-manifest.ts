import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Position } from '../../streams/event-store.js';

export const MANIFEST_FILE = 'manifest.json';
export const BACKUP_FORMAT = 'hindsight-backup';
/** Counts up with every change that an older program could not restore. */
export const BACKUP_FORMAT_VERSION = 1;

export interface BackupFile {
  readonly name: string;
  readonly bytes: number;
  /** Hex SHA-256 of the file. */
  readonly sha256: string;
}

/** What one read model says at the position that it has reached. */
export interface ReadModelDigest {
  readonly projection: string;
  readonly position: Position | undefined;
  readonly digest: string;
}

/** What a backup is; the last file that is written. */
export interface BackupManifest {
  readonly format: typeof BACKUP_FORMAT;
  readonly formatVersion: number;
  /** Version of the program that made it. */
  readonly hindsight: string;
  /** ISO, when it began: what was acknowledged before is in it. */
  readonly createdAt: string;
  /** Of the last event; absent for an empty log. */
  readonly position?: Position;
  /** ISO, when that was recorded. */
  readonly recordedAt?: string;
  readonly events: number;
  /** Positions of events that were damaged in the log already: they are here as they were found there. */
  readonly damaged: readonly Position[];
  readonly files: readonly BackupFile[];
  /** Absent in a backup of the log alone. */
  readonly readModels?: readonly ReadModelDigest[];
}

/** Size and hash of a file as it stands on the disk. */
export async function createFileEntry(folder: string, name: string): Promise<BackupFile> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(join(folder, name), { highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { name, bytes, sha256: hash.digest('hex') };
}

/** Throws a sentence for the operator where the folder holds no backup that this program can restore. */
export async function readManifest(folder: string): Promise<BackupManifest> {
  const text = await readFile(join(folder, MANIFEST_FILE), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw error;
  });
  if (text === undefined) throw new Error(`${folder} is no backup: it has no ${MANIFEST_FILE}`);
  const manifest = parseManifest(text);
  if (manifest?.format !== BACKUP_FORMAT || !Array.isArray(manifest.files))
    throw new Error(`${join(folder, MANIFEST_FILE)} is not the manifest of a backup`);
  if (manifest.formatVersion > BACKUP_FORMAT_VERSION) {
    throw new Error(
      `the backup has format ${manifest.formatVersion}, written by Hindsight ${manifest.hindsight}; this program knows ${BACKUP_FORMAT_VERSION}: restore it with that version`,
    );
  }
  return manifest;
}

function parseManifest(text: string): BackupManifest | undefined {
  try {
    return JSON.parse(text) as BackupManifest;
  } catch {
    return undefined; // told by the caller: what is no JSON is no manifest
  }
}

/** Throws where a file is not what the manifest says. Cheap first: a cut file is told by its size. */
export async function assertFileMatches(folder: string, expected: BackupFile): Promise<void> {
  const { size } = await stat(join(folder, expected.name));
  if (size !== expected.bytes)
    throw new Error(`the backup is damaged: ${expected.name} has ${size} bytes, the manifest says ${expected.bytes}`);
  const { sha256 } = await createFileEntry(folder, expected.name);
  if (sha256 !== expected.sha256)
    throw new Error(`the backup is damaged: ${expected.name} is not what the manifest says (SHA-256)`);
}
