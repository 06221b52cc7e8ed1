import { EventStoreDbEventStore } from '../../../../src/streams/adapters/eventstoredb/eventstoredb-event-store.js';
import type { EventStore } from '../../../../src/streams/event-store.js';
import { eventStoreContract } from '../../../contracts/event-store.contract.js';
import { EventStoreDbServerDouble } from '../../../support/eventstoredb-server/server.js';

/** The machine may be busy with other tests. */
const PATIENCE_MS = 15_000;

eventStoreContract('The EventStoreDB adapter, against a double of the server,', {
  durable: true,
  truncatedStayInAll: true,
  async open() {
    const server = await new EventStoreDbServerDouble().start();
    let store: EventStore = new EventStoreDbEventStore({ url: server.url, appendTimeoutMs: PATIENCE_MS });
    return {
      store,
      reopen: async () => {
        await store.close();
        return (store = new EventStoreDbEventStore({ url: server.url, appendTimeoutMs: PATIENCE_MS }));
      },
      dispose: async () => {
        await store.close();
        await server.stop();
      },
    };
  },
});
