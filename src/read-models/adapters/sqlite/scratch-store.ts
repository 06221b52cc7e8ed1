import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ReadModelStore } from '../../read-model-store.js';
import { openForWriting } from './read-model-file.js';
import type { SqliteDatabase } from './sqlite-database.js';
import { SqliteReadModelStore } from './read-model-store.js';

const PREFIX = 'scratch-';

/** Prefix of this thread; folders with another one were left by a killed process. */
const THREAD_PREFIX = `${PREFIX}${randomUUID()}`;

let openedCount = 0;

/**
 * Opens an empty store in its own folder below `dir`, which `close` removes. Folders of killed processes are removed at
 * first use, so `dir` MUST belong to this process, and scratch stores to one of its threads.
 */
export function openScratchStore(dir: string): ReadModelStore {
  return new ScratchStore(dir, join(dir, `${THREAD_PREFIX}-${++openedCount}`));
}

/** Need not survive a power failure. */
class ScratchStore extends SqliteReadModelStore {
  constructor(
    private readonly dir: string,
    private readonly folder: string,
  ) {
    super(join(folder, 'read-models.db'));
  }

  override async close(): Promise<void> {
    this.closeConnection();
    await rm(this.folder, { recursive: true, force: true });
  }

  protected override open(): SqliteDatabase {
    removeStaleStores(this.dir);
    return openForWriting(this.file, { synchronous: 'OFF' });
  }
}

function removeStaleStores(dir: string): void {
  if (!existsSync(dir)) return;
  const stale = readdirSync(dir).filter((name) => name.startsWith(PREFIX) && !name.startsWith(THREAD_PREFIX));
  for (const name of stale) rmSync(join(dir, name), { recursive: true, force: true });
}
