import assert from 'node:assert/strict';
import { createStoredProjectionProgress } from '../../../../src/projections/engine/stored-projection-progress.js';
import type { Position } from '../../../../src/streams/event-store.js';

const at = (n: number): Position => String(n).padStart(4, '0') as Position;

describe('stored projection progress', () => {
  it('is reached once the stored position is, after failed reads as well', async () => {
    const positions = [undefined, new Error('away'), at(1), at(3)];
    const progress = createStoredProjectionProgress(async () => {
      const next = positions.shift();
      if (next instanceof Error) throw next;
      return next;
    });
    assert.equal(await progress.waitForPosition('access', at(2), 60_000), true);
    assert.deepEqual(positions, []);
  });

  it('is not waited for beyond the timeout, also where a read never ends', async () => {
    const hanging = createStoredProjectionProgress(() => new Promise(() => undefined));
    assert.equal(await hanging.waitForPosition('access', at(2), 50), false);
    const behind = createStoredProjectionProgress(async () => at(1));
    assert.equal(await behind.waitForPosition('access', at(2), 50), false);
  });
});
