import { randomUUID } from 'node:crypto';
import { link, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

/** A lock older than this (ms) was left behind by a process that died: no work takes this long. */
const STALE_MS = 60_000;
const ACQUIRE_TIMEOUT_MS = 70_000;
const POLL_INTERVAL_MS = 25;

/**
 * Runs `work` while this process holds the lock file, which is removed afterwards. Rejects if the lock cannot be
 * acquired.
 */
export async function withFileLock<Result>(
  path: string,
  work: () => Promise<Result>,
  staleMs: number = STALE_MS,
): Promise<Result> {
  const owner = randomUUID();
  await acquireLock(path, owner, staleMs);
  try {
    return await work();
  } finally {
    // If our lock was considered stale, the file now belongs to another process.
    if ((await readFile(path, 'utf8').catch(() => undefined)) === owner) await rm(path, { force: true });
  }
}

async function acquireLock(path: string, owner: string, staleMs: number): Promise<void> {
  const end = performance.now() + ACQUIRE_TIMEOUT_MS;
  while (!(await tryCreateLockFile(path, owner))) {
    if (performance.now() > end) throw new Error(`another process holds the lock ${path}`);
    await removeStaleLock(path, staleMs);
    await pause(POLL_INTERVAL_MS);
  }
}

/** The file system lets only one process create the file. */
async function tryCreateLockFile(path: string, owner: string): Promise<boolean> {
  try {
    const file = await open(path, 'wx', 0o600);
    await file.writeFile(owner);
    await file.close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Renames the stale lock, so that only one of several processes removes it; a process that moved a fresh lock by
 * mistake restores it.
 */
async function removeStaleLock(path: string, staleMs: number): Promise<void> {
  if (!(await isStale(path, staleMs))) return;
  const movedPath = `${path}.${randomUUID()}`;
  const isMoved = await rename(path, movedPath).then(
    () => true,
    () => false,
  );
  if (!isMoved) return;
  if (!(await isStale(movedPath, staleMs))) await link(movedPath, path).catch(() => undefined); // already acquired by another process
  await rm(movedPath, { force: true });
}

async function isStale(path: string, staleMs: number): Promise<boolean> {
  const stats = await stat(path).catch(() => undefined);
  return stats !== undefined && Date.now() - stats.mtimeMs >= staleMs;
}
