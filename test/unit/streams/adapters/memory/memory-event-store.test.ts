import assert from 'node:assert/strict';
import { MemoryEventStore } from '../../../../../src/streams/adapters/memory/memory-event-store.js';
import { START } from '../../../../../src/streams/event-store.js';
import { eventStoreContract } from '../../../../contracts/event-store.contract.js';

eventStoreContract('The memory event store', {
  durable: false,
  async open() {
    const store = new MemoryEventStore();
    return { store, reopen: async () => store, dispose: () => store.close() };
  },
});

describe('The memory event store', () => {
  const created = { id: 'e1', type: 'Created.v1', data: { name: 'shop' } };

  it('takes times from the clock, but never goes back', async () => {
    const times = [500, 400, 600];
    const store = new MemoryEventStore({ clock: () => times.shift()! });
    for (let i = 0; i < 3; i++) await store.append('grid-a', 'any', [created]);
    assert.deepEqual(
      (await store.readStream('grid-a')).map(({ recordedAt }) => recordedAt),
      [500, 500, 600],
    );
  });

  it('shares no objects with writers or readers', async () => {
    const store = new MemoryEventStore();
    const data = { name: 'shop' };
    await store.append('grid-a', 'any', [{ ...created, data, body: new Uint8Array([1]) }]);
    data.name = 'changed';
    const [first] = await store.readStream('grid-a');
    first.body![0] = 99;
    (first.data as { name: string }).name = 'changed';
    const [second] = await store.readStream('grid-a');
    assert.deepEqual([second.data, [...second.body!]], [{ name: 'shop' }, [1]]);
  });

  it('reads events in their newest version', async () => {
    const store = new MemoryEventStore({
      upcast: (type, data) => ({ type: type.replace('v1', 'v2'), data: { now: data } }),
    });
    await store.append('grid-a', 'any', [created]);
    const [read] = await store.readAll(START, { limit: 1 });
    assert.deepEqual([read.type, read.data], ['Created.v2', { now: { name: 'shop' } }]);
  });

  it('limits the bytes of one append', async () => {
    const store = new MemoryEventStore({ maxAppendBytes: 30 });
    await assert.rejects(store.append('grid-a', 'any', [{ ...created, body: new Uint8Array(20) }]), {
      code: 'too-large',
    });
    assert.equal(await store.head(), START);
  });
});
