import { join } from 'node:path';
import { SILENT_LOGGER } from '../../src/self-telemetry/logger.js';
import type { CommitReport } from '../../src/projections/engine/projector-types.js';
import { SHARDED_GROUPS } from '../../src/projections/projection-groups.js';
import { createProjector, type Projector } from '../../src/projections/engine/projector.js';
import { createShardScope } from '../../src/projections/sharding/shard-scope.js';
import { MemoryReadModelStore } from '../../src/read-models/adapters/memory/read-model-store.js';
import { MongoReadModelStore } from '../../src/read-models/adapters/mongodb/read-model-store.js';
import { SqliteReadModelStore } from '../../src/read-models/adapters/sqlite/read-model-store.js';
import { EventStoreDbEventStore } from '../../src/streams/adapters/eventstoredb/eventstoredb-event-store.js';
import { openEventReader } from '../../src/streams/adapters/sqlite/sqlite-event-reader.js';
import type { Position } from '../../src/streams/event-store.js';
import { InProcessFeed } from '../../src/streams/live/in-process-feed.js';
import { LogTail } from '../../src/streams/log-tail.js';
import { GRID_PREFIX, RETENTION_PREFIX } from '../../src/streams/stream-names.js';
import { MEASURED_SHARD, SHARD_MAP } from './generated-requests.js';
import { serveMethods } from './measured-process.js';

/** Engines: addresses of the distributed ones, or the folder of the embedded ones. */
export type EngineAddresses = { readonly log: string; readonly readStore: string } | { readonly folder: string };

const PROJECTION_TIMEOUT_MS = 120_000;
const TELEMETRY = ['traces', 'logs', 'metrics'];
let projector: Projector;
let commits = 0;

function countCommits({ group }: CommitReport): void {
  if (group === 'telemetry') commits++;
}

/** As in a single-process service. */
function createEmbeddedProjector(folder: string): Projector {
  const [feed, store] = [new InProcessFeed(), new SqliteReadModelStore(join(folder, 'read-models.db'))];
  return createProjector({
    events: openEventReader(folder, feed),
    store,
    feed,
    log: SILENT_LOGGER,
    scratch: () => new MemoryReadModelStore(),
    onProjected: countCommits,
  });
}

/** One of several shards, behind a log tail of its own, as in the projector thread. */
function createShardProjector({ log, readStore }: { readonly log: string; readonly readStore: string }): Projector {
  const scope = createShardScope(SHARD_MAP, MEASURED_SHARD);
  const events = new LogTail(new EventStoreDbEventStore({ url: log }), {
    prefixes: [...scope.prefixes, RETENTION_PREFIX, GRID_PREFIX],
  });
  return createProjector({
    groups: SHARDED_GROUPS,
    scope,
    events,
    store: new MongoReadModelStore(readStore),
    feed: new InProcessFeed(),
    log: SILENT_LOGGER,
    scratch: () => new MemoryReadModelStore(),
    onProjected: countCommits,
  });
}

/** A projector process. */
serveMethods({
  async start(engines: EngineAddresses) {
    projector = 'folder' in engines ? createEmbeddedProjector(engines.folder) : createShardProjector(engines);
    await projector.start();
  },
  /** Resolves when everything up to the position is committed. */
  async reach(position: Position) {
    for (const name of TELEMETRY) {
      if (!(await projector.waitForPosition(name, position, PROJECTION_TIMEOUT_MS)))
        throw new Error(`${name} has not reached ${position}: ${JSON.stringify(await projector.check())}`);
    }
  },
  async commits() {
    return commits;
  },
});
