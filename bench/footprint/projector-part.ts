import { join } from 'node:path';
import { SILENT } from '../../src/log.js';
import type { Projected } from '../../src/projections/projected.js';
import { SHARED_GROUPS } from '../../src/projections/groups.js';
import { createProjector, type Projector } from '../../src/projections/projector.js';
import { shareScope } from '../../src/projections/share-scope.js';
import { MemoryReadModelStore } from '../../src/read-models/adapters/memory/read-model-store.js';
import { MongoReadModelStore } from '../../src/read-models/adapters/mongodb/read-model-store.js';
import { SqliteReadModelStore } from '../../src/read-models/adapters/sqlite/read-model-store.js';
import { EventStoreDbEventStore } from '../../src/streams/adapters/eventstoredb/eventstoredb-event-store.js';
import { openEventReader } from '../../src/streams/adapters/sqlite/event-reader.js';
import type { Position } from '../../src/streams/event-store.js';
import { InProcessFeed } from '../../src/streams/live/in-process.js';
import { LogTail } from '../../src/streams/log-tail.js';
import { GRID_PREFIX, RETENTION_PREFIX } from '../../src/streams/stream-names.js';
import { SHARE, SHARES } from './requests.js';
import { serveDeeds } from './part.js';

/** Which engines: addresses of the distributed ones, or the folder of the embedded ones. */
export type EngineAddresses = { readonly log: string; readonly readStore: string } | { readonly folder: string };

const PATIENCE_MS = 120_000;
const TELEMETRY = ['traces', 'logs', 'metrics'];
let projector: Projector;
let commits = 0;

function count({ group }: Projected): void {
  if (group === 'telemetry') commits++;
}

/** As in one process for everything. */
function embedded(folder: string): Projector {
  const [feed, store] = [new InProcessFeed(), new SqliteReadModelStore(join(folder, 'read-models.db'))];
  return createProjector({ events: openEventReader(folder, feed), store, feed, log: SILENT, scratch: () => new MemoryReadModelStore(), onProjected: count });
}

/** One share of several, behind a tail of the log of its own, as the projector thread has it. */
function ofShare({ log, readStore }: { readonly log: string; readonly readStore: string }): Projector {
  const scope = shareScope(SHARES, SHARE);
  const events = new LogTail(new EventStoreDbEventStore({ url: log }), { prefixes: [...scope.prefixes, RETENTION_PREFIX, GRID_PREFIX] });
  return createProjector({
    groups: SHARED_GROUPS, scope, events,
    store: new MongoReadModelStore(readStore), feed: new InProcessFeed(), log: SILENT, scratch: () => new MemoryReadModelStore(), onProjected: count,
  });
}

/** A projector process. */
serveDeeds({
  async start(engines: EngineAddresses) {
    projector = 'folder' in engines ? embedded(engines.folder) : ofShare(engines);
    await projector.start();
  },
  /** Resolves when everything up to the position is committed. */
  async reach(position: Position) {
    for (const name of TELEMETRY) {
      if (!(await projector.whenAt(name, position, PATIENCE_MS))) throw new Error(`${name} has not reached ${position}: ${JSON.stringify(await projector.check())}`);
    }
  },
  async commits() {
    return commits;
  },
});
