import { areReadModelsEmbedded, type EngineSettings } from './engines/engine-settings.js';
import { openEmbeddedStores } from './offline/embedded-stores.js';
import type { OfflineStores } from './offline/offline-stores.js';

export { lookAtStores, type StoresAtRest } from './offline/at-rest.js';
export type { OfflineStores };

/**
 * The stores that the settings name, where no service of the data folder runs. Embedded ones are claimed, others are shared with
 * whoever else works on them. Rejects with code `unavailable` when another process has the folder.
 * @param tell what an operator should know beside the answer
 */
export async function openStores(settings: EngineSettings, tell: (text: string) => void = () => undefined): Promise<OfflineStores> {
  if (areReadModelsEmbedded(settings)) return openEmbeddedStores(settings);
  const { openSharedStores } = await import('./offline/shared-stores.js');
  return openSharedStores(settings, tell);
}
