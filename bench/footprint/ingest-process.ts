import { ExportValidatorPool } from '../../src/http/otlp/export-validator-pool.js';
import { createOtlpServer } from '../../src/http/otlp/otlp-server.js';
import { EventStoreDbEventStore } from '../../src/streams/adapters/eventstoredb/eventstoredb-event-store.js';
import { FakeAccess } from '../../test/unit/http/otlp/support/fake-access.js';
import { CountingMeters, FixedLoad, KeptLog } from '../../test/unit/http/otlp/support/fakes.js';
import { serveMethods } from './measured-process.js';

/**
 * An ingest process with its real ports, validators and appends. Keys come from a map, and there is no backpressure.
 */
serveMethods({
  async start(url: string) {
    const server = createOtlpServer({
      store: new EventStoreDbEventStore({ url }),
      access: new FakeAccess(),
      backlog: new FixedLoad(),
      meters: new CountingMeters(),
      log: new KeptLog(),
      validator: new ExportValidatorPool({ threads: 1, maxWaiting: 1024 }),
      now: Date.now,
      bindAddress: '127.0.0.1',
      ports: { http: 0, grpc: 0 },
    });
    return (await server.listen()).ports;
  },
});
