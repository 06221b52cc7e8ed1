import assert from 'node:assert/strict';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { MemoryBudget, type MemoryReservation } from '../../../../src/http/otlp/memory-budget.js';
import {
  toBodyOutcome,
  readBody,
  type BodyReadOptions,
  type BodyReadResult,
} from '../../../../src/http/otlp/export-body-reader.js';

const options: BodyReadOptions = { maxBytes: 1_000, idleMs: 5_000, announcedBytes: undefined };

function openFrom(budget: MemoryBudget): MemoryReservation {
  return budget.open({ ownerId: 'owner', gridId: 'grid' });
}

describe('readBody', () => {
  let source: PassThrough;
  let budget: MemoryBudget;
  let reservation: MemoryReservation;

  beforeEach(() => {
    source = new PassThrough();
    budget = new MemoryBudget(100_000, { maxWaiting: 4, maxWaitMs: 20 });
    reservation = openFrom(budget);
  });

  const read = (changes: Partial<BodyReadOptions> = {}): Promise<BodyReadResult> =>
    readBody(() => source, reservation, { ...options, ...changes });
  const faultOf = async (result: Promise<BodyReadResult>): Promise<string> => {
    const settled = await result;
    return settled.ok ? 'none' : settled.fault;
  };

  it('reads to the end, in a buffer of its own that the reservation pays for', async () => {
    const result = read();
    source.write('ab');
    source.end('cd');
    const body = await result;
    assert.ok(body.ok);
    assert.equal(Buffer.from(body.bytes).toString(), 'abcd');
    assert.equal(reservation.bytes, body.bytes.buffer.byteLength);
  });

  it('takes an empty body', async () => {
    const result = read({ announcedBytes: 0 });
    source.end();
    assert.deepEqual(await result, { ok: true, bytes: new Uint8Array(0) });
  });

  it('takes a body that had ended before it was asked for', async () => {
    source.end();
    source.resume();
    await once(source, 'end');
    assert.deepEqual(await read(), { ok: true, bytes: new Uint8Array(0) });
  });

  it('keeps the last chunk when the body ends and closes while that chunk waits for memory', async () => {
    for (const first of ['', 'ab']) {
      source = new PassThrough();
      const others = openFrom(budget);
      const result = read({ announcedBytes: undefined, idleMs: 5_000 });
      if (first !== '') {
        source.write(first);
        await pause(1);
      }
      assert.ok(others.tryGrow(budget.largestGrant - 1_000));
      const closed = once(source, 'close');
      source.end('x'.repeat(900));
      await closed;
      others.release();
      const body = await result;
      assert.ok(body.ok);
      assert.equal(Buffer.from(body.bytes).toString(), `${first}${'x'.repeat(900)}`);
      reservation.release();
    }
  });

  it('takes nothing when the announced length is too much', async () => {
    let taken = false;
    const result = readBody(
      () => {
        taken = true;
        return source;
      },
      reservation,
      { ...options, announcedBytes: 1_001 },
    );
    assert.equal(await faultOf(result), 'too-large');
    assert.equal(taken, false);
  });

  it('stops at the first byte past the limit', async () => {
    const result = read();
    source.write(Buffer.alloc(1_000));
    source.write(Buffer.alloc(1));
    assert.equal(await faultOf(result), 'too-large');
  });

  it('believes the length in the first bytes, also when they come one by one', async () => {
    const lengthIn = (bytes: Uint8Array): number | undefined => (bytes.byteLength < 2 ? undefined : bytes[1] * 100);
    const tooLarge = read({ lengthIn });
    source.write(Buffer.of(0));
    source.write(Buffer.of(11));
    assert.equal(await faultOf(tooLarge), 'too-large');
  });

  it('gives up a body that stops coming, and one whose connection breaks', async () => {
    assert.equal(await faultOf(read({ idleMs: 5 })), 'abandoned');
    source = new PassThrough();
    const broken = read();
    source.on('error', () => undefined);
    source.destroy(new Error('reset'));
    assert.equal(await faultOf(broken), 'abandoned');
    assert.equal(await faultOf(read()), 'abandoned', 'already gone');
  });

  it('pauses the sender while memory is short and continues when it is free', async () => {
    const waiting = new MemoryBudget(100_000, { maxWaiting: 4, maxWaitMs: 60_000 });
    const other = openFrom(waiting);
    assert.ok(other.tryGrow(waiting.largestGrant));
    const result = readBody(() => source, openFrom(waiting), { ...options, announcedBytes: 3 });
    source.write('abc');
    await new Promise(setImmediate);
    assert.equal(source.isPaused(), true);
    other.release();
    source.end();
    assert.deepEqual(await result, { ok: true, bytes: new Uint8Array(Buffer.from('abc')) });
  });

  it('gives up a body that has stalled when another needs its memory, and not before', async () => {
    const waiting = new MemoryBudget(100_000, { maxWaiting: 4, maxWaitMs: 60_000 });
    const stalled = openFrom(waiting);
    let now = 0;
    const result = readBody(() => source, stalled, { ...options, clock: () => now });
    assert.ok(stalled.tryGrow(80_000));
    source.write('a');
    const other = openFrom(waiting);
    const granted = other.grow(80_000);
    let isOver = false;
    void result.then(() => {
      isOver = true;
      stalled.release();
    });
    await new Promise(setImmediate);
    assert.equal(isOver, false, 'it has just begun');
    now = 10_000;
    assert.equal(await faultOf(result), 'too-slow');
    assert.equal(await granted, true);
    other.release();
  });

  it('gives up when memory does not become free in time', async () => {
    const other = openFrom(budget);
    assert.ok(other.tryGrow(budget.largestGrant));
    const result = read();
    source.write('abc');
    assert.equal(await faultOf(result), 'no-memory');
  });

  it('names what each fault means for the request', () => {
    assert.equal(toBodyOutcome('too-large', options).kind, 'too-large');
    assert.equal(toBodyOutcome('no-memory', options).kind, 'overloaded');
    assert.equal(toBodyOutcome('too-slow', options).kind, 'unavailable');
    assert.equal(toBodyOutcome('abandoned', options).kind, 'abandoned');
  });
});
