import { join } from 'node:path';
import { workerData } from 'node:worker_threads';
import type { TelemetryQueries } from '../queries/answers.js';
import { createTelemetryQueries } from '../queries/telemetry-queries.js';
import { SqliteReadModelReader } from '../read-models/adapters/sqlite/read-model-reader.js';
import { openEventReader } from '../streams/adapters/sqlite/event-reader.js';
import { InProcessFeed } from '../streams/live/in-process.js';
import { TelemetryBodies } from '../streams/telemetry-bodies.js';
import { READ_MODELS_FILE, type ThreadSettings } from './thread-settings.js';
import { endThread, serveThread } from './thread.js';

/** Answers every question about traces and logs, over connections of its own, away from the thread that serves. */
export type ReaderApi = TelemetryQueries;

const { dataDir } = workerData as ThreadSettings;
const store = new SqliteReadModelReader(join(dataDir, READ_MODELS_FILE), endThread);
const events = openEventReader(dataDir, new InProcessFeed());
const api: ReaderApi = createTelemetryQueries(store, new TelemetryBodies(events));

serveThread(api);
