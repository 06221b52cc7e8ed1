import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ExpiringSet } from '../../../../src/auth/portal/expiring-set.js';

const HOUR = 3_600_000;
const itself = (until: number): number => until;

describe('expiring set', () => {
  it('last until their end, and are forgotten with a later one', () => {
    let now = 0;
    const marks = new ExpiringSet(10, () => now, itself);
    marks.add('short', HOUR);
    marks.add('long', 9 * HOUR);
    marks.add('over', 0);
    assert.deepEqual([marks.has('short'), marks.has('long'), marks.has('over'), marks.size], [true, true, false, 2]);
    now = 2 * HOUR;
    marks.add('next', 9 * HOUR);
    assert.deepEqual([marks.has('short'), marks.has('long'), marks.size, marks.floor], [false, true, 2, -Infinity]);
  });

  it('are never more than may be, and none that ends behind the floor is missing', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 20 }),
        fc.array(fc.integer({ min: 1, max: 50 }), { maxLength: 80 }),
        (max, ends) => {
          const marks = new ExpiringSet(max, () => 0, itself);
          ends.forEach((until, at) => marks.add(String(at), until));
          assert.ok(marks.size <= max);
          ends.forEach((until, at) => assert.ok(marks.has(String(at)) || until <= marks.floor));
          assert.equal(marks.floor === -Infinity, ends.length <= max);
        },
      ),
    );
  });
});
