import { readEnvironment, readSettings } from '../src/config.js';
import type { Service } from './service.js';

/** A Hindsight that somebody else runs and stops; its first Grid is the one of the BOOTSTRAP settings here. Throws where they are missing. */
export function serviceElsewhere({ otlpUrl, apiUrl }: { readonly otlpUrl: string; readonly apiUrl: string }): Service {
  const { bootstrapGridId: gridId, bootstrapApiKey } = readSettings(readEnvironment());
  if (gridId === undefined || bootstrapApiKey === undefined) throw new Error('--to needs BOOTSTRAP_GRID_ID and BOOTSTRAP_API_KEY of the Hindsight that it sends to');
  return { otlpUrl, apiUrl, gridId, apiKey: bootstrapApiKey.reveal(), ended: new Promise(() => undefined), stop: () => Promise.resolve(0) };
}
