import { activeVersion } from '../read-models/projections.js';
import type { ReadModelReader } from '../read-models/store.js';
import type { Position } from '../streams/event-store.js';
import { checkpointName } from './projection.js';

/** Up to where the read models of a projection reflect the log, whoever keeps them; undefined before the first commit. */
export async function storedPosition(store: ReadModelReader, projection: string): Promise<Position | undefined> {
  const version = await activeVersion(store, projection);
  return version === undefined ? undefined : store.checkpoint(checkpointName(projection, version));
}
