import type { Parts } from '../composition.js';
import { areReadModelsEmbedded } from '../engines/engine-settings.js';
import { hasCode } from '../errors.js';

/**
 * Rejects where the read models were made for another number of shares than this process is set to: it would answer of Grids as if they were
 * empty. A store that is away now says so later, by `/ready`.
 */
export async function admitted({ settings, lookUps, log }: Pick<Parts, 'settings' | 'lookUps' | 'log'>): Promise<void> {
  if (areReadModelsEmbedded(settings)) return;
  try {
    await lookUps.api.ping();
  } catch (error) {
    if (!hasCode(error, 'unavailable')) throw error;
    log.warn('the read store does not answer yet', { error });
  }
}
