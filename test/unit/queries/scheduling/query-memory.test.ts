import assert from 'node:assert/strict';
import { HindsightError } from '../../../../src/errors.js';
import { QueryTurns, type TimeSlice } from '../../../../src/queries/scheduling/cooperative-scheduler.js';
import {
  QueryConcurrencyLimiter,
  type QueryLimits,
} from '../../../../src/queries/scheduling/query-concurrency-limiter.js';
import {
  MAX_QUERY_BYTES,
  QueryMemory,
  QueryMemoryPool,
  QueryMemoryTaken,
  SMALL_QUERY_BYTES,
} from '../../../../src/queries/scheduling/query-memory.js';

const MIB = 2 ** 20;
const SLOTS = 4;
const EVALUATIONS = 2;
/** One large query at a time, of 26 MiB; evaluations take 2 MiB without asking. */
const ONE_PERMIT = 34 * MIB;

/** A query that holds its memory until it is told to end. */
interface Held {
  /** Resolves when it has the memory. */
  readonly holds: Promise<void>;
  /** Resolves when it waits for the memory. */
  readonly waits: Promise<void>;
  readonly end: () => void;
  /** The number of its attempts. */
  readonly ended: Promise<number>;
}

function createPool(totalBytes: number, limits: { maxWaiting?: number; onUsed?: (bytes: number) => void } = {}) {
  return new QueryMemoryPool({ totalBytes, queries: SLOTS, evaluations: EVALUATIONS, ...limits });
}

/** Grids are named by their owner and a number: `a1`. */
function createLimiter(memory: QueryMemoryPool, limits: QueryLimits = {}): QueryConcurrencyLimiter {
  const turns = new QueryTurns((gridId) => Promise.resolve(gridId[0]));
  return new QueryConcurrencyLimiter({ memory, turns, maxConcurrent: SLOTS / 2, ...limits });
}

/** A query that takes `bytes`. */
function ask(limiter: QueryConcurrencyLimiter, gridId: string, bytes: number, signal?: AbortSignal): Held {
  let attempts = 0;
  let hold = (): void => undefined;
  let lack = (): void => undefined;
  let end = (): void => undefined;
  const waits = new Promise<void>((resolve) => (lack = resolve)).then(() => new Promise<void>(setImmediate));
  const holds = new Promise<void>((resolve) => (hold = resolve));
  const told = new Promise<void>((resolve) => (end = resolve));
  const answer = async (timeSlice: TimeSlice): Promise<number> => {
    attempts++;
    const memory = timeSlice.openMemory();
    for (let left = bytes; left > 0; left -= SMALL_QUERY_BYTES / 2) {
      memory.charge(SMALL_QUERY_BYTES / 2);
      await timeSlice.yieldIfDue();
    }
    hold();
    await told;
    return attempts;
  };
  const attempt = (timeSlice: TimeSlice): Promise<number> =>
    answer(timeSlice).catch((error: unknown) => {
      if (error instanceof QueryMemoryTaken) lack();
      throw error;
    });
  return { holds, waits, end, ended: limiter.run(gridId, attempt, signal) };
}

/** Queries that wait for memory, and end as soon as they have had it. */
async function askAndWait(limiter: QueryConcurrencyLimiter, ...gridIds: string[]): Promise<Promise<number>[]> {
  const queries = gridIds.map((gridId) => ask(limiter, gridId, 8 * MIB));
  await Promise.all(queries.map(({ waits }) => waits));
  for (const { end } of queries) end();
  return queries.map(({ ended }) => ended);
}

/** A query that ends as soon as it has had `bytes`. */
function askShortly(...query: Parameters<typeof ask>): Promise<number> {
  const { end, ended } = ask(...query);
  end();
  return ended;
}

