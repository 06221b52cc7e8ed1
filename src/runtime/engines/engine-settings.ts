import { EMBEDDED, type Settings } from '../../config/settings.js';

/** File of the embedded read models in the data folder. */
export const READ_MODELS_FILE = 'read-models.db';

/** Which engines keep the log, the read models and the hints, and how they are reached. Plain data: threads are given it. */
export type EngineSettings = Pick<
  Settings,
  'dataDir' | 'eventStoreUrl' | 'readStoreUrl' | 'natsUrl' | 'clusterName' | 'natsReplicas' | 'projectorShares'
>;

/** Picks what belongs to engines: the rest of the settings does not leave the thread that read them. */
export function pickEngineSettings({
  dataDir,
  eventStoreUrl,
  readStoreUrl,
  natsUrl,
  clusterName,
  natsReplicas,
  projectorShares,
}: EngineSettings): EngineSettings {
  return { dataDir, eventStoreUrl, readStoreUrl, natsUrl, clusterName, natsReplicas, projectorShares };
}

export function isLogEmbedded({ eventStoreUrl }: Pick<EngineSettings, 'eventStoreUrl'>): boolean {
  return eventStoreUrl === EMBEDDED;
}

export function areReadModelsEmbedded({ readStoreUrl }: Pick<EngineSettings, 'readStoreUrl'>): boolean {
  return readStoreUrl === EMBEDDED;
}

/** What every thread of a service is started with. */
export interface ThreadSettings extends EngineSettings, Pick<Settings, 'logLevel' | 'roles'> {}

/** Folder in the data folder for what a verification builds and throws away. */
export const SCRATCH_FOLDER = 'scratch';

/** File in the data folder with what projections were folding last. */
export const ATTEMPTS_FILE = 'attempts.json';
