import { workerData } from 'node:worker_threads';
import { openEventLogReader } from '../engines/event-log.js';
import { openReadModelReader } from '../engines/read-model-stores.js';
import type { RecordRuleQueries } from '../../queries/alerting/record-rule-queries.js';
import type { TelemetryQueries } from '../../queries/telemetry/telemetry-query-types.js';
import { createAccessQueries } from '../../queries/administration/access-queries.js';
import { QueryTurns } from '../../queries/scheduling/cooperative-scheduler.js';
import { createGridOwnerLookup } from '../../queries/scheduling/grid-owner-lookup.js';
import { createTelemetryQueries } from '../../queries/telemetry/telemetry-queries.js';
import { createViewQueries, type ViewQueries } from '../../queries/views/view-queries.js';
import { createReaderForGrid } from '../../read-models/sharding/shard-readers.js';
import type { Damage } from '../../streams/log-checker.js';
import { InProcessFeed } from '../../streams/live/in-process-feed.js';
import { ShardMap } from '../../streams/shard-map.js';
import { TelemetryBodyCache } from '../../streams/telemetry-body-cache.js';
import type { ThreadSettings } from '../engines/engine-settings.js';
import { ThreadCaches } from '../../thread-memory.js';
import { planMemory } from '../engines/memory-plan.js';
import { crashThread, exposeThreadApi } from './worker-thread.js';

/**
 * API of the reader thread: all telemetry queries, over connections of its own, outside the thread that serves
 * requests.
 */
export interface ReaderApi extends TelemetryQueries, RecordRuleQueries, ViewQueries {
  /** From now on, calls `listener` with each damaged event that a query meets. */
  reportDamage(listener: (damage: Damage) => void): Promise<void>;
}

const settings = workerData as ThreadSettings;
const { caches: limits, queryBytes } = planMemory(settings.memoryLimit, settings.roles);
const caches = new ThreadCaches();
const store = caches.addStore(await openReadModelReader(settings, crashThread));
const events = caches.addStore(await openEventLogReader(settings, new InProcessFeed()));
let reportDamage: (damage: Damage) => void = () => undefined;
const onDamage = ({ position, reason }: Damage): void => reportDamage({ position, reason });
const bodies = caches.add('bodies', new TelemetryBodyCache(events, limits.bodies, onDamage));
const api: ReaderApi = {
  ...createTelemetryQueries(store, bodies, {
    cacheBytes: limits.searchBlocks,
    groupBytes: queryBytes,
    caches,
    getReader: createReaderForGrid(store, new ShardMap(settings.projectorShares)),
    turns: new QueryTurns(createGridOwnerLookup(createAccessQueries(store))),
  }),
  ...createViewQueries(store),
  async reportDamage(listener) {
    reportDamage = listener;
  },
};

exposeThreadApi(api, caches);
