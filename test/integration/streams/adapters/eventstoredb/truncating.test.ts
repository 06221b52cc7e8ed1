import assert from 'node:assert/strict';
import { StreamsRpcClient } from '../../../../../src/streams/adapters/eventstoredb/streams-rpc-client.js';
import { EventLogReader } from '../../../../../src/streams/adapters/eventstoredb/event-log-reader.js';
import { parseServerAddress } from '../../../../../src/streams/adapters/eventstoredb/eventstoredb-address.js';
import { StreamMetadata } from '../../../../../src/streams/adapters/eventstoredb/stream-metadata.js';
import { upcastToNewest } from '../../../../../src/streams/events/event-registry.js';
import { START } from '../../../../../src/streams/event-store.js';
import type { EventStore } from '../../../../../src/streams/event-store.js';
import { TIMEOUT_MS, Scene, event, numbersOf, range } from './scene.js';

const LATER_MS = 60_000;

describe('Truncating a log in EventStoreDB', () => {
  let scene: Scene;
  let store: EventStore;
  let now: number;

  beforeEach(async () => {
    now = 1_000;
    scene = await Scene.open({ clock: () => now });
    store = scene.store();
  });

  afterEach(() => scene.close());

  const metadataOf = (stream: string): unknown =>
    JSON.parse(Buffer.from(scene.server.log.stream(`$$${stream}`)!.at(-1)!.data).toString());

  it('cuts a stream at the time, and not at another', async () => {
    for (const n of range(6)) {
      now = 1_000 + n * 100;
      await store.append('telemetry.00-a', 'any', [event(n, new Uint8Array(10))]);
    }
    assert.deepEqual(await store.truncate('telemetry.00-a', 1_300), { events: 3, bytes: undefined });
    assert.deepEqual(numbersOf(await store.readStream('telemetry.00-a')), [3, 4, 5]);
    assert.equal(await store.readEvent('telemetry.00-a', 1), undefined);
    assert.equal((await store.readEvent('telemetry.00-a', 3))?.revision, 3);
    assert.deepEqual(await store.truncate('telemetry.00-a', 1_300), { events: 0, bytes: undefined });
    assert.deepEqual(metadataOf('telemetry.00-a'), { $tb: 3 });
  });

  it('leaves what operators set beside the stream', async () => {
    await store.append('grid-a', 'any', [event(0)]);
    const metadata = {
      id: '0b6ef6a4-3f7c-4a8e-9d6b-0e5a3d1c2b4f',
      type: '$metadata',
      contentType: 'application/json',
      metadata: new Uint8Array(0),
    };
    scene.server.log.append('$$grid-a', 'none', [
      { ...metadata, data: Buffer.from('{"$maxCount":7,"$acl":{"$r":"$all"}}') },
    ]);
    await store.truncate('grid-a', now + LATER_MS);
    assert.deepEqual(metadataOf('grid-a'), { $maxCount: 7, $acl: { $r: '$all' }, $tb: 1 });
  });

  it('takes a name of a stream for that stream alone, and any other prefix for all that begin with it', async () => {
    for (const stream of ['grid-a', 'grid-ab', 'grid-b']) await store.append(stream, 'any', [event(0)]);
    assert.equal((await store.truncate('grid-a', now + LATER_MS)).events, 1);
    assert.equal((await store.readStream('grid-ab')).length, 1);
    assert.equal((await store.truncate('grid-', now + LATER_MS)).events, 2);
    assert.equal((await store.truncate('grid-a', now + LATER_MS)).events, 0);
  });

  it('never shows again what another process has cut meanwhile', async () => {
    await store.append(
      'grid-a',
      'any',
      range(3).map((n) => event(n)),
    );
    const client = new StreamsRpcClient(parseServerAddress(scene.server.url));
    const metadata = new StreamMetadata(
      () => client,
      new EventLogReader(() => client, upcastToNewest, TIMEOUT_MS),
      TIMEOUT_MS,
    );
    for (const revision of [2, 1]) await metadata.truncateBefore('grid-a', revision);
    assert.equal(await metadata.readFirstRevision('grid-a'), 2);
    await client.close();
  });

  it('cuts long streams at once, and reads few of their events', async () => {
    for (now of [1_000, 2_000, 3_000])
      await store.append(
        'grid-a',
        'any',
        range(150).map((n) => event(n)),
      );
    scene.server.eventsSent = 0;
    assert.equal((await store.truncate('grid-a', 3_000)).events, 300);
    assert.deepEqual(metadataOf('grid-a'), { $tb: 300 });
    assert.ok(scene.server.eventsSent < 30, `${scene.server.eventsSent} events`);
    for (const [before, events] of [
      [3_000, 0],
      [3_001, 150],
    ] as const)
      assert.equal((await store.truncate('grid-a', before)).events, events);
    assert.deepEqual(await store.readStream('grid-a'), []);
  });

  for (const [name, times, cut] of [
    ['at the end', [1_000, 1_050, 1_100, 1_200, 0], 2],
    ['in between', [1_000, 1_050, 1_060, 0, 1_070, 1_100, 1_200], 5],
    ['in between, seen by no read', [1_000, 1_100, 1_200, 0, 1_300], 1],
    ['at the beginning', [0, 1_000, 1_050, 1_100, 1_200], 3],
  ] as const)
    it(`keeps what is not old where the clock of a leader was wrong ${name}`, async () => {
      for (now of times) await store.append('grid-a', 'any', [event(now)]);
      assert.equal((await store.truncate('grid-a', 1_100)).events, cut);
      assert.deepEqual(numbersOf(await store.readStream('grid-a')), times.slice(cut));
    });

  it('cuts at every place that a stream can have, and once more', async () => {
    for (const n of range(9)) {
      now = 1_000 + n;
      await store.append('grid-a', 'any', [event(n)]);
    }
    for (const before of [1_000, 1_001, 1_004, 1_004, 1_008, 1_009, 1_009]) {
      await store.truncate('grid-a', before);
      assert.deepEqual(numbersOf(await store.readStream('grid-a')), range(9).slice(before - 1_000));
    }
  });

  it('leaves the whole log to a scavenge of the server', async () => {
    await store.append(
      'grid-a',
      'any',
      range(3).map((n) => event(n)),
    );
    await store.append('grid-b', 'any', [event(3)]);
    const head = await store.head();
    await store.truncate('grid-a', now + LATER_MS);
    assert.deepEqual(numbersOf(await store.readAll(START, { limit: 10 })), [0, 1, 2, 3]);
    scene.server.log.scavenge();
    // The server keeps the last event of every stream, so that the stream continues with the right revision.
    assert.deepEqual(numbersOf(await store.readAll(START, { limit: 10 })), [2, 3]);
    assert.equal(await store.head(), head);
    assert.equal((await store.append('grid-a', 2, [event(4)])).ok, true);
  });
});
