import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { openEventReader } from '../../../../../src/streams/adapters/sqlite/sqlite-event-reader.js';
import { openEventStore } from '../../../../../src/streams/adapters/sqlite/sqlite-event-store.js';
import { START } from '../../../../../src/streams/event-store.js';
import type { EventReader, EventStore } from '../../../../../src/streams/event-store.js';
import { InProcessFeed } from '../../../../../src/streams/live/in-process-feed.js';
import { eventStoreContract } from '../../../../contracts/event-store.contract.js';
import { elapsedMs, shortest } from '../../../../support/measurement.js';
import { LogFolder } from '../../../../unit/streams/adapters/sqlite/log-folder.js';

/** Writes through the store, reads through a reader as other threads have it. */
function readThrough(reader: EventReader, store: EventStore): EventStore {
  return {
    maxAppendBytes: store.maxAppendBytes,
    append: (stream, expected, events) => store.append(stream, expected, events),
    truncate: (prefix, beforeTime) => store.truncate(prefix, beforeTime),
    readStream: (stream, from, limit) => reader.readStream(stream, from, limit),
    readAll: (after, options) => reader.readAll(after, options),
    readEvent: (stream, revision) => reader.readEvent(stream, revision),
    head: () => reader.head(),
    subscribe: (after, options, signal) => reader.subscribe(after, options, signal),
    check: async () => {
      const healths = [await store.check(), await reader.check()];
      return healths.find(({ ok }) => !ok) ?? { ok: true };
    },
    close: async () => {
      await reader.close();
      await store.close();
    },
  };
}

eventStoreContract('The embedded event store, read by a reader of its own', {
  durable: true,
  async open() {
    const folder = new LogFolder();
    const feed = new InProcessFeed(folder.dir);
    const open = async (): Promise<EventStore> =>
      readThrough(openEventReader(folder.dir, feed), await openEventStore(folder.dir, feed));
    let store = await open();
    return {
      store,
      async reopen() {
        await store.close();
        return (store = await open());
      },
      async dispose() {
        await store.close();
        await feed.close();
        folder.remove();
      },
    };
  },
});

describe('A reader of the embedded log', () => {
  const feed = new InProcessFeed('reader');
  after(() => feed.close());

  it('opens at first use, and says when there is nothing to open', async () => {
    const folder = new LogFolder();
    const reader = openEventReader(folder.dir, feed);
    assert.equal((await reader.check()).ok, false);
    await assert.rejects(reader.head(), { code: 'unavailable' });
    const store = await openEventStore(folder.dir, feed);
    assert.deepEqual(await reader.check(), { ok: true });
    assert.equal(await reader.head(), START);
    await reader.close();
    await reader.close();
    await assert.rejects(reader.head(), { code: 'unavailable' });
    await store.close();
    folder.remove();
  });

  it('reads events in their newest version', async () => {
    const folder = new LogFolder();
    const store = await openEventStore(folder.dir, feed);
    await store.append('grid-a', 'any', [{ id: randomUUID(), type: 'Moved.v1', data: { miles: 10 } }]);
    const reader = openEventReader(folder.dir, feed, (type, data) => ({ type: `${type}+`, data: { was: data } }));
    const [event] = await reader.readAll(START, { limit: 1 });
    assert.deepEqual([event.type, event.data], ['Moved.v1+', { was: { miles: 10 } }]);
    await reader.close();
    await store.close();
    folder.remove();
  });

  it('finds few events of one kind among many of another without reading those', async () => {
    const folder = new LogFolder();
    const writer = folder.writer();
    const event = (n: number): { id: string; type: string; data: string } => ({
      id: randomUUID(),
      type: 'Numbered.v1',
      data: `{"n":${n}}`,
    });
    const many = Array.from({ length: 20_000 }, (_, n) => event(n));
    writer.commit([{ stream: 'grid-a', expected: 'any', events: [event(-1)] }]);
    writer.commit([{ stream: 'telemetry.00-a', expected: 'any', events: many }]);
    writer.commit([{ stream: 'grid-a', expected: 'any', events: [event(-2)] }]);
    const reader = openEventReader(folder.dir, feed);
    const took = async (prefixes: string[], count: number): Promise<number> => {
      return elapsedMs(async () =>
        assert.equal((await reader.readAll(START, { limit: 100_000, prefixes })).length, count),
      );
    };
    const bound = (await took(['telemetry.'], 20_000)) / 20;
    assert.ok((await shortest(bound, () => took(['grid-'], 2))) < bound);
    await reader.close();
    writer.close();
    folder.remove();
  });
});
