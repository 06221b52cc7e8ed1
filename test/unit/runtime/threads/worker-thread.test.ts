import assert from 'node:assert/strict';
import { startThread } from '../../../../src/runtime/threads/worker-thread.js';
import { hasCode, type HindsightError } from '../../../../src/errors.js';
import { shortest } from '../../../support/undisturbed.js';
import type { EchoApi } from './echo-thread.js';

const ENTRY = new URL('./echo-thread.js', import.meta.url);

describe('thread', () => {
  it('offers an object of another thread, with what it was started with', async () => {
    const thread = startThread<EchoApi>(ENTRY, { greeting: 'hello' });
    assert.equal(await thread.api.greet('span'), 'hello span');
    await thread.close();
    assert.equal(await thread.ended, undefined);
  });

  it('carries code and fields of an error, and from when on a retry may succeed', async () => {
    const thread = startThread<EchoApi>(ENTRY, {});
    const error = await thread.api.fail().catch((caught: unknown) => caught);
    assert.ok(hasCode(error, 'unavailable'));
    assert.deepEqual((error as HindsightError).fields, [{ field: 'disk', message: 'full' }]);
    assert.equal((error as HindsightError).retryAtMs, 42);
    await thread.close();
    await thread.close();
  });

  it('gives long lists whole and in order, without holding the thread that asked', async () => {
    const thread = startThread<EchoApi>(ENTRY, {});
    for (const length of [0, 1, 1000, 1001, 2000, 25_003]) {
      assert.deepEqual(
        await thread.api.list(length),
        Array.from({ length }, (_, n) => ({ n, name: `span ${n}` })),
      );
    }
    const held = await shortest(250, () =>
      longestHold(async () => assert.equal((await thread.api.list(1_000_000)).length, 1_000_000)),
    );
    assert.ok(held < 250, `held for ${held.toFixed(0)} ms`);
    await thread.close();
  });

  it('lets nobody wait for a list of which it dies', async () => {
    const thread = startThread<EchoApi>(ENTRY, {});
    const list = thread.api.list(3_000_000);
    void thread.api.die().catch(() => undefined);
    await assert.rejects(list);
  });

  it('tells that it died, and of what, and lets nobody wait for it', async () => {
    const thread = startThread<EchoApi>(ENTRY, {});
    const never = thread.api.wait();
    void thread.api.die().catch(() => undefined);
    assert.match(String(await thread.ended), /died on purpose/);
    for (const call of [never, thread.api.greet('nobody')])
      assert.ok(hasCode(await call.catch((error: unknown) => error), 'unavailable'));
  });
});

/** Longest time (ms) in which nothing else had a turn in this thread while work was done. */
async function longestHold(work: () => Promise<void>): Promise<number> {
  let longest = 0;
  let last = performance.now();
  let counting = true;
  const look = (): void => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
    if (counting) setImmediate(look);
  };
  look();
  await work();
  counting = false;
  return Math.max(longest, performance.now() - last);
}
