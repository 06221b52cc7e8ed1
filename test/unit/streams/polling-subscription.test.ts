import assert from 'node:assert/strict';
import { NEVER, Subject } from 'rxjs';
import { MemoryEventStore } from '../../../src/streams/adapters/memory/memory-event-store.js';
import { START } from '../../../src/streams/event-store.js';
import type { Position, ReadAllOptions, RecordedEvent } from '../../../src/streams/event-store.js';
import { subscribeByPolling } from '../../../src/streams/polling-subscription.js';

describe('polling subscription', () => {
  let store: MemoryEventStore;
  let reads: Position[];
  let abort: AbortController;

  beforeEach(() => {
    store = new MemoryEventStore();
    reads = [];
    abort = new AbortController();
  });
  afterEach(() => abort.abort());

  const append = (stream: string): Promise<unknown> =>
    store.append(stream, 'any', [{ id: 'e', type: 'Happened.v1', data: {} }]);
  const reader = {
    head: () => store.head(),
    readAll(after: Position, options: ReadAllOptions): Promise<RecordedEvent[]> {
      reads.push(after);
      return store.readAll(after, options);
    },
  };

  it('finds later events without hints', async () => {
    const batches = subscribeByPolling(reader, NEVER, START, { limit: 10 }, abort.signal);
    const next = batches.next();
    await append('grid-a');
    assert.equal((await next).value?.length, 1);
  });

  it('reads the next batch only on demand', async () => {
    for (let i = 0; i < 4; i++) await append('grid-a');
    const batches = subscribeByPolling(reader, NEVER, START, { limit: 2 }, abort.signal);
    await batches.next();
    assert.equal(reads.length, 1);
    await batches.next();
    assert.equal(reads.length, 2);
  });

  it('skips non-matching events only once', async () => {
    const hints = new Subject<void>();
    const batches = subscribeByPolling(reader, hints, START, { limit: 2, prefixes: ['grid-'] }, abort.signal);
    await append('telemetry.00-a');
    const skipped = await store.head();
    const next = batches.next();
    while (reads.length < 1) await new Promise(setImmediate);
    await append('grid-a');
    hints.next();
    assert.equal((await next).value?.[0]?.stream, 'grid-a');
    assert.deepEqual(reads, [START, skipped]);
  });

  it('does not read an unchanged log, and releases hints and signal at the end', async () => {
    const hints = new Subject<void>();
    const next = subscribeByPolling(reader, hints, START, { limit: 2 }, abort.signal).next();
    await new Promise(setImmediate);
    hints.next();
    await new Promise(setImmediate);
    abort.abort();
    assert.equal((await next).done, true);
    assert.deepEqual(reads, []);
    assert.equal(hints.observed, false);
  });

  it("rejects with the reader's error", async () => {
    await append('grid-a');
    const broken = { head: () => store.head(), readAll: () => Promise.reject(new Error('torn')) };
    await assert.rejects(subscribeByPolling(broken, NEVER, START, { limit: 1 }, abort.signal).next(), /torn/);
  });
});
