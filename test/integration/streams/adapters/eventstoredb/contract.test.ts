import { randomUUID } from 'node:crypto';
import { EventStoreDbEventStore } from '../../../../../src/streams/adapters/eventstoredb/eventstoredb-event-store.js';
import type { EventStore } from '../../../../../src/streams/event-store.js';
import { eventStoreContract } from '../../../../contracts/event-store.contract.js';
import type { OpenedEventStore } from '../../../../contracts/event-store.contract.js';
import { EventStoreDbServerDouble } from '../../../../support/eventstoredb-server/server.js';
import { PrefixedEventStore } from '../../../../support/prefixed-event-store.js';
import { TIMEOUT_MS } from './scene.js';

/** Opens the log at `url`, as often as the test wants; a server that is not there fails the test. */
function opened(
  url: string,
  asSeen: (store: EventStore) => EventStore,
  afterwards: () => Promise<void>,
): OpenedEventStore {
  const open = (): EventStore => asSeen(new EventStoreDbEventStore({ url, storeTimeoutMs: TIMEOUT_MS }));
  let store = open();
  return {
    store,
    reopen: async () => {
      await store.close();
      return (store = open());
    },
    dispose: async () => {
      await store.close();
      await afterwards();
    },
  };
}

eventStoreContract('The EventStoreDB adapter, against a double of the server,', {
  durable: true,
  truncatedStayInAll: true,
  async open() {
    const server = await new EventStoreDbServerDouble().start();
    return opened(
      server.url,
      (store) => store,
      () => server.stop(),
    );
  },
});

const asked = process.env.EVENT_STORE_URL;
if (asked !== undefined && /^(esdb|kurrent)/.test(asked)) {
  eventStoreContract('The EventStoreDB adapter, against EVENT_STORE_URL,', {
    durable: true,
    truncatedStayInAll: true,
    async open() {
      const owner = `contract${randomUUID()}.`;
      return opened(
        asked,
        (store) => new PrefixedEventStore(store, owner),
        async () => undefined,
      );
    },
  });
} else {
  describe('The EventStoreDB adapter, against a real server', () => {
    it(
      "needs a server: EVENT_STORE_URL='esdb://127.0.0.1:2113?tls=false' npx mocha --no-config --timeout 60000 'dist/test/integration/streams/adapters/eventstoredb/contract.test.js'",
    );
  });
}
