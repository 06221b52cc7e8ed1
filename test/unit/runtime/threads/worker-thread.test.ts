import assert from 'node:assert/strict';
import { startThread } from '../../../../src/runtime/threads/worker-thread.js';
import { hasCode, type HindsightError } from '../../../../src/errors.js';
import type { EchoApi } from './echo-thread.js';

const ENTRY = new URL('./echo-thread.js', import.meta.url);

describe('worker thread', () => {
  it('exposes an object of another thread, with its settings', async () => {
    const thread = startThread<EchoApi>(ENTRY, { greeting: 'hello' });
    assert.equal(await thread.api.greet('span'), 'hello span');
    await thread.close();
    assert.equal(await thread.ended, undefined);
  });

  it('transfers code, fields and retry time of errors', async () => {
    const thread = startThread<EchoApi>(ENTRY, {});
    const error = await thread.api.fail().catch((caught: unknown) => caught);
    assert.ok(hasCode(error, 'unavailable'));
    assert.deepEqual((error as HindsightError).fields, [{ field: 'disk', message: 'full' }]);
    assert.equal((error as HindsightError).retryAtMs, 42);
    await thread.close();
    await thread.close();
  });

  it('transfers long lists completely and in order', async () => {
    const thread = startThread<EchoApi>(ENTRY, {});
    for (const length of [0, 1, 1000, 1001, 2000, 25_003]) {
      assert.deepEqual(
        await thread.api.list(length),
        Array.from({ length }, (_, n) => ({ n, name: `span ${n}` })),
      );
    }
    await thread.close();
  });

  it('rejects when it ends while it sends a list', async () => {
    const thread = startThread<EchoApi>(ENTRY, {});
    const list = thread.api.list(3_000_000);
    void thread.api.die().catch(() => undefined);
    await assert.rejects(list);
  });

  it('reports its error when it ends, and rejects pending calls', async () => {
    const thread = startThread<EchoApi>(ENTRY, {});
    const never = thread.api.wait();
    void thread.api.die().catch(() => undefined);
    assert.match(String(await thread.ended), /died on purpose/);
    for (const call of [never, thread.api.greet('nobody')])
      assert.ok(hasCode(await call.catch((error: unknown) => error), 'unavailable'));
  });
});
