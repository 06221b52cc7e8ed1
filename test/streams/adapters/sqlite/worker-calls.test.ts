import assert from 'node:assert/strict';
import { Worker } from 'node:worker_threads';
import { transferable } from '../../../../src/streams/adapters/sqlite/transferable.js';
import { WorkerCalls } from '../../../../src/streams/adapters/sqlite/worker-calls.js';

interface Calls {
  batch: { readonly request: Uint8Array | number; readonly answer: number };
  fail: { readonly request: undefined; readonly answer: undefined };
  crash: { readonly request: undefined; readonly answer: undefined };
  close: { readonly request: undefined; readonly answer: undefined };
}

/** Answers `batch` with the number of calls in its message. */
const SCRIPT = `
  const { parentPort } = require('node:worker_threads');
  parentPort.on('message', (calls) => parentPort.postMessage(calls.map(({ id, kind, request }) => {
    if (kind === 'crash') throw new Error('out of order');
    if (kind === 'fail') return { id, fault: { message: 'torn', code: 'damaged-event', position: '3' } };
    return { id, answer: calls.length };
  })));`;

describe('Calls to a worker', () => {
  let calls: WorkerCalls<Calls>;
  beforeEach(() => { calls = new WorkerCalls<Calls>(new Worker(SCRIPT, { eval: true }), 'The test worker'); });
  afterEach(() => calls.stop());

  it('travel in one message a turn', async () => {
    assert.deepEqual(await Promise.all([1, 2, 3].map((n) => calls.call('batch', n))), [3, 3, 3]);
    assert.equal(await calls.call('batch', 4), 1);
  });

  it('fail with the code and position of the fault', async () => {
    await assert.rejects(calls.call('fail', undefined), { code: 'damaged-event', position: '3' });
  });

  it('are rejected as unavailable, those under way and those to come, when the worker ends', async () => {
    const waiting = calls.call('crash', undefined);
    await assert.rejects(waiting, { code: 'unavailable', message: 'The test worker does not run: out of order' });
    await assert.rejects(calls.call('batch', 1), { code: 'unavailable' });
  });

  it('are rejected when they cannot be sent, and later ones are not', async () => {
    const first = calls.call('batch', 0);
    await assert.rejects(calls.call('batch', (() => 0) as unknown as number), { code: 'unavailable', message: /cannot take the call/ });
    await assert.rejects(first, { code: 'unavailable' }, 'it was in the same message');
    assert.equal(await calls.call('batch', 1), 1);
  });
});

describe('Transferable events', () => {
  const event = { id: 'e', type: 'T.v1', data: '{}' };

  it('move a body that owns its buffer, and copy one that shares it', () => {
    const own = new Uint8Array([1, 2]);
    const slice = new Uint8Array([0, 3, 4, 0]).subarray(1, 3);
    const pooled = Buffer.from('pooled');
    const { events, buffers } = transferable([event, { ...event, body: own }, { ...event, body: slice }, { ...event, body: pooled }]);
    assert.equal(events[1].body, own);
    assert.deepEqual(events.map(({ body }) => body && [...body]), [undefined, [1, 2], [3, 4], [...pooled]]);
    assert.deepEqual(buffers.map(({ byteLength }) => byteLength), [2, 2, 6]);
  });

  it('refuse a body that was given away before', () => {
    const body = new Uint8Array([1, 2]);
    structuredClone(body, { transfer: [body.buffer] });
    assert.throws(() => transferable([{ ...event, body }]), TypeError);
    assert.equal(transferable([{ ...event, body: new Uint8Array(0) }]).events[0].body?.byteLength, 0);
  });
});