describe('the memory of all queries of a thread', () => {
  it('is never exceeded, whatever its size and however many queries take all they can', () => {
    for (const totalBytes of [10 * MIB, 48 * MIB, 96 * MIB, 102 * MIB, 250 * MIB, 2_000 * MIB]) {
      const reported: number[] = [];
      const memory = createPool(totalBytes, { onUsed: (bytes) => void reported.push(bytes) });
      let used = 0;
      const takeAll = (permit: ReturnType<QueryMemoryPool['open']>): void => {
        const query = new QueryMemory(memory.maxQueryBytes, permit);
        try {
          for (;;) {
            query.charge(MIB / 4);
            used += MIB / 4;
          }
        } catch {
          // It has all that it gets.
        }
      };
      for (let n = 0; n < EVALUATIONS; n++) takeAll(memory.open({ ownerId: `${n}`, gridId: 'g' }, 'evaluation'));
      for (let n = 0; n < SLOTS; n++) takeAll(memory.open({ ownerId: `${n}`, gridId: 'g' }));
      assert.ok(used <= totalBytes, `${used} of ${totalBytes}`);
      assert.ok(used > totalBytes / 3 || used >= 3 * MAX_QUERY_BYTES, `${used} of ${totalBytes}`);
      const bound = reported.at(-1)! + memory.smallBytes;
      assert.ok(bound >= used && reported.at(-1)! <= totalBytes, `${reported.at(-1)} of ${used}`);
    }
  });

  it('is given back by queries that fail, and refused to one that needs more than there is', async () => {
    const limiter = createLimiter(createPool(ONE_PERMIT));
    await assert.rejects(askShortly(limiter, 'a1', 27 * MIB), /needs more than 25 MiB/);
    assert.equal(await askShortly(limiter, 'b1', 20 * MIB), 1);
  });
});

describe('large queries that wait for memory', () => {
  let limiter: QueryConcurrencyLimiter;
  let first: Held;
  /** Given: a large query has all memory for large ones. */
  const begin = async (memory = createPool(ONE_PERMIT), limits: QueryLimits = {}): Promise<void> => {
    limiter = createLimiter(memory, limits);
    first = ask(limiter, 'a1', 8 * MIB);
    await first.holds;
  };
  it('have no slot: small ones of anybody, their own owners included, begin and end meanwhile', async () => {
    await begin();
    const large = await askAndWait(limiter, 'a1', 'a1', 'a2', 'b1', 'b1', 'b2', 'c1');
    assert.deepEqual(
      await Promise.all(['a1', 'b1', 'c1', 'd1'].map((gridId) => askShortly(limiter, gridId, SMALL_QUERY_BYTES))),
      [1, 1, 1, 1],
    );
    first.end();
    assert.deepEqual(await Promise.all([first.ended, ...large]), [1, 2, 2, 2, 2, 2, 2, 2], 'from their beginning');
  });

  it('have no slot either once they have the memory', async () => {
    await begin();
    const second = ask(limiter, 'b1', 8 * MIB);
    await second.waits;
    first.end();
    await second.holds;
    const slots = ['b1', 'b2', 'c1', 'c2'].map((gridId) => ask(limiter, gridId, SMALL_QUERY_BYTES));
    await Promise.all(slots.map(({ holds }) => holds));
    for (const { end } of [second, ...slots]) end();
    assert.deepEqual(await Promise.all([second, ...slots].map(({ ended }) => ended)), [2, 1, 1, 1, 1]);
  });

  it('get it in turns of owners, then of their Grids, by the time for which they held it', async () => {
    await begin();
    const order: string[] = [];
    const gridIds = ['a1', 'a1', 'a2', 'b1'];
    const others = (await askAndWait(limiter, ...gridIds)).map((ended, n) => ended.then(() => order.push(gridIds[n])));
    first.end();
    await Promise.all([first.ended, ...others]);
    assert.deepEqual(order, ['b1', 'a2', 'a1', 'a1']);
  });

  it('owe nothing for what they used while nobody waited', async () => {
    const pool = createPool(ONE_PERMIT);
    const [a, b] = ['a', 'b'].map((ownerId) => ({ ownerId, gridId: `${ownerId}1` }));
    for (let n = 0; n < 100; n++) {
      assert.ok(pool.tryTake(a, 'query'));
      pool.release(a, 'query', 10_000);
    }
    assert.ok(pool.tryTake(b, 'query'));
    const order: string[] = [];
    const waits = [b, a, b, a].map((share) =>
      pool.wait(share, 'query', 60_000).then(() => {
        order.push(share.ownerId);
        pool.release(share, 'query', 10_000);
      }),
    );
    pool.release(b, 'query', 10_000);
    await Promise.all(waits);
    assert.deepEqual(order, ['b', 'a', 'b', 'a']);
  });

  it('leave a part of several places to other owners', async () => {
    await begin(createPool(220 * MIB));
    const [second] = await askAndWait(limiter, 'a2');
    assert.equal(await askShortly(limiter, 'b1', 8 * MIB), 1);
    first.end();
    assert.equal(await second, 2);
  });

  it('end at once when they are cancelled, and do not get the memory later', async () => {
    await begin();
    const tab = new AbortController();
    const closed = ask(limiter, 'b1', 8 * MIB, tab.signal);
    await closed.waits;
    tab.abort(new HindsightError('unavailable', 'The query was cancelled.'));
    await assert.rejects(closed.ended, /was cancelled/);
    const [next] = await askAndWait(limiter, 'c1');
    first.end();
    assert.equal(await next, 2);
  });

  it('end at their next yield when they are cancelled after they have got it', async () => {
    await begin();
    const tab = new AbortController();
    const running = limiter.run(
      'b1',
      async (timeSlice) => {
        timeSlice.openMemory().charge(8 * MIB);
        tab.abort(new HindsightError('unavailable', 'The query was cancelled.'));
        for (;;) await timeSlice.yieldIfDue();
      },
      tab.signal,
    );
    first.end();
    await assert.rejects(running, /was cancelled/);
    assert.equal(await askShortly(limiter, 'c1', 8 * MIB), 1);
  });

  it('fail at their time limit, which includes the first attempt', async () => {
    let now = 0;
    const clock = (): number => now;
    await begin(createPool(ONE_PERMIT), { timeoutMs: 100, clock });
    const late = limiter.run('b1', async (timeSlice) => {
      now = 100;
      timeSlice.openMemory().charge(8 * MIB);
    });
    await assert.rejects(late, { code: 'unavailable', message: /use the memory that this one needs/ });
    first.end();
    assert.equal(await first.ended, 1);
    assert.equal(await askShortly(limiter, 'b1', 8 * MIB), 1);
  });

  it('are limited in number: the newest of whoever has most waiting is refused', async () => {
    await begin(createPool(ONE_PERMIT, { maxWaiting: 2 }));
    const [oldest, newest] = await askAndWait(limiter, 'b1', 'b1');
    const refused = assert.rejects(newest, { code: 'overloaded' });
    const [neighbour] = await askAndWait(limiter, 'c1');
    await refused;
    first.end();
    assert.deepEqual(await Promise.all([oldest, neighbour]), [2, 2]);
  });
});

