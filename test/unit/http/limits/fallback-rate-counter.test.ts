import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLocalRateCounter, type RateCounter } from '../../../../src/http/limits/rate-limiter.js';
import { FallbackRateCounter } from '../../../../src/http/limits/fallback-rate-counter.js';

/** Counts that can be slow or away. */
class Elsewhere implements RateCounter {
  state: 'there' | 'away' | 'hanging' = 'there';
  /** What an answer has to wait for. */
  way: () => Promise<unknown> = () => Promise.resolve();
  asked = 0;
  closed = 0;
  private readonly counts = createLocalRateCounter(60);

  increment = (key: string) => this.answer(() => this.counts.increment(key));
  decrement = (key: string) => this.answer(() => this.counts.decrement(key));
  read = (key: string) => this.answer(() => this.counts.read(key));

  close(): Promise<void> {
    this.closed++;
    return Promise.resolve();
  }

  private answer<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    this.asked++;
    if (this.state === 'hanging') return new Promise<Answer>(() => undefined);
    return this.state === 'there' ? this.way().then(ask) : Promise.reject(new Error('no primary'));
  }
}

describe('rate counter with a fallback', () => {
  let shared: Elsewhere;
  let reported: string[];
  let back: Promise<void>;
  let counts: FallbackRateCounter;

  beforeEach(() => {
    shared = new Elsewhere();
    reported = [];
    let isBack: () => void;
    back = new Promise((resolve) => (isBack = resolve));
    const log = { warn: () => void reported.push('away'), info: () => (reported.push('back'), isBack()) };
    counts = new FallbackRateCounter({ shared, own: createLocalRateCounter(60), log, timeoutMs: 30, pauseMs: 5 });
  });
  afterEach(() => counts.close());

  it('are those that all share while they are there', async () => {
    await shared.increment('a');
    assert.equal((await counts.increment('a')).calls, 2);
    await counts.decrement('a');
    assert.equal((await counts.read('a'))?.calls, 1);
    assert.deepEqual(reported, []);
  });

  for (const state of ['away', 'hanging'] as const) {
    it(`are those of the process while the shared ones are ${state}, which is told once, and come back by themselves`, async () => {
      await counts.increment('a');
      shared.state = state;
      const calls = await Promise.all(Array.from({ length: 20 }, () => counts.increment('a')));
      assert.deepEqual(
        calls.map((each) => each.calls),
        Array.from({ length: 20 }, (_, n) => n + 2),
        'on from what was told last',
      );
      assert.equal((await counts.read('a'))?.calls, 21);
      await counts.decrement('a');
      assert.equal((await counts.increment('a')).calls, 21);
      assert.equal((await counts.increment('b')).calls, 1);
      assert.deepEqual(reported, ['away']);
      shared.state = 'there';
      await back;
      assert.equal((await counts.increment('a')).calls, 2);
      assert.deepEqual(reported, ['away', 'back']);
    });
  }

  it('look at the start, so that no call waits for a place that is not there', async () => {
    await counts.start();
    assert.deepEqual([shared.asked, reported], [1, []]);
    shared.state = 'away';
    await counts.start();
    assert.equal((await counts.increment('a')).calls, 1);
    assert.deepEqual([shared.asked, reported], [2, ['away']]);
  });

  it('ask nobody who is unavailable but by a look now and then', async () => {
    shared.state = 'hanging';
    await counts.increment('a');
    const before = shared.asked;
    for (let i = 0; i < 1_000; i++) await counts.increment('a');
    assert.ok(shared.asked - before < 100, `${shared.asked - before} of 1000`);
  });

  it('still know of a window what they were given, while nothing has been counted here', async () => {
    for (let n = 0; n < 3; n++) await counts.increment('a');
    shared.state = 'away';
    assert.equal((await counts.read('a'))?.calls, 3);
    assert.equal(await counts.read('b'), undefined);
  });

  it('wait for an answer that is there, however late this process looks', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hindsight-counts-'));
    const answer = join(folder, 'answer');
    try {
      shared.way = () => mkdir(answer);
      const stalled = counts.increment('a');
      // As long as it takes on a busy machine: then the answer is there, and unread.
      for (const giveUpAt = performance.now() + 50_000; !existsSync(answer);)
        assert.ok(performance.now() < giveUpAt, 'the folder is made');
      for (const until = performance.now() + 100; performance.now() < until;);
      assert.equal((await stalled).calls, 1);
      assert.deepEqual(reported, []);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('look no more once they are closed', async () => {
    shared.state = 'away';
    await counts.increment('a');
    await counts.close();
    const before = shared.asked;
    const other = new Elsewhere();
    other.state = 'away';
    const probing = new FallbackRateCounter({
      shared: other,
      own: createLocalRateCounter(60),
      log: { warn: () => undefined, info: () => undefined },
      pauseMs: 5,
    });
    await probing.increment('a');
    // A counter with the same interval that is not closed has probed three times by then.
    while (other.asked < 4) await new Promise((resolve) => setTimeout(resolve, 1));
    await probing.close();
    assert.equal(shared.asked, before);
    assert.ok(shared.closed > 0);
  });
});
