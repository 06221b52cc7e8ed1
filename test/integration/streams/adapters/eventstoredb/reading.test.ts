import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { START } from '../../../../../src/streams/event-store.js';
import type { EventStore } from '../../../../../src/streams/event-store.js';
import { Scene, event, numbersOf, range } from './scene.js';

describe('Reading a log in EventStoreDB', () => {
  let scene: Scene;
  let store: EventStore;

  beforeEach(async () => {
    scene = await Scene.open();
    store = scene.store();
    await store.append(
      'grid-a',
      'none',
      range(4).map((n) => event(n, new Uint8Array([n, n, n]))),
    );
  });

  afterEach(() => scene.close());

  it('refuses a damaged event, gives what stands before it, and continues behind it', async () => {
    scene.server.log.damage(scene.server.log.all[2].position, { data: new Uint8Array([2, 2, 3]) });
    assert.deepEqual(numbersOf(await store.readAll(START, { limit: 10 })), [0, 1]);
    const [, second] = await store.readAll(START, { limit: 10 });
    const damaged = await store
      .readAll(second.position, { limit: 10 })
      .catch((error: unknown) => error as { code: string; position: typeof START });
    assert.ok('code' in damaged && damaged.code === 'damaged-event');
    assert.deepEqual(numbersOf(await store.readAll(damaged.position, { limit: 10 })), [3]);
    await assert.rejects(store.readStream('grid-a'), { code: 'damaged-event', revision: 2 });
    await assert.rejects(store.readEvent('grid-a', 2), { code: 'damaged-event' });
    await assert.rejects(store.readAll(second.position, { limit: 1, bodies: false }), { code: 'damaged-event' });
  });

  it('gives as many events as asked for, also from the middle', async () => {
    const [first] = await store.readAll(START, { limit: 1 });
    assert.deepEqual(numbersOf(await store.readAll(first.position, { limit: 2 })), [1, 2]);
  });

  it('takes no event for ours that has no checksum', async () => {
    const foreign = {
      id: randomUUID(),
      type: 'Foreign',
      contentType: 'application/json',
      data: Buffer.from('{}'),
      metadata: new Uint8Array(0),
    };
    scene.server.log.append('foreign', 'none', [foreign]);
    await assert.rejects(store.readStream('foreign'), /no checksum/);
    assert.equal((await store.readAll(START, { limit: 10, prefixes: ['grid-'] })).length, 4);
  });

  it('leaves out what the server keeps for itself', async () => {
    await store.truncate('grid-a', Date.now() - 60_000);
    scene.server.log.append('$settings', 'none', [
      {
        id: randomUUID(),
        type: '$settings',
        contentType: 'application/json',
        data: Buffer.from('{}'),
        metadata: new Uint8Array(0),
      },
    ]);
    assert.deepEqual(numbersOf(await store.readAll(START, { limit: 10 })), [0, 1, 2, 3]);
    assert.equal(await store.head(), (await store.readStream('grid-a')).at(-1)!.position);
  });

  it('gives events in their newest version', async () => {
    const newer = scene.store({ upcast: (type, data) => ({ type: type.replace('v1', 'v2'), data: { now: data } }) });
    const [read] = await newer.readAll(START, { limit: 1 });
    assert.deepEqual([read.type, read.data], ['Numbered.v2', { now: { n: 0 } }]);
    const failing = scene.store({
      upcast: () => {
        throw new Error('no such step');
      },
    });
    await assert.rejects(failing.readStream('grid-a', 1), { code: 'damaged-event', revision: 1 });
  });

  it('survives a connection that breaks before the first event, and is unavailable where no server is', async () => {
    scene.server.faults.next('read', { kind: 'drop' }, { kind: 'not-ready' });
    assert.equal((await store.readStream('grid-a')).length, 4);
    scene.server.wire.refuse(true);
    await assert.rejects(store.readStream('grid-a'), { code: 'unavailable' });
    const health = await store.check();
    assert.ok(!health.ok && /EventStoreDB failed while reading/.test(health.reason));
  });

  it('answers a check in time, also when the server hangs', async () => {
    scene.server.faults.always('read', { kind: 'hang' });
    const health = await scene.store({ storeTimeoutMs: 400 }).check();
    assert.deepEqual(health, { ok: false, reason: 'EventStoreDB did not answer within 300 ms' });
    scene.server.faults.always('read', undefined);
  });

  it('rejects as unavailable what takes longer than it may', async () => {
    scene.server.faults.always('read', { kind: 'hang' });
    await assert.rejects(scene.store({ readTimeoutMs: 100 }).readStream('grid-a'), { code: 'unavailable' });
  });
});
