import { join } from 'node:path';
import { workerData } from 'node:worker_threads';
import { openLogReader } from '../engines/log.js';
import { openReadModelStore } from '../engines/read-models.js';
import { createLogger } from '../log.js';
import { AttemptsFile } from '../projections/adapters/file/attempts-file.js';
import type { Projected, Projector } from '../projections/projector.js';
import { openScratchStore } from '../read-models/adapters/sqlite/scratch-store.js';
import { InProcessFeed } from '../streams/live/in-process.js';
import { projecting } from './projecting.js';
import { ATTEMPTS_FILE, SCRATCH_FOLDER, type ThreadSettings } from './thread-settings.js';
import { endThread, serveThread } from './thread.js';

/** Writes the read models, as the only thread of its process. */
export interface ProjectorApi extends Pick<Projector, 'projections' | 'position' | 'whenAt' | 'rebuild' | 'verify' | 'vacuum' | 'parked' | 'retryParked' | 'check'> {
  /** Follows the log from now on, tells of every commit, how many events are parked, and of which shares of the Grids this process keeps the read models. */
  start(onProjected: (projected: Projected) => void, onParked: (count: number) => void, onHeld: (shares: readonly number[]) => void): Promise<void>;
  /** Finishes the commits under way and closes the stores. */
  stop(): Promise<void>;
}

const settings = workerData as ThreadSettings;
const { dataDir, logLevel } = settings;
const feed = new InProcessFeed();
const events = await openLogReader(settings, feed);
const store = await openReadModelStore(settings, endThread);
let report: (projected: Projected) => void = () => undefined;
let reportParked: (count: number) => void = () => undefined;
let reportHeld: (shares: readonly number[]) => void = () => undefined;
const log = createLogger(logLevel);
const attempts = new AttemptsFile(join(dataDir, ATTEMPTS_FILE), log);

const { projector, start, stop } = await projecting(settings, {
  events,
  store,
  feed,
  log,
  attempts,
  scratch: () => openScratchStore(join(dataDir, SCRATCH_FOLDER)),
  onProjected: (projected) => report(projected),
  onParked: (count) => reportParked(count),
  onHeld: (shares) => reportHeld(shares),
  onRefused: endThread,
});

const api: ProjectorApi = {
  start(onProjected, onParked, onHeld) {
    report = onProjected;
    reportParked = onParked;
    reportHeld = onHeld;
    return start();
  },
  async stop() {
    await stop();
    await Promise.all([events.close(), store.close(), feed.close()]);
    attempts.close();
  },
  projections: () => projector.projections(),
  position: (name) => projector.position(name),
  whenAt: (name, position, timeoutMs) => projector.whenAt(name, position, timeoutMs),
  rebuild: (name, onProgress) => projector.rebuild(name, onProgress),
  verify: (name) => projector.verify(name),
  vacuum: () => projector.vacuum(),
  parked: () => projector.parked(),
  retryParked: (options, onProgress) => projector.retryParked(options, onProgress),
  check: () => projector.check(),
};

serveThread(api);
