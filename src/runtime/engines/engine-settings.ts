import { EMBEDDED, type Settings } from '../../config/settings.js';

/** Name of the embedded read model file in the data folder. */
export const READ_MODELS_FILE = 'read-models.db';

/**
 * Settings that select and reach the engines of the event log, the read models and the live feed. Plain data, as it is
 * passed to worker threads.
 */
export type EngineSettings = Pick<
  Settings,
  | 'dataDir'
  | 'eventStoreUrl'
  | 'readStoreUrl'
  | 'natsUrl'
  | 'clusterName'
  | 'natsReplicas'
  | 'projectorShares'
  | 'storeTimeoutMs'
>;

/** Picks the engine settings: no other setting may reach a worker thread. */
export function pickEngineSettings({
  dataDir,
  eventStoreUrl,
  readStoreUrl,
  natsUrl,
  clusterName,
  natsReplicas,
  projectorShares,
  storeTimeoutMs,
}: EngineSettings): EngineSettings {
  return {
    dataDir,
    eventStoreUrl,
    readStoreUrl,
    natsUrl,
    clusterName,
    natsReplicas,
    projectorShares,
    storeTimeoutMs,
  };
}

export function isLogEmbedded({ eventStoreUrl }: Pick<EngineSettings, 'eventStoreUrl'>): boolean {
  return eventStoreUrl === EMBEDDED;
}

export function areReadModelsEmbedded({ readStoreUrl }: Pick<EngineSettings, 'readStoreUrl'>): boolean {
  return readStoreUrl === EMBEDDED;
}

/** Settings that every worker thread of a service receives. */
export interface ThreadSettings extends EngineSettings, Pick<Settings, 'logLevel' | 'roles' | 'memoryLimit'> {}

/** Name of the folder in the data folder for temporary stores of a verification. */
export const SCRATCH_FOLDER = 'scratch';

/**
 * Name of the file in the data folder that journals the events being folded, to recognise poison events after a crash.
 */
export const ATTEMPTS_FILE = 'attempts.json';
