import assert from 'node:assert/strict';
import { WaitingChildren } from '../../../../src/projections/telemetry/rollups/waiting-children.js';
import { REACH_MS } from '../../../../src/projections/telemetry/reach.js';

const REACH = 100;

describe('waiting children', () => {
  it('are chained by parent, the newest first, and taken once', () => {
    const waiting = new WaitingChildren(REACH);
    waiting.begin(0, 0);
    assert.deepEqual([waiting.wait(1, 2, 10), waiting.wait(1, 3, 11), waiting.wait(1, 2, 12)], [-1, -1, 10]);
    assert.deepEqual([waiting.take(1, 2, true), waiting.take(1, 2, true), waiting.take(1, 3, true)], [12, -1, 11]);
    assert.equal(waiting.wait(1, 2, 13), -1, 'who was taken waits no more');
  });

  it('are kept as long as their parent may come within reach, and not for ever', () => {
    for (const [time, counted] of [[0, REACH + 1], [REACH_MS, 0]]) {
      const waiting = new WaitingChildren(REACH);
      waiting.begin(0, 0);
      waiting.wait(1, 1, 5);
      waiting.begin(time, counted);
      waiting.wait(1, 1, 6);
      assert.deepEqual([waiting.take(1, 1, true), waiting.take(1, 1, false)], [6, 5]);
      waiting.wait(2, 2, 7);
      waiting.begin(2 * time, 2 * counted);
      waiting.begin(3 * time, 3 * counted);
      assert.deepEqual([waiting.take(2, 2, true), waiting.take(2, 2, false)], [-1, -1]);
    }
  });
});
