import assert from 'node:assert/strict';
import { startWatchdog } from '../../../../src/runtime/threads/thread-watchdog.js';
import { until } from '../../projections/engine/support/until.js';

describe('watchdog', () => {
  it('reports a thread without response once', async () => {
    const reported: number[] = [];
    const end = startWatchdog({
      ping: () => new Promise(() => undefined),
      onSilence: (ms) => reported.push(ms),
      intervalMs: 1,
      silenceTimeoutMs: 20,
    });
    await until(() => Promise.resolve(reported.length > 0));
    end();
    assert.deepEqual(reported, [20]);
  });

  it('accepts any response, also late ones and failures', async () => {
    const reported: number[] = [];
    let asked = 0;
    const ask = async (): Promise<void> => {
      asked++;
      await new Promise((resolve) => setTimeout(resolve, 5));
      if (asked % 2 === 0) throw new Error('not well');
    };
    const end = startWatchdog({
      ping: ask,
      onSilence: (ms) => reported.push(ms),
      intervalMs: 1,
      silenceTimeoutMs: 5_000,
    });
    await until(() => Promise.resolve(asked > 5));
    end();
    assert.deepEqual(reported, []);
  });
});
