import { join } from 'node:path';
import { workerData } from 'node:worker_threads';
import { openEventLogReader } from '../engines/event-log.js';
import { openReadModelStore } from '../engines/read-model-stores.js';
import { createLogger } from '../../self-telemetry/logger.js';
import { FilePoisonEventJournal } from '../../projections/engine/adapters/file/file-poison-event-journal.js';
import type { Projected, Projector } from '../../projections/engine/projector.js';
import { openScratchStore } from '../../read-models/adapters/sqlite/scratch-store.js';
import { InProcessFeed } from '../../streams/live/in-process-feed.js';
import { createProjectorLifecycle } from './projector-lifecycle.js';
import { ATTEMPTS_FILE, SCRATCH_FOLDER, type ThreadSettings } from '../engines/engine-settings.js';
import { crashThread, exposeThreadApi } from './worker-thread.js';

/** Writes the read models, as the only thread of its process. */
export interface ProjectorApi extends Pick<
  Projector,
  | 'projections'
  | 'position'
  | 'waitForPosition'
  | 'rebuild'
  | 'verify'
  | 'vacuum'
  | 'listDeadLetters'
  | 'retryDeadLetters'
  | 'check'
> {
  /** Follows the log from now on, tells of every commit, how many events are parked, and of which shares of the Grids this process keeps the read models. */
  start(
    onProjected: (projected: Projected) => void,
    onParked: (count: number) => void,
    onHeld: (shares: readonly number[]) => void,
  ): Promise<void>;
  /** Finishes the commits under way and closes the stores. */
  stop(): Promise<void>;
}

const settings = workerData as ThreadSettings;
const { dataDir, logLevel } = settings;
const feed = new InProcessFeed();
const events = await openEventLogReader(settings, feed);
const store = await openReadModelStore(settings, crashThread);
let report: (projected: Projected) => void = () => undefined;
let reportParked: (count: number) => void = () => undefined;
let reportHeld: (shares: readonly number[]) => void = () => undefined;
const log = createLogger(logLevel);
const journal = new FilePoisonEventJournal(join(dataDir, ATTEMPTS_FILE), log);

const { projector, start, stop } = await createProjectorLifecycle(settings, {
  events,
  store,
  feed,
  log,
  journal,
  scratch: () => openScratchStore(join(dataDir, SCRATCH_FOLDER)),
  onProjected: (projected) => report(projected),
  onDeadLetterCount: (count) => reportParked(count),
  onOwnedShardsChanged: (shares) => reportHeld(shares),
  onStartRefused: crashThread,
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
    journal.close();
  },
  projections: () => projector.projections(),
  position: (name) => projector.position(name),
  waitForPosition: (name, position, timeoutMs) => projector.waitForPosition(name, position, timeoutMs),
  rebuild: (name, onProgress) => projector.rebuild(name, onProgress),
  verify: (name) => projector.verify(name),
  vacuum: () => projector.vacuum(),
  listDeadLetters: () => projector.listDeadLetters(),
  retryDeadLetters: (options, onProgress) => projector.retryDeadLetters(options, onProgress),
  check: () => projector.check(),
};

exposeThreadApi(api);
