import { randomUUID } from 'node:crypto';
import { link, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

/** Nobody works this long under a lock: an older one was left behind by a process that died. */
const STALE_MS = 60_000;
const ACQUIRE_TIMEOUT_MS = 70_000;
const POLL_INTERVAL_MS = 25;

/** Works while no other process works under the same lock; the file is removed afterwards. */
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
    // Whoever took us for dead has a lock of its own there by now.
    if ((await readFile(path, 'utf8').catch(() => undefined)) === owner) await rm(path, { force: true });
  }
}

async function acquireLock(path: string, owner: string, staleMs: number): Promise<void> {
  const end = performance.now() + ACQUIRE_TIMEOUT_MS;
  while (!(await tryCreateLockFile(path, owner))) {
    if (performance.now() > end) throw new Error(`another process keeps ${path}`);
    await removeStaleLock(path, staleMs);
    await pause(POLL_INTERVAL_MS);
  }
}

/** The system lets one process alone create a file. */
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

/** Of several that see the same stale lock, the renaming lets one remove it; who comes late and moves a fresh one puts it back. */
async function removeStaleLock(path: string, staleMs: number): Promise<void> {
  if (!(await isStale(path, staleMs))) return;
  const aside = `${path}.${randomUUID()}`;
  const moved = await rename(path, aside).then(
    () => true,
    () => false,
  );
  if (!moved) return;
  if (!(await isStale(aside, staleMs))) await link(aside, path).catch(() => undefined); // taken again already
  await rm(aside, { force: true });
}

async function isStale(path: string, staleMs: number): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && Date.now() - found.mtimeMs >= staleMs;
}
