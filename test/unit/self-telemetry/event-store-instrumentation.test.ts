import assert from 'node:assert/strict';
import { withMetrics, type EventStoreMetrics } from '../../../src/self-telemetry/event-store-instrumentation.js';
import { MemoryEventStore } from '../../../src/streams/adapters/memory/memory-event-store.js';
import { START, type AppendResult, type EventStore, type Position } from '../../../src/streams/event-store.js';
import { eventStoreContract } from '../../contracts/event-store.contract.js';

/** What was reported, in order. */
function reports(): EventStoreMetrics & { readonly seen: unknown[] } {
  const seen: unknown[] = [];
  return {
    seen,
    recordAppend: (seconds, outcome) => seen.push(['append', seconds, outcome]),
    countFreedBytes: (store, bytes) => seen.push(['freed', store, bytes]),
    countExpiredEvents: (events) => seen.push(['expired', events]),
  };
}

/** A store of which each method answers its own name and arguments; only `append` can be told what to do. */
function echo(append: () => Promise<AppendResult>): EventStore {
  const answer =
    (name: PropertyKey) =>
    (...args: unknown[]) => [name, ...args];
  const truncate = (): Promise<object> => Promise.resolve({ events: 3, bytes: 700 });
  const fixed: Record<PropertyKey, unknown> = { append, truncate, maxAppendBytes: 12_345 };
  return new Proxy({} as EventStore, { get: (_, name) => fixed[name] ?? answer(name) });
}

/** A clock that is 250 ms later each time it is asked. */
function ticking(): () => number {
  let time = 1000;
  return () => (time += 250);
}

const appended: AppendResult = { ok: true, position: 'p1' as Position, revision: 0 };
const conflict: AppendResult = { ok: false, conflict: true, revision: 4 };

eventStoreContract('The metered event store', {
  durable: false,
  async open() {
    const store = withMetrics(new MemoryEventStore(), reports());
    return { store, reopen: async () => store, dispose: () => store.close() };
  },
});

describe('a metered event store', () => {
  it('reports how long an append took, and hands on its result', async () => {
    const metrics = reports();
    const store = withMetrics(
      echo(() => Promise.resolve(appended)),
      metrics,
      ticking(),
    );
    assert.equal(await store.append('s', 'any', []), appended);
    assert.deepEqual(metrics.seen, [['append', 0.25, 'appended']]);
  });

  it('distinguishes a conflict from a success', async () => {
    const metrics = reports();
    const store = withMetrics(
      echo(() => Promise.resolve(conflict)),
      metrics,
      ticking(),
    );
    assert.equal(await store.append('s', 3, []), conflict);
    assert.deepEqual(metrics.seen, [['append', 0.25, 'conflict']]);
  });

  it('reports a failure and throws it on', async () => {
    const metrics = reports();
    const failure = new Error('disk full');
    const store = withMetrics(
      echo(() => Promise.reject(failure)),
      metrics,
      ticking(),
    );
    await assert.rejects(store.append('s', 'any', []), failure);
    assert.deepEqual(metrics.seen, [['append', 0.25, 'failed']]);
  });

  it('reports what retention removed', async () => {
    const metrics = reports();
    const store = withMetrics(
      echo(() => Promise.resolve(appended)),
      metrics,
    );
    assert.deepEqual(await store.truncate('telemetry.', 5), { events: 3, bytes: 700 });
    assert.deepEqual(metrics.seen, [
      ['freed', 'events', 700],
      ['expired', 3],
    ]);
  });

  it('hands everything else on as it is', () => {
    const store = withMetrics(
      echo(() => Promise.resolve(appended)),
      reports(),
    );
    const signal = new AbortController().signal;
    const options = { limit: 10 };
    assert.deepEqual(store.readStream('s', 1, 2), ['readStream', 's', 1, 2]);
    assert.deepEqual(store.readAll(START, options), ['readAll', START, options]);
    assert.deepEqual(store.readEvent('s', 7), ['readEvent', 's', 7]);
    assert.deepEqual(store.head(), ['head']);
    assert.deepEqual(store.subscribe(START, options, signal), ['subscribe', START, options, signal]);
    assert.deepEqual(store.check(), ['check']);
    assert.deepEqual(store.close(), ['close']);
    assert.equal(store.maxAppendBytes, 12_345);
  });
});
