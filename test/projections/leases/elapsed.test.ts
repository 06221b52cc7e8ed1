import assert from 'node:assert/strict';
import { uptime } from 'node:os';
import { elapsed } from '../../../src/projections/leases/elapsed.js';

describe('Elapsed time', () => {
  it('never goes back, and is never behind either clock of the machine', () => {
    const [first, monotonic, up] = [elapsed(), performance.now(), uptime()];
    let last = first;
    for (let i = 0; i < 20_000; i++) {
      const now = elapsed();
      assert.ok(now >= last);
      last = now;
    }
    assert.ok(last - first >= 0 && elapsed() - first >= performance.now() - monotonic - 20);
    assert.ok(elapsed() - first >= (uptime() - up) * 1_000 - 20);
  });
});
