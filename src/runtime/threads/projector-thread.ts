import { join } from 'node:path';
import { workerData } from 'node:worker_threads';
import { openEventLogReader } from '../engines/event-log.js';
import { openReadModelStore } from '../engines/read-model-stores.js';
import { createLogger } from '../../self-telemetry/logger.js';
import { FilePoisonEventJournal } from '../../projections/engine/adapters/file/file-poison-event-journal.js';
import type { CommitReport } from '../../projections/engine/projector-types.js';
import type { Projector } from '../../projections/engine/projector.js';
import { openScratchStore } from '../../read-models/adapters/sqlite/scratch-store.js';
import { InProcessFeed } from '../../streams/live/in-process-feed.js';
import { createProjectorLifecycle } from './projector-lifecycle.js';
import { ATTEMPTS_FILE, SCRATCH_FOLDER, type ThreadSettings } from '../engines/engine-settings.js';
import { ThreadCaches } from '../../thread-memory.js';
import { crashThread, exposeThreadApi } from './worker-thread.js';

/** API of the projector thread, the only thread of its process that writes read models. */
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
  /** Starts projecting. Reports every commit, the number of dead letters, and the owned shards whenever they change. */
  start(
    onProjected: (projected: CommitReport) => void,
    onDeadLetterCount: (count: number) => void,
    onOwnedShards: (shards: readonly number[]) => void,
  ): Promise<void>;
  /** Finishes running commits and closes the stores. */
  stop(): Promise<void>;
}

const settings = workerData as ThreadSettings;
const caches = new ThreadCaches();
const { dataDir, logLevel } = settings;
const feed = new InProcessFeed();
const events = caches.addStore(await openEventLogReader(settings, feed));
const store = caches.addStore(await openReadModelStore(settings, crashThread));
let reportCommit: (projected: CommitReport) => void = () => undefined;
let reportDeadLetters: (count: number) => void = () => undefined;
let reportOwnedShards: (shards: readonly number[]) => void = () => undefined;
const log = createLogger(logLevel);
const journal = new FilePoisonEventJournal(join(dataDir, ATTEMPTS_FILE), log);

const { projector, start, stop } = await createProjectorLifecycle(settings, {
  events,
  store,
  feed,
  log,
  journal,
  scratch: () => openScratchStore(join(dataDir, SCRATCH_FOLDER)),
  onProjected: (projected) => reportCommit(projected),
  onDeadLetterCount: (count) => reportDeadLetters(count),
  onOwnedShardsChanged: (shards) => reportOwnedShards(shards),
  onStartRefused: crashThread,
});
caches.addStore({ releaseMemory: () => projector.releaseMemory() });

const api: ProjectorApi = {
  start(onProjected, onDeadLetterCount, onOwnedShards) {
    reportCommit = onProjected;
    reportDeadLetters = onDeadLetterCount;
    reportOwnedShards = onOwnedShards;
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
  rebuild: (name, onProgress, options) => projector.rebuild(name, onProgress, options),
  verify: (name) => projector.verify(name),
  vacuum: () => projector.vacuum(),
  listDeadLetters: () => projector.listDeadLetters(),
  retryDeadLetters: (options, onProgress) => projector.retryDeadLetters(options, onProgress),
  check: () => projector.check(),
};

exposeThreadApi(api, caches);
