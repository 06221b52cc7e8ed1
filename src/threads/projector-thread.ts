import { join } from 'node:path';
import { workerData } from 'node:worker_threads';
import { createLogger } from '../log.js';
import { createProjector, type Projected, type Projector } from '../projections/projector.js';
import { SqliteReadModelStore } from '../read-models/adapters/sqlite/read-model-store.js';
import { openScratchStore } from '../read-models/adapters/sqlite/scratch-store.js';
import { openEventReader } from '../streams/adapters/sqlite/event-reader.js';
import { InProcessFeed } from '../streams/live/in-process.js';
import { READ_MODELS_FILE, SCRATCH_FOLDER, type ThreadSettings } from './thread-settings.js';
import { serveThread } from './thread.js';

/** The single writer of the read models. */
export interface ProjectorApi extends Pick<Projector, 'projections' | 'position' | 'whenAt' | 'rebuild' | 'verify' | 'vacuum' | 'parked' | 'check'> {
  /** Follows the log from now on and tells of every commit. */
  start(onProjected: (projected: Projected) => void): Promise<void>;
  /** Finishes the commits under way and closes the stores. */
  stop(): Promise<void>;
}

const { dataDir, logLevel } = workerData as ThreadSettings;
const feed = new InProcessFeed();
const events = openEventReader(dataDir, feed);
const store = new SqliteReadModelStore(join(dataDir, READ_MODELS_FILE));
let report: (projected: Projected) => void = () => undefined;

const projector = createProjector({
  events,
  store,
  feed,
  log: createLogger(logLevel),
  scratch: () => openScratchStore(join(dataDir, SCRATCH_FOLDER)),
  onProjected: (projected) => report(projected),
});

const api: ProjectorApi = {
  start(onProjected) {
    report = onProjected;
    return projector.start();
  },
  async stop() {
    await projector.stop();
    await Promise.all([events.close(), store.close(), feed.close()]);
  },
  projections: () => projector.projections(),
  position: (name) => projector.position(name),
  whenAt: (name, position, timeoutMs) => projector.whenAt(name, position, timeoutMs),
  rebuild: (name, onProgress) => projector.rebuild(name, onProgress),
  verify: (name) => projector.verify(name),
  vacuum: () => projector.vacuum(),
  parked: () => projector.parked(),
  check: () => projector.check(),
};

serveThread(api);
