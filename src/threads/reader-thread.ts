import { workerData } from 'node:worker_threads';
import { openLogReader } from '../engines/log.js';
import { openReadModelReader } from '../engines/read-models.js';
import type { TelemetryQueries } from '../queries/answers.js';
import { createTelemetryQueries } from '../queries/telemetry-queries.js';
import { readersByGrid } from '../read-models/shares/readers-by-grid.js';
import { InProcessFeed } from '../streams/live/in-process.js';
import { Shares } from '../streams/shares.js';
import { TelemetryBodies } from '../streams/telemetry-bodies.js';
import type { ThreadSettings } from './thread-settings.js';
import { endThread, serveThread } from './thread.js';

/** Answers every question about traces and logs, over connections of its own, away from the thread that serves. */
export type ReaderApi = TelemetryQueries;

const settings = workerData as ThreadSettings;
const store = await openReadModelReader(settings, endThread);
const events = await openLogReader(settings, new InProcessFeed());
const api: ReaderApi = createTelemetryQueries(store, new TelemetryBodies(events), { readerOf: readersByGrid(store, new Shares(settings.projectorShares)) });

serveThread(api);
