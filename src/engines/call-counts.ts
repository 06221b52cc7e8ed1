import { ownCounts } from '../http/call-counts.js';
import { InsuredCounts } from '../http/insured-counts.js';
import type { Logger } from '../log.js';
import { areReadModelsEmbedded, type EngineSettings } from './engine-settings.js';

const WINDOW_SECONDS = 60;

/**
 * Where all processes count the calls of the API together; undefined where there is but one process. Never
 * fails: a store that is away is told to the log, a few seconds later, and each process counts by itself.
 */
export async function openCallCounts({ readStoreUrl }: Pick<EngineSettings, 'readStoreUrl'>, log: Logger): Promise<InsuredCounts | undefined> {
  if (areReadModelsEmbedded({ readStoreUrl })) return undefined;
  const { MongoCallCounts } = await import('../http/adapters/mongodb/mongo-call-counts.js');
  const counts = new InsuredCounts({ shared: new MongoCallCounts(readStoreUrl, WINDOW_SECONDS), own: ownCounts(WINDOW_SECONDS), log });
  await counts.start();
  return counts;
}
