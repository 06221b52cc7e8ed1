/** A writer that begins one commit on the read models at the address that it is given; whoever started it ends it in the midst. */
import { workerData } from 'node:worker_threads';
import { MongoReadModelStore } from '../../../../src/read-models/adapters/mongodb/read-model-store.js';
import type { Collection } from '../../../../src/read-models/store.js';
import type { Position } from '../../../../src/streams/event-store.js';

const THINGS: Collection<{ size: number }> = { name: 'things.v1', indexes: [] };

const store = new MongoReadModelStore(workerData as string);
const found = await store.checkpoint('x');
await store.commit([{ kind: 'put', collection: THINGS, id: 'a', document: { size: 1 }, blobs: { column: Uint8Array.of(1) } }], [{ projection: 'x', expected: found, position: 'p9' as Position }]);
