import { join } from 'node:path';
import { SettingsError } from '../../config/settings.js';
import { SqliteReadModelReader } from '../../read-models/adapters/sqlite/read-model-reader.js';
import { SqliteReadModelStore } from '../../read-models/adapters/sqlite/read-model-store.js';
import type { ReadModelReader, ReadModelStore } from '../../read-models/read-model-store.js';
import { areReadModelsEmbedded, READ_MODELS_FILE, type EngineSettings } from './engine-settings.js';

type StoreSettings = Pick<EngineSettings, 'dataDir' | 'readStoreUrl'>;

/**
 * A connection of its own to the read models.
 * @param onDamage told once when the embedded file is damaged: only a new start mends that
 */
export async function openReadModelReader(
  settings: StoreSettings,
  onDamage?: (error: Error) => void,
): Promise<ReadModelReader> {
  if (areReadModelsEmbedded(settings))
    return new SqliteReadModelReader(join(settings.dataDir, READ_MODELS_FILE), onDamage);
  const { MongoReadModelReader } = await import('../../read-models/adapters/mongodb/read-model-reader.js');
  return wrapReadStoreUrlError(() => new MongoReadModelReader(settings.readStoreUrl));
}

/** The same for whoever writes them. */
export async function openReadModelStore(
  settings: StoreSettings,
  onDamage?: (error: Error) => void,
): Promise<ReadModelStore> {
  if (areReadModelsEmbedded(settings))
    return new SqliteReadModelStore(join(settings.dataDir, READ_MODELS_FILE), onDamage);
  const { MongoReadModelStore } = await import('../../read-models/adapters/mongodb/read-model-store.js');
  return wrapReadStoreUrlError(() => new MongoReadModelStore(settings.readStoreUrl));
}

function wrapReadStoreUrlError<Store>(open: () => Store): Store {
  try {
    return open();
  } catch (cause) {
    throw new SettingsError('READ_STORE_URL', `cannot be used: ${(cause as Error).message}`, { cause });
  }
}
