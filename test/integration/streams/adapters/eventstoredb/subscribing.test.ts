import assert from 'node:assert/strict';
import { START } from '../../../../../src/streams/event-store.js';
import type { EventStore, Position, RecordedEvent } from '../../../../../src/streams/event-store.js';
import { Scene, event, numbersOf, range } from './scene.js';

describe('Following a log in EventStoreDB', () => {
  let scene: Scene;
  let store: EventStore;

  beforeEach(async () => {
    scene = await Scene.open();
    store = scene.store();
  });

  afterEach(() => scene.close());

  it('leaves nothing out and gives nothing twice, however often the connection breaks', async () => {
    const total = 200;
    const follower = collect(store, START, total);
    const other = scene.store();
    for (const n of range(total)) {
      await other.append(`grid-${n % 3}`, 'any', [event(n)]);
      if (n % 10 === 9) scene.server.wire.cut();
    }
    const seen = await follower;
    assert.deepEqual(numbersOf(seen), range(total));
    assert.ok(scene.server.subscribedBehind.length > 2, 'it was cut off');
  });

  it('continues behind a checkpoint where nothing matched for long', async () => {
    const abort = new AbortController();
    const batches = store.subscribe(START, { limit: 10, prefixes: ['grid-'] }, abort.signal)[Symbol.asyncIterator]();
    const next = batches.next();
    for (let i = 0; i < 21; i++)
      await store.append(
        'telemetry.00-a',
        'any',
        range(100).map((n) => event(n)),
      );
    await until(() => scene.server.checkpoints > 0);
    scene.server.wire.cut();
    await until(() => scene.server.subscribedBehind.length === 2);
    assert.ok(scene.server.subscribedBehind[1] >= scene.server.log.all[999].position);
    await store.append('grid-a', 'any', [event(7)]);
    assert.deepEqual(numbersOf((await next).value as RecordedEvent[]), [7]);
    abort.abort();
  });

  it('comes back to a server that starts or sheds its load', async () => {
    scene.server.faults.next('subscribe', { kind: 'not-ready' }, { kind: 'timeout' }, { kind: 'drop' });
    await store.append('grid-a', 'any', [event(0)]);
    assert.deepEqual(numbersOf(await collect(store, START, 1)), [0]);
    assert.equal(scene.server.subscribedBehind.length, 4);
  });

  it('waits for a log that has not reached its position again after a restore', async () => {
    scene.server.faults.next('subscribe', { kind: 'invalid-position' }, { kind: 'invalid-position' });
    await store.append('grid-a', 'any', [event(0)]);
    assert.deepEqual(numbersOf(await collect(store, START, 1)), [0]);
  });

  it('rejects where access is denied', async () => {
    scene.server.faults.next('subscribe', { kind: 'access-denied' });
    await assert.rejects(collect(store, START, 1), { code: 'unavailable' });
  });

  it('gives what stands before a damaged event, then rejects with the place to continue from', async () => {
    await store.append(
      'grid-a',
      'any',
      range(5).map((n) => event(n)),
    );
    scene.server.log.damage(scene.server.log.all[3].position, { data: Buffer.from('{"n":33}') });
    const seen: RecordedEvent[] = [];
    let goOn: Position | undefined;
    try {
      for await (const batch of store.subscribe(START, { limit: 10 }, new AbortController().signal))
        seen.push(...batch);
    } catch (error) {
      goOn = (error as { position: Position }).position;
      assert.equal((error as { code: string }).code, 'damaged-event');
    }
    assert.deepEqual(numbersOf(seen), [0, 1, 2]);
    assert.deepEqual(numbersOf(await collect(store, goOn!, 1)), [4]);
  });

  it('stops at maxBytes and continues from there', async () => {
    await store.append(
      'grid-a',
      'any',
      range(6).map((n) => event(n, new Uint8Array(100))),
    );
    const abort = new AbortController();
    const sizes: number[] = [];
    for await (const batch of store.subscribe(START, { limit: 10, maxBytes: 250 }, abort.signal)) {
      sizes.push(batch.length);
      if (sizes.length === 2) abort.abort();
    }
    assert.deepEqual(sizes, [3, 3]);
  });

  it('ends when the store is closed', async () => {
    const follower = collect(store, START, 1);
    await until(() => scene.server.subscribedBehind.length === 1);
    await store.close();
    assert.deepEqual(await follower, []);
  });
});

async function collect(store: EventStore, after: Position, count: number): Promise<RecordedEvent[]> {
  const abort = new AbortController();
  const seen: RecordedEvent[] = [];
  for await (const batch of store.subscribe(after, { limit: 16 }, abort.signal)) {
    seen.push(...batch);
    if (seen.length >= count) abort.abort();
  }
  return seen;
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}
