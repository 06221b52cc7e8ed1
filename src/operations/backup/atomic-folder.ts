import { existsSync } from 'node:fs';
import { chmod, mkdir, open, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/** Throws when `folder` exists and is not an empty folder. */
export async function assertEmptyOrMissing(folder: string): Promise<void> {
  if (!existsSync(folder)) return;
  const names = await readdir(folder).catch(() => ['a file']);
  if (names.length > 0) throw new Error(`${folder} is not empty; choose a new or empty folder`);
}

/**
 * Runs `work` on a temporary folder (mode 0700) beside `folder` and renames it when complete; removes it on failure.
 * Thus `folder` is complete or missing, even after a power cut.
 */
export async function createFolderAtomically<Result>(
  folder: string,
  work: (draft: string) => Promise<Result>,
): Promise<Result> {
  const target = resolve(folder);
  await assertEmptyOrMissing(target);
  await mkdir(dirname(target), { recursive: true });
  const draft = `${target}.${process.pid}.partial`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { mode: 0o700 });
  await chmod(draft, 0o700);
  try {
    const result = await work(draft);
    await syncFolder(draft);
    if (existsSync(target)) await rmdir(target);
    await rename(draft, target);
    await syncFolder(dirname(target));
    return result;
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  }
}

async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return; // folders cannot be opened on Windows
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
