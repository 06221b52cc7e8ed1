import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { runWithTimeout } from '../../../src/assistant/abortable-timeout.js';

describe('runWithTimeout', () => {
  it('resolves and rejects as the work does, and leaves nothing behind', async () => {
    const outer = new AbortController();
    assert.equal(await runWithTimeout(outer.signal, 60_000, async () => 7), 7);
    await assert.rejects(
      runWithTimeout(outer.signal, 60_000, () => Promise.reject(new Error('its own'))),
      /its own/,
    );
    assert.deepEqual(getEventListeners(outer.signal, 'abort'), []);
    const timersBefore = countTimers();
    for (let n = 0; n < 20; n++) await runWithTimeout(outer.signal, 60_000, async () => n);
    // Timers of mocha and of other test files come and go.
    assert.ok(countTimers() < timersBefore + 10);
  });

  it('aborts work that takes too long, and does not wait for it', async () => {
    let passedSignal: AbortSignal | undefined;
    await assert.rejects(
      runWithTimeout(undefined, 10, (signal) => new Promise(() => (passedSignal = signal))),
      { code: 'unavailable' },
    );
    assert.equal(passedSignal?.aborted, true);
  });

  it('rejects with the reason of the caller, also when the work fails only after the abort', async () => {
    const outer = new AbortController();
    const work = (signal: AbortSignal): Promise<never> =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('gave up'))));
    const waiting = runWithTimeout(outer.signal, 60_000, work);
    outer.abort(new Error('gone'));
    await assert.rejects(waiting, /gone/);
    await assert.rejects(
      runWithTimeout(outer.signal, 60_000, () => assert.fail('nothing should begin')),
      /gone/,
    );
  });
});

function countTimers(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
}
