import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type { RateCounter } from '../../src/http/limits/rate-limiter.js';

/** The contract of `RateCounter`. `open` returns an empty counter with windows of the given length in seconds. */
export function callCountsContract(open: (windowSeconds: number) => RateCounter | Promise<RateCounter>): void {
  it('counts the calls of each key separately', async () => {
    const counts = await open(60);
    assert.equal((await counts.increment('a')).calls, 1);
    assert.equal((await counts.increment('a')).calls, 2);
    assert.equal((await counts.increment('b')).calls, 1);
  });

  it('gives each of many concurrent calls a different number', async () => {
    const counts = await open(60);
    const calls = await Promise.all(Array.from({ length: 50 }, () => counts.increment('a')));
    assert.deepEqual(
      calls.map((each) => each.calls).sort((a, b) => a - b),
      Array.from({ length: 50 }, (_, i) => i + 1),
    );
  });

  it('reads a count without incrementing it, and returns nothing for a key without a window', async () => {
    const counts = await open(60);
    assert.equal(await counts.read('a'), undefined);
    await counts.increment('a');
    for (let i = 0; i < 2; i++) assert.equal((await counts.read('a'))?.calls, 1);
  });

  it('takes back a call', async () => {
    const counts = await open(60);
    await counts.increment('a');
    await counts.increment('a');
    await counts.decrement('a');
    assert.equal((await counts.increment('a')).calls, 2);
  });

  it('starts a window with its first call, ends it on time, and starts another', async () => {
    const counts = await open(1);
    const { endsInMs } = await counts.increment('a');
    assert.ok(endsInMs > 500 && endsInMs <= 1000, String(endsInMs));
    const later = (await counts.increment('a')).endsInMs;
    assert.ok(later <= endsInMs);
    await pause(later + 5);
    const [again, ...others] = await Promise.all(Array.from({ length: 20 }, () => counts.increment('a')));
    assert.deepEqual(
      [again, ...others].map(({ calls }) => calls).sort((a, b) => a - b),
      Array.from({ length: 20 }, (_, i) => i + 1),
    );
    assert.ok(again.endsInMs > 500);
  });

  it('accepts any text as a key', async () => {
    const counts = await open(60);
    for (const key of ['', 'caller user a.b$c', '{"$gt":""}', 'ü', 'x'.repeat(300)])
      assert.equal((await counts.increment(key)).calls, 1, key);
  });
}
