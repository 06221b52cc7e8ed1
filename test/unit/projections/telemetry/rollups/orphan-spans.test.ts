import assert from 'node:assert/strict';
import { OrphanSpans } from '../../../../../src/projections/telemetry/rollups/span-linker.js';
import { LINK_WINDOW_MS } from '../../../../../src/projections/telemetry/deduplication/batch-span-index.js';

const REACH = 100;

describe('orphan spans', () => {
  it('are chained by parent, the newest first, and taken once', () => {
    const waiting = new OrphanSpans(REACH);
    waiting.begin(0, 0);
    assert.deepEqual([waiting.add(1, 2, 10), waiting.add(1, 3, 11), waiting.add(1, 2, 12)], [-1, -1, 10]);
    assert.deepEqual([waiting.take(1, 2, true), waiting.take(1, 2, true), waiting.take(1, 3, true)], [12, -1, 11]);
    assert.equal(waiting.add(1, 2, 13), -1, 'who was taken waits no more');
  });

  it('are retained as long as their parent may arrive within reach, and no longer', () => {
    for (const [time, counted] of [
      [0, REACH + 1],
      [LINK_WINDOW_MS, 0],
    ]) {
      const waiting = new OrphanSpans(REACH);
      waiting.begin(0, 0);
      waiting.add(1, 1, 5);
      waiting.begin(time, counted);
      waiting.add(1, 1, 6);
      assert.deepEqual([waiting.take(1, 1, true), waiting.take(1, 1, false)], [6, 5]);
      waiting.add(2, 2, 7);
      waiting.begin(2 * time, 2 * counted);
      waiting.begin(3 * time, 3 * counted);
      assert.deepEqual([waiting.take(2, 2, true), waiting.take(2, 2, false)], [-1, -1]);
    }
  });
});
