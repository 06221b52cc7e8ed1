import assert from 'node:assert/strict';
import fc from 'fast-check';
import { findDistinctPairs } from '../../../../src/projections/telemetry/filter-names-projection.js';

describe('distinct pairs', () => {
  it('are those of a plain scan, in order, each with its newest time', () => {
    const row = fc.record({ first: fc.nat(3), second: fc.nat(100_000).map((n) => n % 7), time: fc.nat(9) });
    fc.assert(
      fc.property(fc.array(row, { maxLength: 50 }), (rows) => {
        const newest = new Map<string, number>();
        for (const { first, second, time } of rows)
          newest.set(`${first}/${second}`, Math.max(time, newest.get(`${first}/${second}`) ?? 0));
        const column = (name: 'first' | 'second'): Uint32Array => Uint32Array.from(rows, (each) => each[name]);
        const times = Float64Array.from(rows, ({ time }) => time);
        const pairs = findDistinctPairs(column('first'), column('second'), times, Uint32Array.from(rows.keys()));
        assert.deepEqual(
          pairs.map(({ first, second, newestUs }) => [`${first}/${second}`, newestUs]),
          [...newest],
        );
      }),
    );
  });
});
