/**
 * A writer on the read models at the address that it is given; whoever started it ends it in the midst of a commit on
 * `x`. With `before` it has written on these, one after the other, and waits for a word before it continues.
 */
import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { MongoReadModelStore } from '../../../../../src/read-models/adapters/mongodb/read-model-store.js';
import type { Collection } from '../../../../../src/read-models/read-model-store.js';
import type { Position } from '../../../../../src/streams/event-store.js';

export interface DeadWriterOrders {
  readonly url: string;
  readonly before: readonly string[];
}

const THINGS: Collection<{ size: number }> = { name: 'things.v1', indexes: [] };

const { url, before } = workerData as DeadWriterOrders;
const store = new MongoReadModelStore(url);

async function write(projection: string, position: string): Promise<void> {
  const expected = await store.readCheckpoint(projection);
  await store.commit(
    [{ kind: 'put', collection: THINGS, id: projection, document: { size: 1 }, blobs: { column: Uint8Array.of(1) } }],
    [{ projection, expected, position: position as Position }],
  );
}

for (const projection of before) await write(projection, 'p1');
if (before.length > 0) {
  parentPort!.postMessage('written');
  await once(parentPort!, 'message');
}
await write('x', 'p9');
