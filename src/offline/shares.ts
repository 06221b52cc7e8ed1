import { existsSync } from 'node:fs';
import { isLogEmbedded, type EngineSettings } from '../engines/engine-settings.js';
import { openLogReader } from '../engines/log.js';
import { openReadModelReader } from '../engines/read-models.js';
import type { SeatsTaken } from '../projections/leases/seats-taken.js';
import { storedPosition } from '../projections/stored-position.js';
import { checkInstallation } from '../read-models/installation.js';
import { readersByShare } from '../read-models/shares/readers-by-grid.js';
import type { ReadModelReader } from '../read-models/store.js';
import { logFile } from '../streams/adapters/sqlite/folder.js';
import { START, type EventReader } from '../streams/event-store.js';
import { InProcessFeed } from '../streams/live/in-process.js';
import { Shares } from '../streams/shares.js';
import { GRID_PREFIX } from '../streams/stream-names.js';
import { keepersOf } from './keepers.js';
import { parkedOf } from './parked.js';

/** How far read models are behind the log. */
export interface Lag {
  /** As operators name it, such as `traces/3`. */
  readonly projection: string;
  /** Since when the oldest event waits that they lack; 0: they lack none. */
  readonly waitingMs: number;
}

/** How the read models of an installation are kept, as seen from outside. */
export interface SharesLook {
  /** Into how many shares the settings of this process divide the Grids. */
  readonly count: number;
  /** Undefined without NATS: then one process has all, and nobody outside knows which. Where NATS does not tell: why. */
  readonly seats: SeatsTaken | { readonly unknown: string } | undefined;
  readonly lags: readonly Lag[];
  readonly parked: number;
}

/** Questions that are asked at once. */
const AT_ONCE = 8;

/** Reads leases, checkpoints, and the oldest event behind each; changes nothing. Undefined where the log is embedded and nothing was ever stored. Rejects with `unavailable` where an engine does, with `invalid-request` where the read models have another number of shares. */
export async function lookAtShares(settings: EngineSettings): Promise<SharesLook | undefined> {
  if (isLogEmbedded(settings) && !existsSync(logFile(settings.dataDir))) return undefined;
  const shares = new Shares(settings.projectorShares);
  const feed = new InProcessFeed();
  const log = await openLogReader(settings, feed);
  const store = await openReadModelReader(settings);
  try {
    await checkInstallation(store, shares.count);
    const [seats, parked, lags] = await Promise.all([keepersOf(settings).catch((error: unknown) => ({ unknown: (error as Error).message })), parkedOf(store, shares), lagsOf(log, store, shares)]);
    return { count: shares.count, seats, lags, parked: parked.length };
  } finally {
    await Promise.all([log.close(), store.close(), feed.close()]);
  }
}

interface Followed {
  readonly projection: string;
  readonly reader: ReadModelReader;
  readonly name: string;
  readonly prefixes: readonly string[];
}

/** Of administration by its access rules, of each share by its traces: projections that read the same streams commit together. */
async function lagsOf(log: EventReader, store: ReadModelReader, shares: Shares): Promise<Lag[]> {
  const ofShare = readersByShare(store);
  const all = Array.from({ length: shares.count }, (_none, share): Followed => {
    const single = shares.count === 1;
    return { projection: 'traces', reader: single ? store : ofShare(share), name: single ? 'traces' : `traces/${share}`, prefixes: shares.prefixesOf(share) };
  });
  const followed = [{ projection: 'access', reader: store, name: 'access', prefixes: [GRID_PREFIX] }, ...all];
  const lags: Lag[] = [];
  for (let at = 0; at < followed.length; at += AT_ONCE) lags.push(...(await Promise.all(followed.slice(at, at + AT_ONCE).map((each) => lagOf(log, each)))));
  return lags;
}

async function lagOf(log: EventReader, { projection, reader, name, prefixes }: Followed): Promise<Lag> {
  const position = (await storedPosition(reader, projection)) ?? START;
  const [oldest] = await log.readAll(position, { prefixes, limit: 1, bodies: false });
  return { projection: name, waitingMs: oldest === undefined ? 0 : Math.max(1, Date.now() - oldest.recordedAt) };
}
