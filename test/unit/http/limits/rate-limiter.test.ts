import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLocalRateCounter, type RateCounter, RateLimiter } from '../../../../src/http/limits/rate-limiter.js';
import { ROUTES } from '../../../../src/http/routes.js';
import { assertProblem, startApi, type Reply, type TestApi } from '../../../support/api.js';
import { GRID_A, GRID_B } from '../../../support/fake-access.js';
import { instanceOf } from '../../../support/fake-usage.js';

const A = `/apm/traces/${GRID_A}/filters`;
const B = `/apm/traces/${GRID_B}/filters`;

async function withLimits(
  userPerMinute: number,
  gridPerMinute: number,
  test: (api: TestApi) => Promise<void>,
  windowSeconds = 60,
): Promise<void> {
  const api = await startApi({ rateLimits: { userPerMinute, gridPerMinute, windowSeconds } });
  try {
    await test(api);
  } finally {
    await api.stop();
  }
}

function retryAfter(reply: Reply): number {
  assertProblem(reply, { status: 429, slug: 'rate-limited' });
  const text = reply.headers.get('retry-after') ?? '';
  assert.match(text, /^[1-9]\d*$/);
  return Number(text);
}

describe('rate limits', () => {
  it('refuse a user beyond the limit, and no other', () =>
    withLimits(2, 0, async (api) => {
      assert.equal((await api.get(A)).status, 200);
      assert.equal((await api.get(A)).status, 200);
      const seconds = retryAfter(await api.get(A));
      assert.ok(seconds <= 61, String(seconds));
      assert.equal((await api.get(A, { as: 'member' })).status, 200);
    }));

  it('count a user over all Grids and operations', () =>
    withLimits(2, 0, async (api) => {
      api.access.roles.set(`${GRID_B} owner`, 'Guest');
      assert.equal((await api.get(A)).status, 200);
      assert.equal((await api.post(`/apm/logs/${GRID_B}`, {})).status, 400);
      retryAfter(await api.get(B));
    }));

  it('refuse everybody in a Grid beyond its limit, and nobody in another', () =>
    withLimits(0, 2, async (api) => {
      assert.equal((await api.get(A, { as: 'owner' })).status, 200);
      assert.equal((await api.get(A, { as: 'key' })).status, 200);
      retryAfter(await api.get(A, { as: 'guest' }));
      assert.equal((await api.get(B, { as: 'owner-of-b' })).status, 200);
    }));

  it('do not let a user over its limit use up the Grid', () =>
    withLimits(1, 3, async (api) => {
      assert.equal((await api.get(A)).status, 200);
      for (let i = 0; i < 10; i++) retryAfter(await api.get(A));
      assert.equal((await api.get(A, { as: 'member' })).status, 200);
      assert.equal((await api.get(A, { as: 'guest' })).status, 200);
      retryAfter(await api.get(A, { as: 'user' }));
    }));

  it('do not charge a user for what the Grid refuses', () =>
    withLimits(2, 1, async (api) => {
      api.access.roles.set(`${GRID_B} owner`, 'Guest');
      assert.equal((await api.get(A)).status, 200);
      retryAfter(await api.get(A));
      assert.equal((await api.get(B)).status, 200);
    }));

  it('are the same whatever a forwarded address says', () =>
    withLimits(1, 0, async (api) => {
      assert.equal((await api.get(A, { headers: { 'X-Forwarded-For': '10.0.0.1' } })).status, 200);
      retryAfter(await api.get(A, { headers: { 'X-Forwarded-For': '10.0.0.2' } }));
    }));

  it('hold for every operation of the table', () =>
    withLimits(1, 0, async (api) => {
      await api.get(A);
      for (const { method, path } of ROUTES)
        retryAfter(
          await api.call(
            method,
            path.replace('{gridSecondaryId}', GRID_A).replace('{instanceSecondaryId}', instanceOf('owner')),
          ),
        );
    }));

  it('distinguish a user from an application or key of the same id', async () => {
    const limits = new RateLimiter({ userPerMinute: 1, gridPerMinute: 0 });
    assert.equal(await limits.consume('user x', undefined), 0);
    assert.equal(await limits.consume('application x', undefined), 0);
    assert.ok((await limits.consume('user x', undefined)) > 0);
  });

  it('are off at 0', () =>
    withLimits(0, 0, async (api) => {
      const replies = await Promise.all(Array.from({ length: 200 }, () => api.get(A)));
      assert.ok(replies.every((reply) => reply.status === 200));
    }));

  it('let exactly as many concurrent calls in as there are left', () =>
    withLimits(7, 5, async (api) => {
      const replies = await Promise.all(Array.from({ length: 40 }, () => api.get(A)));
      assert.equal(replies.filter((reply) => reply.status === 200).length, 5);
    }));

  it('keep their promise: the call after Retry-After succeeds, for each of many callers at once', () =>
    withLimits(
      1,
      0,
      async (api) => {
        const callers = Array.from({ length: 40 }, (_, i) => `user-${i}`);
        for (const caller of callers) api.access.roles.set(`${GRID_A} ${caller}`, 'User');
        await Promise.all(
          callers.map(async (caller) => {
            const headers = { Authorization: `Bearer token-of.${caller}` };
            assert.equal((await api.get(A, { as: 'anonymous', headers })).status, 200);
            let refused = await api.get(A, { as: 'anonymous', headers });
            // Where the machine stood still for the whole second, this one began the next.
            for (let tried = 0; tried < 3 && refused.status === 200; tried++)
              refused = await api.get(A, { as: 'anonymous', headers });
            const seconds = retryAfter(refused);
            await sleep(seconds * 1000);
            assert.equal((await api.get(A, { as: 'anonymous', headers })).status, 200, caller);
          }),
        );
      },
      1,
    ));

  it('name the longer wait when both are used up', async () => {
    const windowMs = (key: string): number => (key.startsWith('grid') ? 7_200_000 : 3_600_000);
    const calls = new Map<string, number>();
    const count = (key: string, change: number) => {
      calls.set(key, (calls.get(key) ?? 0) + change);
      return Promise.resolve({ calls: calls.get(key) ?? 0, endsInMs: windowMs(key) });
    };
    const counts: RateCounter = {
      increment: (key) => count(key, 1),
      decrement: async (key) => void (await count(key, -1)),
      read: (key) => count(key, 0),
    };
    const limits = new RateLimiter({ userPerMinute: 2, gridPerMinute: 1, counts });
    assert.equal(await limits.consume('user', GRID_B), 0);
    assert.equal(await limits.consume('user', GRID_A), 0);
    assert.ok((await limits.consume('user', GRID_A)) > windowMs('caller'));
    assert.ok((await limits.consume('user', undefined)) <= windowMs('caller'));
  });

  describe('over counts that others share', () => {
    /** What was asked, in steps: each has what was asked before anything was answered. */
    class Watched implements RateCounter {
      readonly steps: string[][] = [];
      private readonly counts = createLocalRateCounter(60);
      private waiting = 0;

      increment = (key: string) => this.watch(`add ${key}`, () => this.counts.increment(key));
      decrement = (key: string) => this.watch(`take back ${key}`, () => this.counts.decrement(key));
      read = (key: string) => this.counts.read(key);

      private async watch<Answer>(what: string, ask: () => Promise<Answer>): Promise<Answer> {
        if (this.waiting++ === 0) this.steps.push([what]);
        else this.steps.at(-1)?.push(what);
        await new Promise(setImmediate);
        this.waiting--;
        return ask();
      }
    }

    it('ask for both at once where the Grid is known to have room', async () => {
      const counts = new Watched();
      const limits = new RateLimiter({ userPerMinute: 600, gridPerMinute: 6_000, counts });
      await limits.consume('user x', 'g');
      await limits.consume('user x', 'g');
      await limits.consume('user y', 'g');
      assert.deepEqual(counts.steps, [
        ['add caller user x'],
        ['add grid g'],
        ['add caller user x', 'add grid g'],
        ['add caller user y', 'add grid g'],
      ]);
    });

    it('ask one after the other where it may have none, and charge a refused caller nothing', async () => {
      const counts = new Watched();
      for (let i = 0; i < 30; i++) await counts.increment('grid g');
      counts.steps.length = 0;
      const limits = new RateLimiter({ userPerMinute: 2, gridPerMinute: 31, counts });
      assert.equal(await limits.consume('user x', 'g'), 0);
      assert.ok((await limits.consume('user y', undefined)) === 0);
      assert.ok((await limits.consume('user y', 'g')) > 0);
      assert.deepEqual(counts.steps, [['add caller user x'], ['add grid g'], ['add caller user y']]);
      assert.equal(
        await limits.consume('user y', undefined),
        0,
        'the Grid was known to be full, so that nothing was charged',
      );
    });

    it('take back what another process made one too many', async () => {
      const counts = new Watched();
      const limits = new RateLimiter({ userPerMinute: 2, gridPerMinute: 1, counts });
      await counts.increment('grid g');
      counts.steps.length = 0;
      assert.ok((await limits.consume('user x', 'g')) > 59_000);
      assert.deepEqual(counts.steps, [['add caller user x'], ['add grid g'], ['take back caller user x']]);
    });
  });
});
