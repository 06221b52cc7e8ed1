import assert from 'node:assert/strict';
import { Worker } from 'node:worker_threads';
import { hasCode } from '../../../../../src/errors.js';
import { DamagedEvent } from '../../../../../src/streams/damaged-event.js';
import type { Position } from '../../../../../src/streams/event-store.js';
import { fromFault, toFault } from '../../../../../src/streams/adapters/sqlite/worker-protocol.js';
import { WorkerClient } from '../../../../../src/streams/adapters/sqlite/worker-client.js';

interface Calls {
  readonly close: { readonly request: undefined; readonly answer: void };
}

/** A worker that answers `close`, and dies of any other message. */
const SOURCE = `
  const { parentPort } = require('node:worker_threads');
  parentPort.on('message', (calls) => {
    if (!Array.isArray(calls)) throw new Error('died on purpose');
    parentPort.postMessage(calls.map(({ id }) => ({ id, answer: undefined })));
  });`;

describe('worker client', () => {
  it('reports once that the worker died, and rejects pending and later calls', async () => {
    const worker = new Worker(SOURCE, { eval: true });
    const lost: string[] = [];
    const calls = new WorkerClient<Calls>(worker, 'The worker', ({ message }) => lost.push(message));
    // From the start: it may follow the error at once.
    const exited = new Promise((resolve) => worker.once('exit', resolve));
    worker.postMessage('die');
    await exited;
    assert.deepEqual(lost, ['The worker is not running: died on purpose']);
    assert.ok(hasCode(await calls.call('close', undefined).catch((error: unknown) => error), 'unavailable'));
  });

  it('preserves damaged-event errors with their position', () => {
    const damaged = new DamagedEvent('0007' as Position, 'its body: bits', { revision: 3 });
    assert.deepEqual(fromFault(structuredClone(toFault(damaged))), damaged);
  });

  it('does not report a stopped worker as lost', async () => {
    const lost: Error[] = [];
    const calls = new WorkerClient<Calls>(new Worker(SOURCE, { eval: true }), 'The worker', (error) =>
      lost.push(error),
    );
    await calls.stop();
    assert.deepEqual(lost, []);
  });
});
