import type { FindTraces } from '../../src/queries/answers.js';
import { createDiagnosticsQueries } from '../../src/queries/diagnostics/diagnostics-queries.js';
import { createTelemetryQueries } from '../../src/queries/telemetry-queries.js';
import { MemoryReadModelStore } from '../../src/read-models/adapters/memory/read-model-store.js';
import { MongoReadModelReader } from '../../src/read-models/adapters/mongodb/read-model-reader.js';
import { EventStoreDbEventStore } from '../../src/streams/adapters/eventstoredb/eventstoredb-event-store.js';
import { TelemetryBodies } from '../../src/streams/telemetry-bodies.js';
import { cpuMicros, serveDeeds } from './part.js';
import { GRID } from './requests.js';

/** What questions of one kind cost once what they read has been read before. */
export interface QuestionCost {
  readonly kind: string;
  readonly cpuMillis: number;
}

const RUNS = 40;
const WARM_UPS = 10;

/** An API process that answers over the EventStoreDB and MongoDB adapters, without HTTP around it. */
serveDeeds({
  async measure({ log, readStore }: { readonly log: string; readonly readStore: string }): Promise<QuestionCost[]> {
    const store = new MongoReadModelReader(readStore);
    const telemetry = createTelemetryQueries(store, new TelemetryBodies(new EventStoreDbEventStore({ url: log })));
    // Nothing is kept current beside: each answer about now is computed.
    const { queries } = createDiagnosticsQueries({ store, live: new MemoryReadModelStore() });
    const range = { fromUs: (Date.now() - 3_600_000) * 1000, toUs: (Date.now() + 3_600_000) * 1000 };
    const find = (conditions: Partial<FindTraces>) => () => telemetry.findTraces({ gridId: GRID, range, page: 1, pageSize: 20, ...conditions });
    const { items: [{ traceId, spanId }] } = await find({})();
    return [
      await cost('traces of a range', find({})),
      await cost('traces by service and duration', find({ serviceName: 'payment', minDurationMs: 10 })),
      await cost('traces by a tag', find({ tags: { 'app.user.id': 'user-777' } })),
      await cost('all spans of a trace', () => telemetry.traceSpans(GRID, traceId)),
      await cost('one span with its attributes', () => telemetry.spanDetail(GRID, spanId)),
      await cost('health', () => queries.health(GRID, {})),
      await cost('service map', () => queries.serviceMap(GRID, {})),
      await cost('trends', () => queries.trends(GRID, {})),
      await cost('diagnosis', () => queries.diagnosis(GRID, {})),
    ];
  },
});

async function cost(kind: string, ask: () => Promise<unknown>): Promise<QuestionCost> {
  for (let run = 0; run < WARM_UPS; run++) await ask();
  const before = cpuMicros();
  for (let run = 0; run < RUNS; run++) await ask();
  return { kind, cpuMillis: (cpuMicros() - before) / RUNS / 1000 };
}
