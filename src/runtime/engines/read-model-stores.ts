import { join } from 'node:path';
import { SettingsError } from '../../config/settings.js';
import { SqliteReadModelReader } from '../../read-models/adapters/sqlite/read-model-reader.js';
import { SqliteReadModelStore } from '../../read-models/adapters/sqlite/read-model-store.js';
import type { ReadModelReader, ReadModelStore } from '../../read-models/read-model-store.js';
import { planMemory } from './memory-plan.js';
import {
  areReadModelsEmbedded,
  READ_MODELS_FILE,
  type EngineSettings,
  type ThreadSettings,
} from './engine-settings.js';

type StoreSettings = Pick<EngineSettings, 'dataDir' | 'readStoreUrl' | 'storeTimeoutMs'> &
  Partial<Pick<ThreadSettings, 'memoryLimit' | 'roles'>>;

/**
 * Opens a connection of its own for reading the read models.
 * @param onDamage called once when the embedded file is damaged; only a restart repairs it
 */
export async function openReadModelReader(
  settings: StoreSettings,
  onDamage?: (error: Error) => void,
): Promise<ReadModelReader> {
  if (areReadModelsEmbedded(settings))
    return new SqliteReadModelReader(
      join(settings.dataDir, READ_MODELS_FILE),
      onDamage,
      countPageBytes(settings, READER_PAGES),
    );
  const { MongoReadModelReader } = await import('../../read-models/adapters/mongodb/read-model-reader.js');
  return wrapReadStoreUrlError(() => new MongoReadModelReader(settings.readStoreUrl, settings));
}

/** Opens the store for the projector. Parameters as in `openReadModelReader`. */
export async function openReadModelStore(
  settings: StoreSettings,
  onDamage?: (error: Error) => void,
): Promise<ReadModelStore> {
  if (areReadModelsEmbedded(settings))
    return new SqliteReadModelStore(
      join(settings.dataDir, READ_MODELS_FILE),
      onDamage,
      countPageBytes(settings, WRITER_PAGES),
    );
  const { MongoReadModelStore } = await import('../../read-models/adapters/mongodb/read-model-store.js');
  return wrapReadStoreUrlError(() => new MongoReadModelStore(settings.readStoreUrl, settings));
}

/** Parts of the page cache of a service for its writer, and for each of its three readers. */
const WRITER_PAGES = 1 / 2;
const READER_PAGES = 1 / 6;

/** Page cache (bytes) of one connection; undefined outside a service: the default of the adapter. */
function countPageBytes({ memoryLimit, roles }: StoreSettings, part: number): number | undefined {
  return roles && planMemory(memoryLimit, roles).caches.pages * part;
}

function wrapReadStoreUrlError<Store>(open: () => Store): Store {
  try {
    return open();
  } catch (cause) {
    throw new SettingsError('READ_STORE_URL', `is not usable: ${(cause as Error).message}`, { cause });
  }
}
