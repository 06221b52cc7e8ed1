import assert from 'node:assert/strict';
import { IdleWatermark } from '../../../../src/projections/engine/run-progress.js';
import type { Position } from '../../../../src/streams/event-store.js';

const at = (n: number): Position => String(n) as Position;

describe('idle watermark', () => {
  it('skips what was read until the run commits again', () => {
    const quiet = new IdleWatermark();
    quiet.reset(0);
    assert.equal(quiet.readFrom(at(3)), at(3));
    assert.equal(quiet.advance(at(7), at(3), 0), false);
    assert.equal(quiet.readFrom(at(3)), at(7));
    quiet.reset(1);
    assert.equal(quiet.readFrom(at(3)), at(3));
    assert.equal(quiet.readFrom(), '');
  });

  it('advances the checkpoint at intervals, and only if it is behind', () => {
    const quiet = new IdleWatermark(100);
    quiet.reset(1_000);
    assert.equal(quiet.advance(at(7), at(3), 1_099), false);
    assert.equal(quiet.advance(at(7), at(7), 1_100), false);
    assert.equal(quiet.advance(at(7), undefined, 1_100), true);
    assert.equal(quiet.advance(at(7), at(3), 1_100), true);
  });
});
