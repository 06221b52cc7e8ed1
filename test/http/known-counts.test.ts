import assert from 'node:assert/strict';
import { KnownCounts } from '../../src/http/known-counts.js';

describe('known counts', () => {
  it('know what they were told until the window ends', () => {
    let now = 0;
    const known = new KnownCounts(() => now);
    known.note('a', { calls: 3, endsInMs: 100 });
    now = 60;
    assert.deepEqual(known.of('a'), { calls: 3, endsInMs: 40 });
    assert.equal(known.of('b'), undefined);
    now = 100;
    assert.equal(known.of('a'), undefined);
  });

  it('forget what they are told to, and of too many keys the one that was counted longest ago', () => {
    const known = new KnownCounts(() => 0, 2);
    for (const key of ['a', 'b', 'a', 'c']) known.note(key, { calls: 1, endsInMs: 1 });
    assert.deepEqual(['a', 'b', 'c'].map((key) => known.of(key) !== undefined), [true, false, true]);
    known.forget('a');
    assert.equal(known.of('a'), undefined);
  });
});
