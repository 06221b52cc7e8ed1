import assert from 'node:assert/strict';
import { PeekableStream } from '../../../../../src/streams/adapters/eventstoredb/log-subscription.js';
import { RequestCoalescer, RevisionCache } from '../../../../../src/streams/adapters/eventstoredb/event-appender.js';

describe('revision cache', () => {
  it('never goes back, and evicts the least recently used stream', () => {
    const known = new RevisionCache(2);
    known.record('grid-a', 5);
    known.record('grid-a', 3);
    assert.equal(known.get('grid-a'), 5);
    known.record('grid-b', -1);
    known.record('grid-a', 6);
    known.record('grid-c', 0);
    assert.deepEqual(
      ['grid-a', 'grid-b', 'grid-c'].map((stream) => known.get(stream)),
      [6, undefined, 0],
    );
  });
});

describe('request coalescer', () => {
  it('sends concurrent requests once, and again after the response', async () => {
    const questions = new RequestCoalescer<number>();
    let asked = 0;
    const ask = async (): Promise<number> => ++asked;
    assert.deepEqual(
      await Promise.all([questions.run('a', ask), questions.run('a', ask), questions.run('b', ask)]),
      [1, 1, 2],
    );
    assert.equal(await questions.run('a', ask), 3);
  });

  it('rejects all concurrent callers, but not later ones', async () => {
    const questions = new RequestCoalescer<number>();
    const failing = async (): Promise<number> => Promise.reject(new Error('away'));
    const outcomes = await Promise.allSettled([questions.run('a', failing), questions.run('a', failing)]);
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['rejected', 'rejected'],
    );
    assert.equal(await questions.run('a', async () => 1), 1);
  });
});

describe('peekable stream', () => {
  it('can be peeked repeatedly until consumed', async () => {
    async function* source(): AsyncGenerator<{ n: number }> {
      yield { n: 1 };
      yield { n: 2 };
    }
    const arrivals = new PeekableStream<{ n: number }>(source());
    assert.deepEqual([await arrivals.peek(), await arrivals.peek(1_000)], [{ n: 1 }, { n: 1 }]);
    arrivals.consume();
    assert.deepEqual(await arrivals.peek(), { n: 2 });
    arrivals.consume();
    assert.equal(await arrivals.peek(), 'end');
  });

  it('times out a peek without losing the item', async () => {
    let bring: (() => void) | undefined;
    async function* source(): AsyncGenerator<{ n: number }> {
      await new Promise<void>((resolve) => (bring = resolve));
      yield { n: 1 };
    }
    const arrivals = new PeekableStream<{ n: number }>(source());
    assert.equal(await arrivals.peek(1), undefined);
    bring!();
    assert.deepEqual(await arrivals.peek(), { n: 1 });
  });

  it('rejects every peek after a failure', async () => {
    async function* source(): AsyncGenerator<{ n: number }> {
      throw new Error('broken');
    }
    const arrivals = new PeekableStream<{ n: number }>(source());
    for (let i = 0; i < 2; i++) await assert.rejects(arrivals.peek(), /broken/);
  });
});
