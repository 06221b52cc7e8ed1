import { join } from 'node:path';
import { SILENT } from '../log.js';
import { createProjector, type Rebuilt, type Verified } from '../projections/projector.js';
import type { Progress } from '../projections/replay.js';
import { MemoryReadModelStore } from '../read-models/adapters/memory/read-model-store.js';
import { SqliteReadModelStore } from '../read-models/adapters/sqlite/read-model-store.js';
import { findDamage } from '../streams/adapters/sqlite/integrity.js';
import { openEventStore } from '../streams/adapters/sqlite/sqlite-event-store.js';
import { InProcessFeed } from '../streams/live/in-process.js';
import { READ_MODELS_FILE } from './thread-settings.js';

/** The embedded stores of a data folder on which no service runs, ready to be operated on. */
export interface OfflineStores {
  projections(): Promise<string[]>;
  replay(projection: string, onProgress: (progress: Progress) => void): Promise<Rebuilt>;
  verify(projection: string): Promise<Verified>;
  /** Newest position of the log and of each projection; "" for none. */
  positions(): Promise<Readonly<Record<string, string>>>;
  /** What is wrong with the bytes of the log, a sentence each; reads all of it. */
  damage(): readonly string[];
  close(): Promise<void>;
}

/** Claims the folder and begins to catch the read models up with the log. Rejects with code `unavailable` when another process has it. */
export async function openStores(dataDir: string): Promise<OfflineStores> {
  const feed = new InProcessFeed();
  const log = await openEventStore(dataDir, feed);
  const store = new SqliteReadModelStore(join(dataDir, READ_MODELS_FILE));
  const projector = createProjector({ events: log, store, feed, log: SILENT, scratch: () => new MemoryReadModelStore(), graceMs: 0 });
  await projector.start();
  return {
    projections: () => projector.projections(),
    replay: (projection, onProgress) => projector.rebuild(projection, onProgress),
    verify: (projection) => projector.verify(projection),
    async positions() {
      const names = await projector.projections();
      const positions = await Promise.all(names.map(async (name) => [name, (await projector.position(name)) ?? ''] as const));
      return { log: await log.head(), ...Object.fromEntries(positions) };
    },
    damage: () => findDamage(dataDir),
    async close() {
      await projector.stop();
      await Promise.all([log.close(), store.close(), feed.close()]);
    },
  };
}
