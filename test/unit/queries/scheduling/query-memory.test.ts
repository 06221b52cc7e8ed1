import assert from 'node:assert/strict';
import { QueryConcurrencyLimiter } from '../../../../src/queries/scheduling/query-concurrency-limiter.js';
import type { TimeSlice } from '../../../../src/queries/scheduling/cooperative-scheduler.js';
import {
  MAX_QUERY_BYTES,
  QueryMemory,
  QueryMemoryPool,
  SMALL_QUERY_BYTES,
} from '../../../../src/queries/scheduling/query-memory.js';

const MIB = 2 ** 20;
const SLOTS = 6;

describe('the memory of all queries of a thread', () => {
  let reported: number[];
  beforeEach(() => (reported = []));
  const pool = (totalBytes: number): QueryMemoryPool =>
    new QueryMemoryPool({ totalBytes, queries: SLOTS, onUsed: (bytes) => void reported.push(bytes) });

  it('is never exceeded, whatever its size and however many queries take all they can', () => {
    for (const totalBytes of [10 * MIB, 48 * MIB, 96 * MIB, 102 * MIB, 250 * MIB, 2_000 * MIB]) {
      const memory = pool(totalBytes);
      let used = 0;
      for (let n = 0; n < SLOTS; n++) {
        const query = new QueryMemory(memory.maxQueryBytes, memory.open({ ownerId: `${n}`, gridId: 'g' }));
        try {
          for (;;) {
            query.charge(MIB / 4);
            used += MIB / 4;
          }
        } catch {
          // It has all that it gets.
        }
      }
      assert.ok(used <= totalBytes, `${used} of ${totalBytes}`);
      assert.ok(used > totalBytes / 3 || used >= 3 * MAX_QUERY_BYTES, `${used} of ${totalBytes}`);
      const small = SLOTS * SMALL_QUERY_BYTES;
      assert.ok(reported.at(-1)! + small >= used && reported.at(-1)! <= totalBytes, `${reported.at(-1)} of ${used}`);
    }
  });

  /** A query that holds `bytes` until `end` resolves; the number of its attempts. */
  function run(limiter: QueryConcurrencyLimiter, owner: string, bytes: number, end: Promise<void> = Promise.resolve()) {
    let attempts = 0;
    const ended = limiter.run(owner, async (timeSlice: TimeSlice) => {
      attempts++;
      const memory = timeSlice.openMemory();
      for (let left = bytes; left > 0; left -= SMALL_QUERY_BYTES / 2) {
        memory.charge(SMALL_QUERY_BYTES / 2);
        await timeSlice.yieldIfDue();
      }
      await end;
      return attempts;
    });
    return ended;
  }

  it('lets small queries run at once, and large ones in turn, from their beginning', async () => {
    const limiter = new QueryConcurrencyLimiter({ memory: pool(16 * MIB) });
    let release = (): void => undefined;
    const first = run(limiter, 'a', 8 * MIB, new Promise((resolve) => (release = resolve)));
    const second = run(limiter, 'b', 8 * MIB);
    assert.equal(await run(limiter, 'c', SMALL_QUERY_BYTES), 1);
    release();
    assert.deepEqual(await Promise.all([first, second]), [1, 2]);
    assert.equal(reported.at(-1), 0);
  });

  it('goes to the owner who has held it for the shortest time', async () => {
    const limiter = new QueryConcurrencyLimiter({ memory: pool(16 * MIB) });
    const order: string[] = [];
    let release = (): void => undefined;
    const first = run(limiter, 'a', 8 * MIB, new Promise((resolve) => (release = resolve)));
    const others = ['a', 'a', 'b'].map((owner) => run(limiter, owner, 8 * MIB).then(() => void order.push(owner)));
    // All of them wait once a small query that came after them is over.
    await run(limiter, 'c', MIB / 2);
    release();
    await Promise.all([first, ...others]);
    assert.deepEqual(order, ['b', 'a', 'a']);
  });

  it('is given back by queries that fail, and refused to one that needs more than there is', async () => {
    const limiter = new QueryConcurrencyLimiter({ memory: pool(16 * MIB) });
    await assert.rejects(run(limiter, 'a', 11 * MIB), /needs more than 10 MiB/);
    assert.equal(await run(limiter, 'b', 10 * MIB), 1);
  });

  it('is waited for until the time limit of the query', async () => {
    const limiter = new QueryConcurrencyLimiter({ memory: pool(16 * MIB), timeoutMs: 20 });
    let release = (): void => undefined;
    const first = run(limiter, 'a', 8 * MIB, new Promise((resolve) => (release = resolve)));
    await assert.rejects(run(limiter, 'b', 8 * MIB), { code: 'unavailable' });
    release();
    assert.equal(await first, 1);
    assert.equal(await run(limiter, 'b', 8 * MIB), 1);
  });
});
