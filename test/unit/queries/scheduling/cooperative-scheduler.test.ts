import assert from 'node:assert/strict';
import { setImmediate as nextRound } from 'node:timers/promises';
import { QueryTurns, TimeSlice } from '../../../../src/queries/scheduling/cooperative-scheduler.js';
import type { WorkShare } from '../../../../src/scheduling/fair-queue.js';
import { QueryConcurrencyLimiter } from '../../../../src/queries/scheduling/query-concurrency-limiter.js';

const GRID = 'grid';

/** The Grid of an owner of the same name. */
const shareOf = (name: string): WorkShare => ({ ownerId: name, gridId: name });

describe('cooperative scheduler', () => {
  let now: number;
  let turns: QueryTurns;
  beforeEach(() => {
    now = 0;
    turns = new QueryTurns();
  });

  const timeSlice = (endsAt = Infinity): TimeSlice => new TimeSlice(turns, shareOf('a'), () => now, endsAt);

  it('continues at once until 10 ms were worked, and for as long again after it waited', async () => {
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

  it('runs the waiting queries in turn, one per turn of the event loop', async () => {
    const order: string[] = [];
    const work = async (name: string): Promise<void> => {
      for (let part = 1; part <= 3; part++) {
        await turns.waitForTurn(shareOf(name));
        order.push(`${name}${part}`);
        turns.charge(shareOf(name), 10);
      }
    };
    const all = Promise.all([work('a'), work('b')]);
    await nextRound();
    assert.equal(order.length, 1);
    await all;
    assert.deepEqual(order, ['a1', 'b1', 'a2', 'b2', 'a3', 'b3']);
    await turns.waitForTurn(shareOf('a'));
  });

  it('gives owners the same time, not the same number of turns, and charges what a query has run', async () => {
    const order: string[] = [];
    const work = async (name: string, parts: number, ms: number): Promise<void> => {
      const query = new TimeSlice(turns, shareOf(name), () => now, Infinity);
      for (let part = 1; part <= parts; part++) {
        now += ms;
        order.push(name);
        await query.yieldIfDue();
      }
      query.end();
    };
    await Promise.all([work('long', 4, 60), work('short', 8, 20)]);
    assert.deepEqual(order.slice(2, 8), ['short', 'short', 'long', 'short', 'short', 'short']);
  });

  it('works for a shorter time while others wait for their turn', async () => {
    const query = timeSlice();
    const waiting = turns.waitForTurn(shareOf('other'));
    now = 2;
    assert.equal(query.yieldIfDue(), undefined);
    now = 3;
    assert.ok(query.yieldIfDue() instanceof Promise);
    await waiting;
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

describe('concurrent queries', () => {
  it('are limited in number: one more is refused until one has ended', async () => {
    const questions = new QueryConcurrencyLimiter({ maxConcurrent: 2, maxWaiting: 0 });
    let answer: (value: string) => void = () => undefined;
    let fail: (reason: Error) => void = () => undefined;
    const first = questions.run(GRID, () => new Promise<string>((resolve) => (answer = resolve)));
    const second = questions.run(GRID, () => new Promise<string>((_, reject) => (fail = reject)));
    const bothStarted = async (): Promise<void> => {
      for (let round = 0; round < 3; round++) await nextRound();
    };
    const oneMore = (): Promise<string> => questions.run(GRID, () => Promise.resolve('more'));
    await assert.rejects(oneMore(), { code: 'overloaded', retryable: true });
    await bothStarted();
    answer('first');
    assert.equal(await first, 'first');
    assert.equal(await oneMore(), 'more');
    fail(new Error('lost'));
    await assert.rejects(second, /lost/);
    assert.deepEqual(await Promise.all([oneMore(), oneMore()]), ['more', 'more']);
  });

  it('start in turns of owners: one call is not delayed by a burst of another owner that came before it', async () => {
    const owners = new Map([
      ['one', 'attacker'],
      ['two', 'attacker'],
      ['other', 'neighbour'],
    ]);
    let now = 0;
    const turns = new QueryTurns((gridId) => Promise.resolve(owners.get(gridId) ?? gridId));
    const questions = new QueryConcurrencyLimiter({ clock: () => now, turns });
    const order: string[] = [];
    const ask = (gridId: string): Promise<void> =>
      questions.run(gridId, async () => {
        order.push(gridId);
        now += 8;
      });
    await Promise.all([...Array.from({ length: 60 }, (_, n) => ask(n % 2 === 0 ? 'one' : 'two')), ask('other')]);
    assert.ok(order.indexOf('other') <= 1, order.join());
    assert.equal(order.length, 61);
  });

  it('are refused for one owner only, who may use half of all places', async () => {
    const questions = new QueryConcurrencyLimiter({ maxConcurrent: 3, maxWaiting: 0 });
    const hang = (gridId: string): Promise<string> =>
      questions.run(gridId, () => new Promise<string>(() => undefined)).catch(({ code }: { code: string }) => code);
    for (let n = 0; n < 3; n++) void hang('a');
    assert.equal(await hang('a'), 'overloaded');
    const others = [hang('b'), hang('c')];
    assert.equal(await Promise.race([...others, nextRound('still running')]), 'still running');
  });

  it('wait while an owner has as many running as it may, and start when one has ended', async () => {
    const questions = new QueryConcurrencyLimiter({ maxConcurrent: 1, maxWaiting: 2 });
    let answer: (value: string) => void = () => undefined;
    const first = questions.run(GRID, () => new Promise<string>((resolve) => (answer = resolve)));
    const others = [1, 2].map((n) => questions.run(GRID, () => Promise.resolve(`answer ${n}`)));
    await assert.rejects(
      questions.run(GRID, () => Promise.resolve('refused')),
      { code: 'overloaded' },
    );
    for (let round = 0; round < 3; round++) await nextRound();
    answer('first');
    assert.deepEqual(await Promise.all([first, ...others]), ['first', 'answer 1', 'answer 2']);
  });

  it('of the service itself take turns of their own', async () => {
    const questions = new QueryConcurrencyLimiter({ maxConcurrent: 1 });
    const hanging = new Promise<void>(() => undefined);
    void questions.run(GRID, () => hanging);
    assert.equal(await questions.runForService(GRID, () => Promise.resolve('answer')), 'answer');
  });

  it('are 64 at most unless said otherwise, and 25 s old', async () => {
    let now = 0;
    const questions = new QueryConcurrencyLimiter({ clock: () => now, maxWaiting: 0 });
    const turns: TimeSlice[] = [];
    for (let n = 0; n < 64; n++) void questions.run(GRID, (timeSlice) => new Promise(() => turns.push(timeSlice)));
    await assert.rejects(
      questions.run(GRID, () => Promise.resolve()),
      { code: 'overloaded' },
    );
    while (turns.length === 0) await nextRound();
    now = 24_999;
    await turns[0].yieldIfDue();
    now = 25_000;
    assert.throws(() => turns[0].yieldIfDue(), { code: 'unavailable' });
  });
});
