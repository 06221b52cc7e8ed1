import assert from 'node:assert/strict';
import { EventStoreDBClient, WrongExpectedVersionError, jsonEvent } from '@eventstore/db-client';
import { Scene, event, numbersOf } from './scene.js';

describe("The vendor's own client", () => {
  it('speaks with the double, in batches, and sees what the adapter wrote', async () => {
    const scene = await Scene.open();
    const client = EventStoreDBClient.connectionString(scene.server.url);
    const append = (n: number, expectedRevision: bigint | 'no_stream'): ReturnType<typeof client.appendToStream> =>
      client.appendToStream('plain', jsonEvent({ type: 'Counted', data: { n } }), { expectedRevision });
    assert.equal((await append(0, 'no_stream')).nextExpectedRevision, 0n);
    assert.equal((await append(1, 0n)).nextExpectedRevision, 1n);
    await assert.rejects(
      append(2, 0n),
      (error) => error instanceof WrongExpectedVersionError && error.actualVersion === 1n,
    );

    const store = scene.store();
    await store.append('grid-a', 'none', [event(7)]);
    const seen: unknown[] = [];
    for await (const { event: read } of client.readStream('grid-a')) seen.push(read?.data);
    assert.deepEqual(seen, [{ n: 7 }]);
    assert.deepEqual(numbersOf(await store.readStream('grid-a')), [7]);
    await client.dispose();
    await scene.close();
  });
});
