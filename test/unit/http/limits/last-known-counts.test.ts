import assert from 'node:assert/strict';
import { LastKnownCounts } from '../../../../src/http/limits/rate-limiter.js';

describe('last known counts', () => {
  it('know what they were given until the window ends', () => {
    let now = 0;
    const known = new LastKnownCounts(() => now);
    known.record('a', { calls: 3, endsInMs: 100 });
    now = 60;
    assert.deepEqual(known.find('a'), { calls: 3, endsInMs: 40 });
    assert.equal(known.find('b'), undefined);
    now = 100;
    assert.equal(known.find('a'), undefined);
  });

  it('forget what they are asked to forget, and of too many keys the one that was counted longest ago', () => {
    const known = new LastKnownCounts(() => 0, 2);
    for (const key of ['a', 'b', 'a', 'c']) known.record(key, { calls: 1, endsInMs: 1 });
    assert.deepEqual(
      ['a', 'b', 'c'].map((key) => known.find(key) !== undefined),
      [true, false, true],
    );
    known.forget('a');
    assert.equal(known.find('a'), undefined);
  });
});
