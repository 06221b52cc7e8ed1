import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEventStore } from '../../../../../src/streams/adapters/sqlite/sqlite-event-store.js';
import type { EventStore } from '../../../../../src/streams/event-store.js';
import { InProcessFeed } from '../../../../../src/streams/live/in-process-feed.js';
import { eventStoreContract } from '../../../../contracts/event-store.contract.js';

eventStoreContract('The embedded event store', {
  durable: true,
  async open() {
    const dir = mkdtempSync(join(tmpdir(), 'hindsight-log-'));
    const feed = new InProcessFeed(dir);
    let store: EventStore = await openEventStore(dir, feed);
    return {
      store,
      async reopen() {
        await store.close();
        return (store = await openEventStore(dir, feed));
      },
      async dispose() {
        await store.close();
        await feed.close();
        rmSync(dir, { recursive: true, force: true });
      },
    };
  },
});
