import assert from 'node:assert/strict';
import { uptime } from 'node:os';
import { readMonotonicMs } from '../../../../src/projections/sharding/cluster-leases.js';

describe('Monotonic clock', () => {
  it('never goes back, and is never behind either clock of the machine', () => {
    const [first, monotonic, up] = [readMonotonicMs(), performance.now(), uptime()];
    let last = first;
    while (performance.now() - monotonic < 100) {
      const now = readMonotonicMs();
      assert.ok(now >= last);
      last = now;
    }
    // Read last, as it was read first: where this process is held up in between, that lengthens only what must be longer.
    const gone = [performance.now() - monotonic, (uptime() - up) * 1_000];
    const own = readMonotonicMs() - first;
    for (const each of gone) assert.ok(own >= each - 20, `${own} ms, ${each} ms by the other clock`);
  });
});
