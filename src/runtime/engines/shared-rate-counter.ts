import { createLocalRateCounter } from '../../http/limits/rate-limiter.js';
import { FallbackRateCounter } from '../../http/limits/fallback-rate-counter.js';
import type { Logger } from '../../self-telemetry/logger.js';
import { areReadModelsEmbedded, type EngineSettings } from './engine-settings.js';

const WINDOW_SECONDS = 60;

/** Part of the store timeout that a call to the server may take. */
const CALL_PART = 0.5;

/**
 * Opens the rate counter that all processes share; undefined with embedded read models, which have one process. Never
 * rejects: while the store is unreachable, each process counts alone and logs a warning.
 */
export async function openSharedRateCounter(
  { readStoreUrl, storeTimeoutMs }: Pick<EngineSettings, 'readStoreUrl' | 'storeTimeoutMs'>,
  log: Logger,
): Promise<FallbackRateCounter | undefined> {
  if (areReadModelsEmbedded({ readStoreUrl })) return undefined;
  const { MongoRateCounter } = await import('../../http/adapters/mongodb/mongo-rate-counter.js');
  const counter = new FallbackRateCounter({
    shared: new MongoRateCounter(readStoreUrl, WINDOW_SECONDS, CALL_PART * storeTimeoutMs),
    own: createLocalRateCounter(WINDOW_SECONDS),
    log,
  });
  await counter.start();
  return counter;
}