describe('evaluations of rules beside large queries', () => {
  /** Given: a large query has all memory for large ones, and others wait for it. */
  async function begin() {
    const memory = createPool(ONE_PERMIT);
    const queries = createLimiter(memory);
    const evaluations = createLimiter(memory, { maxConcurrent: 1, memoryUse: 'evaluation' });
    const order: string[] = [];
    const first = ask(queries, 'a1', 8 * MIB);
    await first.holds;
    const waitFor = async (limiter: QueryConcurrencyLimiter, ...gridIds: string[]): Promise<Promise<number>[]> =>
      (await askAndWait(limiter, ...gridIds)).map((ended, n) => ended.then(() => order.push(gridIds[n])));
    return { evaluations, order, first, others: await waitFor(queries, 'b1', 'c1'), waitFor };
  }

  it('have a part of the memory for themselves', async () => {
    const { evaluations, first, others } = await begin();
    const both = ['d1', 'e1'].map((gridId) => ask(evaluations, gridId, 2 * MIB));
    await Promise.all(both.map(({ holds }) => holds));
    for (const { end } of [...both, first]) end();
    assert.deepEqual(await Promise.all([first, ...both].map(({ ended }) => ended)), [1, 1, 1]);
    await Promise.all(others);
  });

  it('come before all queries that wait if they need more, but not twice in a row', async () => {
    const { evaluations, order, first, others, waitFor } = await begin();
    const large = await waitFor(evaluations, 'd1', 'e1');
    first.end();
    await Promise.all([first.ended, ...others, ...large]);
    assert.deepEqual(order, ['d1', 'b1', 'e1', 'c1']);
  });
});
