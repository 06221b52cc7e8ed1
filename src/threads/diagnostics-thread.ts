import { workerData } from 'node:worker_threads';
import { areReadModelsEmbedded } from '../engines/engine-settings.js';
import { openReadModelReader } from '../engines/read-models.js';
import { createLogger } from '../log.js';
import { LiveDiagnostics } from '../projections/live-diagnostics.js';
import { createChartQueries } from '../queries/charts/chart-queries.js';
import type { ChartQueries } from '../queries/charts/questions.js';
import { AskedLately } from '../queries/diagnostics/asked-lately.js';
import { createDiagnosticsQueries } from '../queries/diagnostics/diagnostics-queries.js';
import type { DiagnosticsQueries } from '../queries/diagnostics/questions.js';
import { MemoryReadModelStore } from '../read-models/adapters/memory/read-model-store.js';
import { readersByGrid } from '../read-models/shares/readers-by-grid.js';
import { rollupsByGrid } from '../read-models/shares/shared-rollups.js';
import { InProcessFeed } from '../streams/live/in-process.js';
import { Shares } from '../streams/shares.js';
import type { ThreadSettings } from './thread-settings.js';
import { endThread, serveThread } from './thread.js';

/** Answers every question about diagnostics and charts, and keeps the live documents, over connections of its own. */
export interface DiagnosticsApi extends DiagnosticsQueries, ChartQueries {
  /** Keeps the live documents current from now on. Until then every question is computed. */
  start(): Promise<void>;
  /** Ends that, and closes the stores. */
  stop(): Promise<void>;
}

const settings = workerData as ThreadSettings;
const store = await openReadModelReader(settings, endThread);
// Answers about now are worth nothing to the next process: they stay in memory.
const live = new MemoryReadModelStore();
const feed = new InProcessFeed();
const shares = new Shares(settings.projectorShares);
const [readerOf, rollups] = [readersByGrid(store, shares), rollupsByGrid(store, shares)];
// Read models elsewhere are those of many processes: each keeps current what it is asked for.
const asked = areReadModelsEmbedded(settings) ? undefined : new AskedLately(() => performance.now(), () => projection.ring());
const { queries, liveSource } = createDiagnosticsQueries({ store, readerOf, live, rollups, asked });
const projection = new LiveDiagnostics({ source: liveSource, store: live, feed, log: createLogger(settings.logLevel) });

const api: DiagnosticsApi = {
  ...queries,
  ...createChartQueries({ store, readerOf, rollups }),
  async start() {
    void projection.start(); // never rejects, and ends with stop
  },
  async stop() {
    await projection.stop();
    await Promise.all([store.close(), live.close(), feed.close()]);
  },
};

serveThread(api);
