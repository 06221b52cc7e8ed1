import assert from 'node:assert/strict';
import fc from 'fast-check';
import { evenly } from '../../../portal/src/diagnostics/evenly.js';

describe('values at even steps', () => {
  it('leave gaps where nothing is', () => {
    assert.deepEqual(evenly([{ at: 20, value: 1 }, { at: 30, value: 2 }, { at: 50, value: 3 }], 0, 70), [undefined, undefined, 1, 2, undefined, 3, undefined]);
    assert.deepEqual(evenly([{ at: 20, value: 1 }], 0, 70), [1]);
    assert.deepEqual(evenly([], 0, 70), []);
  });

  it('have every point once, in order', () => {
    fc.assert(fc.property(fc.uniqueArray(fc.nat(59), { minLength: 2 }), (places) => {
      const points = [...places].sort((a, b) => a - b).map((place) => ({ at: 1_000 + place * 60, value: place }));
      const gaps = points.slice(1).map(({ at }, i) => at - (points[i]?.at ?? 0));
      // Steps of a chart divide the distances of its points.
      fc.pre(gaps.every((gap) => gap % Math.min(...gaps) === 0));
      assert.deepEqual(evenly(points, 1_000, 1_000 + 60 * 60).filter((value) => value !== undefined), points.map(({ value }) => value));
    }));
  });
});
