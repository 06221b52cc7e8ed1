import type { EngineSettings } from '../engines/engine-settings.js';
import { openReadModelReader } from '../engines/read-models.js';
import { GROUPS } from '../projections/groups.js';
import { listParked, type ParkedEvent } from '../projections/parked-events.js';
import { readersByShare } from '../read-models/shares/readers-by-grid.js';
import type { ReadModelReader } from '../read-models/store.js';
import type { Shares } from '../streams/shares.js';

/** The same over a connection of its own. */
export async function parkedAnywhere(settings: EngineSettings): Promise<ParkedEvent[]> {
  const store = await openReadModelReader(settings);
  try {
    return await parkedOf(store, { count: settings.projectorShares });
  } finally {
    await store.close();
  }
}

/** What the read models of all shares lack, and what is kept once for all of them, in the order of the log. */
export async function parkedOf(store: ReadModelReader, { count }: Pick<Shares, 'count'>): Promise<ParkedEvent[]> {
  if (count === 1) return listParked(GROUPS, store);
  const ofShare = readersByShare(store);
  const ofShares = Array.from({ length: count }, async (_none, share) => (await listParked(GROUPS, ofShare(share))).map((event) => ({ ...event, lacking: event.lacking.map((name) => `${name}/${share}`) })));
  const found = await Promise.all([listParked(GROUPS, store), ...ofShares]);
  return found.flat().sort((a, b) => (a.position < b.position ? -1 : 1));
}
