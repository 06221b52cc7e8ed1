import { closeSync, existsSync, openSync, readFileSync, readSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPackageVersion } from '../../config/package-version.js';
import { SettingsError } from '../../config/settings.js';
import { toEventLogPath } from '../../streams/adapters/sqlite/data-folder.js';
import { SCHEMA_VERSION } from '../../streams/adapters/sqlite/event-log-schema.js';

/** File in the data folder that says which version of Hindsight last opened it for writing. */
export const VERSION_FILE = 'version.json';

/**
 * Format of the data folder as a whole. Incremented with every change that an older version must not open: a new format
 * of the event log, or events without which its commands would decide wrongly.
 */
export const FOLDER_FORMAT = 1;

/** Content of `VERSION_FILE`. */
interface FolderVersion {
  readonly format: number;
  /** Version of Hindsight, such as `0.1.0`. */
  readonly hindsight: string;
}

/**
 * Throws `SettingsError` if a newer version of Hindsight wrote the folder in a format that this one does not know. Changes
 * nothing. A folder without the file is older or new.
 */
export function assertFolderVersion(dataDir: string, current: FolderVersion = currentVersion()): void {
  const stored = readFolderVersion(dataDir);
  if (stored !== undefined && stored.format > current.format)
    throw createNewerFolderError(
      dataDir,
      `Hindsight ${stored.hindsight} (format ${stored.format})`,
      current,
      stored.hindsight,
    );
  const logFormat = readLogFormat(toEventLogPath(dataDir));
  if (logFormat > SCHEMA_VERSION)
    throw createNewerFolderError(
      dataDir,
      `a newer Hindsight (format ${logFormat} of the event log)`,
      current,
      'that version',
    );
}

/**
 * Records that this version writes the folder, which the caller has locked. Returns what the operator should know: that
 * another version wrote it before, or that the record cannot be written. Never rejects, as a full disk must not keep
 * the service from starting.
 */
export function recordFolderVersion(dataDir: string, current: FolderVersion = currentVersion()): string | undefined {
  const stored = readFolderVersion(dataDir);
  if (stored?.format === current.format && stored.hindsight === current.hindsight) return undefined;
  try {
    const file = join(dataDir, VERSION_FILE);
    writeFileSync(`${file}.new`, `${JSON.stringify(current)}\n`, { mode: 0o600, flush: true });
    renameSync(`${file}.new`, file);
  } catch (error) {
    return `cannot record in ${join(dataDir, VERSION_FILE)} which version writes the folder: ${(error as Error).message}`;
  }
  return stored === undefined ? undefined : describeChange(dataDir, stored.hindsight, current.hindsight);
}

function currentVersion(): FolderVersion {
  return { format: FOLDER_FORMAT, hindsight: readPackageVersion() };
}

function createNewerFolderError(
  dataDir: string,
  writer: string,
  current: FolderVersion,
  required: string,
): SettingsError {
  return new SettingsError(
    'DATA_DIR',
    `${dataDir} was written by ${writer}, but this is Hindsight ${current.hindsight}, which knows formats up to ${current.format}: start ${required} or newer on it, or restore a backup from before the upgrade into another folder`,
  );
}

function describeChange(dataDir: string, before: string, now: string): string {
  return isNewer(before, now)
    ? `${dataDir} was last written by Hindsight ${before}, this is ${now}: events of types that it does not know are skipped until the next upgrade (docs/upgrading.md)`
    : `${dataDir} was last written by Hindsight ${before}, this is ${now}`;
}

function isNewer(version: string, other: string): boolean {
  const [a, b] = [version, other].map((each) => each.split(/[.+-]/, 3).map(Number));
  for (let part = 0; part < 3; part++) if (a[part] !== b[part]) return a[part] > b[part];
  return false;
}

/** Undefined if there is none, or none that can be read: the record is written again. */
function readFolderVersion(dataDir: string): FolderVersion | undefined {
  const file = join(dataDir, VERSION_FILE);
  if (!existsSync(file)) return undefined;
  try {
    const stored = JSON.parse(readFileSync(file, 'utf8')) as Partial<FolderVersion> | null;
    return Number.isSafeInteger(stored?.format) && typeof stored?.hindsight === 'string'
      ? (stored as FolderVersion)
      : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Offset of `user_version` in the header of a database file. */
const USER_VERSION_OFFSET = 60;

/** Format of the event log according to its header; 0 if there is no log, or another file. */
function readLogFormat(file: string): number {
  if (!existsSync(file)) return 0;
  const header = Buffer.alloc(USER_VERSION_OFFSET + 4);
  const descriptor = openSync(file, 'r');
  try {
    const isDatabase =
      readSync(descriptor, header, 0, header.length, 0) === header.length &&
      header.toString('latin1', 0, 15) === 'SQLite format 3';
    return isDatabase ? header.readInt32BE(USER_VERSION_OFFSET) : 0;
  } finally {
    closeSync(descriptor);
  }
}
