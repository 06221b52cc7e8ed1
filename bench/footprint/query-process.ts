import type { TraceQuery } from '../../src/queries/telemetry/telemetry-query-types.js';
import { createDiagnosticsQueries } from '../../src/queries/diagnostics/diagnostics-queries.js';
import { createTelemetryQueries } from '../../src/queries/telemetry/telemetry-queries.js';
import { MemoryReadModelStore } from '../../src/read-models/adapters/memory/read-model-store.js';
import { MongoReadModelReader } from '../../src/read-models/adapters/mongodb/read-model-reader.js';
import { EventStoreDbEventStore } from '../../src/streams/adapters/eventstoredb/eventstoredb-event-store.js';
import { TelemetryBodyCache } from '../../src/streams/telemetry-body-cache.js';
import { readOwnCpuMicros, serveMethods } from './measured-process.js';
import { GRID } from './generated-requests.js';

/** Cost of queries of one kind with warm caches. */
export interface QueryCost {
  readonly kind: string;
  readonly cpuMillis: number;
}

const RUNS = 40;
const WARM_UPS = 10;

/** An API process over the EventStoreDB and MongoDB adapters, without HTTP. */
serveMethods({
  async measure({ log, readStore }: { readonly log: string; readonly readStore: string }): Promise<QueryCost[]> {
    const store = new MongoReadModelReader(readStore);
    const telemetry = createTelemetryQueries(store, new TelemetryBodyCache(new EventStoreDbEventStore({ url: log })));
    // No live documents: every query is computed.
    const { queries } = createDiagnosticsQueries({ store, live: new MemoryReadModelStore() });
    const range = { fromUs: (Date.now() - 3_600_000) * 1000, toUs: (Date.now() + 3_600_000) * 1000 };
    const find = (conditions: Partial<TraceQuery>) => () =>
      telemetry.findTraces({ gridId: GRID, range, page: 1, pageSize: 20, ...conditions });
    const {
      items: [{ traceId, spanId }],
    } = await find({})();
    return [
      await measureQuery('traces of a range', find({})),
      await measureQuery('traces by service and duration', find({ serviceName: 'payment', minDurationMs: 10 })),
      await measureQuery('traces by a tag', find({ tags: { 'app.user.id': 'user-777' } })),
      await measureQuery('all spans of a trace', () => telemetry.traceSpans(GRID, traceId)),
      await measureQuery('one span with its attributes', () => telemetry.spanDetail(GRID, spanId)),
      await measureQuery('health', () => queries.health(GRID, {})),
      await measureQuery('service map', () => queries.serviceMap(GRID, {})),
      await measureQuery('trends', () => queries.trends(GRID, {})),
      await measureQuery('diagnosis', () => queries.diagnosis(GRID, {})),
    ];
  },
});

async function measureQuery(kind: string, ask: () => Promise<unknown>): Promise<QueryCost> {
  for (let run = 0; run < WARM_UPS; run++) await ask();
  const before = readOwnCpuMicros();
  for (let run = 0; run < RUNS; run++) await ask();
  return { kind, cpuMillis: (readOwnCpuMicros() - before) / RUNS / 1000 };
}
