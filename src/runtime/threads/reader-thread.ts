import { workerData } from 'node:worker_threads';
import { openEventLogReader } from '../engines/event-log.js';
import { openReadModelReader } from '../engines/read-model-stores.js';
import type { TelemetryQueries } from '../../queries/telemetry/telemetry-query-types.js';
import { createTelemetryQueries } from '../../queries/telemetry/telemetry-queries.js';
import { createReaderForGrid } from '../../read-models/sharding/shard-readers.js';
import { InProcessFeed } from '../../streams/live/in-process-feed.js';
import { ShardMap } from '../../streams/shard-map.js';
import { TelemetryBodyCache } from '../../streams/telemetry-body-cache.js';
import type { ThreadSettings } from '../engines/engine-settings.js';
import { crashThread, exposeThreadApi } from './worker-thread.js';

/**
 * API of the reader thread: all telemetry queries, over connections of its own, outside the thread that serves
 * requests.
 */
export type ReaderApi = TelemetryQueries;

const settings = workerData as ThreadSettings;
const store = await openReadModelReader(settings, crashThread);
const events = await openEventLogReader(settings, new InProcessFeed());
const api: ReaderApi = createTelemetryQueries(store, new TelemetryBodyCache(events), {
  readerOf: createReaderForGrid(store, new ShardMap(settings.projectorShares)),
});

exposeThreadApi(api);
