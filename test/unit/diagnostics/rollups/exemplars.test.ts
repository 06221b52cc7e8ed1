import assert from 'node:assert/strict';
import fc from 'fast-check';
import { selectLargestExemplars } from '../../../../src/diagnostics/rollups/distribution-sums.js';
import { ROLLUP_BOUNDS } from '../../../../src/diagnostics/rollups/rollup-types.js';
import type { Exemplar } from '../../../../src/telemetry/metric-distributions.js';

const exemplar: fc.Arbitrary<Exemplar> = fc.record(
  {
    timeUs: fc.integer({ min: 0, max: 3 }),
    value: fc.integer({ min: -3, max: 3 }),
    traceId: fc.constantFrom('', 'ab'),
    spanId: fc.constantFrom('', 'cd'),
  },
  { noNullPrototype: true },
);
const lists = fc.array(fc.array(exemplar, { maxLength: 6 }), { maxLength: 5 });

describe('the largest exemplars', () => {
  it('are the same in any order and grouping', () => {
    fc.assert(
      fc.property(lists, lists, (a, b) => {
        const all = selectLargestExemplars([...a, ...b]);
        assert.deepEqual(selectLargestExemplars([selectLargestExemplars(b), selectLargestExemplars(a)]), all);
        assert.deepEqual(selectLargestExemplars([[...b, ...a].flat().reverse()]), all);
      }),
    );
  });

  it('are those with the largest values, without duplicates, limited in number', () => {
    const one = (value: number): Exemplar => ({ timeUs: 1, value, traceId: '', spanId: '' });
    assert.deepEqual(selectLargestExemplars([[3, 8, 1].map(one), [8, 5, 2, -1].map(one)]), [8, 5, 3, 2].map(one));
    assert.equal(ROLLUP_BOUNDS.exemplars, 4);
  });

  it('of equal values are distinguished by time, trace and span', () => {
    const one = (timeUs: number, traceId: string, spanId: string): Exemplar => ({ timeUs, value: 1, traceId, spanId });
    const ordered = [one(1, 'b', 'b'), one(2, '', 'a'), one(2, 'a', ''), one(2, 'a', 'b')];
    assert.deepEqual(selectLargestExemplars([[...ordered].reverse()]), ordered);
  });
});
