import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ReadModelStore } from '../../read-model-store.js';
import { openForWriting, type SqliteDatabase } from './sqlite-database.js';
import { SqliteReadModelStore } from './read-model-store.js';

const PREFIX = 'scratch-';

/** Of this thread; what carries another one was left by a process that was killed. */
const THREAD_PREFIX = `${PREFIX}${randomUUID()}`;

let openedCount = 0;

/**
 * An empty store in a folder of its own below `dir`, which `close` removes. What a killed process left there is removed
 * at first use, so `dir` MUST belong to this process, and scratch stores to one of its threads.
 */
export function openScratchStore(dir: string): ReadModelStore {
  return new ScratchStore(dir, join(dir, `${THREAD_PREFIX}-${++openedCount}`));
}

/** Nothing of it has to survive a power cut. */
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
    return openForWriting(this.file, 'OFF');
  }
}

function removeStaleStores(dir: string): void {
  if (!existsSync(dir)) return;
  const left = readdirSync(dir).filter((name) => name.startsWith(PREFIX) && !name.startsWith(THREAD_PREFIX));
  for (const name of left) rmSync(join(dir, name), { recursive: true, force: true });
}
