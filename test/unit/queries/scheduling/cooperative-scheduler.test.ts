import assert from 'node:assert/strict';
import { setImmediate as nextRound } from 'node:timers/promises';
import { TimeSlice, FairQueue } from '../../../../src/queries/scheduling/cooperative-scheduler.js';
import { QueryConcurrencyLimiter } from '../../../../src/queries/scheduling/query-concurrency-limiter.js';

describe('giving way', () => {
  let now: number;
  let line: FairQueue;
  beforeEach(() => {
    now = 0;
    line = new FairQueue();
  });

  const timeSlice = (endsAt = Infinity): TimeSlice => new TimeSlice(line, () => now, endsAt);

  it('goes on at once until 10 ms were worked, and for as long again after it waited', async () => {
    const query = timeSlice();
    now = 9;
    assert.equal(query.yieldIfDue(), undefined);
    now = 10;
    await query.yieldIfDue();
    now = 19;
    assert.equal(query.yieldIfDue(), undefined);
    now = 20;
    assert.ok(query.yieldIfDue() instanceof Promise);
  });

  it('lets whatever arrived meanwhile come first', async () => {
    const query = timeSlice();
    const order: string[] = [];
    setImmediate(() => order.push('arrived'));
    now = 10;
    await query.yieldIfDue();
    assert.deepEqual(order, ['arrived']);
  });

  it('goes round, one question each time the event loop comes round', async () => {
    const order: string[] = [];
    const work = async (name: string): Promise<void> => {
      for (let part = 1; part <= 3; part++) {
        await line.waitForSlot();
        order.push(`${name}${part}`);
      }
    };
    const all = Promise.all([work('a'), work('b')]);
    await nextRound();
    assert.equal(order.length, 1);
    await all;
    assert.deepEqual(order, ['a1', 'b1', 'a2', 'b2', 'a3', 'b3']);
    await line.waitForSlot();
  });

  it('works twice as long at a time when it hurries', () => {
    const query = timeSlice();
    query.doubleLength();
    now = 19;
    assert.equal(query.yieldIfDue(), undefined);
    now = 20;
    assert.ok(query.yieldIfDue() instanceof Promise);
  });

  it('gives up once nobody waits any more', () => {
    const query = timeSlice(25);
    now = 25;
    assert.throws(() => query.yieldIfDue(), { code: 'unavailable', retryable: true });
  });
});

describe('questions under way', () => {
  it('are so many at most: one more is turned down, until one is answered or failed', async () => {
    const questions = new QueryConcurrencyLimiter({ maxConcurrent: 2 });
    let answer: (value: string) => void = () => undefined;
    let fail: (reason: Error) => void = () => undefined;
    const first = questions.run(() => new Promise<string>((resolve) => (answer = resolve)));
    const second = questions.run(() => new Promise<string>((_, reject) => (fail = reject)));
    const oneMore = (): Promise<string> => questions.run(() => Promise.resolve('more'));
    await assert.rejects(oneMore(), { code: 'overloaded', retryable: true });
    answer('first');
    assert.equal(await first, 'first');
    assert.equal(await oneMore(), 'more');
    fail(new Error('lost'));
    await assert.rejects(second, /lost/);
    assert.deepEqual(await Promise.all([oneMore(), oneMore()]), ['more', 'more']);
  });

  it('are 64 at most unless said otherwise, and 25 s old', async () => {
    let now = 0;
    const questions = new QueryConcurrencyLimiter({ clock: () => now });
    const turns: TimeSlice[] = [];
    for (let n = 0; n < 64; n++) void questions.run((timeSlice) => new Promise(() => turns.push(timeSlice)));
    await assert.rejects(
      questions.run(() => Promise.resolve()),
      { code: 'overloaded' },
    );
    now = 24_999;
    await turns[0].yieldIfDue();
    now = 25_000;
    assert.throws(() => turns[0].yieldIfDue(), { code: 'unavailable' });
  });
});
