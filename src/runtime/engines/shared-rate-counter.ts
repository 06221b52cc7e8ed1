import { createLocalRateCounter } from '../../http/limits/rate-counter.js';
import { FallbackRateCounter } from '../../http/limits/fallback-rate-counter.js';
import type { Logger } from '../../self-telemetry/logger.js';
import { areReadModelsEmbedded, type EngineSettings } from './engine-settings.js';

const WINDOW_SECONDS = 60;

/**
 * Where all processes count the calls of the API together; undefined where there is but one process. Never
 * fails: a store that is away is told to the log, a few seconds later, and each process counts by itself.
 */
export async function openSharedRateCounter(
  { readStoreUrl }: Pick<EngineSettings, 'readStoreUrl'>,
  log: Logger,
): Promise<FallbackRateCounter | undefined> {
  if (areReadModelsEmbedded({ readStoreUrl })) return undefined;
  const { MongoRateCounter } = await import('../../http/adapters/mongodb/mongo-rate-counter.js');
  const counts = new FallbackRateCounter({
    shared: new MongoRateCounter(readStoreUrl, WINDOW_SECONDS),
    own: createLocalRateCounter(WINDOW_SECONDS),
    log,
  });
  await counts.start();
  return counts;
}
