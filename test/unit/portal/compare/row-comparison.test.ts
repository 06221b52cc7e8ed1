import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  compareRows,
  assessFigure,
  computePercentChange,
} from '../../../../portal/src/pages/compare/row-comparison.js';

interface Row {
  readonly name: string;
  readonly requestCount: number;
  readonly errorRate: number;
  readonly ms: number;
}

const row = fc.record({
  name: fc.constantFrom('a', 'b', 'c', 'd'),
  requestCount: fc.nat(100),
  errorRate: fc.nat(100),
  ms: fc.nat(1_000),
});
const rows = fc.uniqueArray(row, { selector: ({ name }) => name });
const side = (current: readonly Row[], baseline: readonly Row[]) =>
  compareRows(
    current,
    baseline,
    ({ name }) => name,
    ({ ms }) => ms,
  );
const one = (requestCount: number, errorRate: number, ms: number): Row => ({ name: 'a', requestCount, errorRate, ms });
const verdict = (current: Row, baseline: Row): string | undefined => side([current], [baseline])[0]?.verdict;

describe('row comparison', () => {
  it('contains each ID of either window once, regressions first', () => {
    fc.assert(
      fc.property(rows, rows, (current, baseline) => {
        const pairs = side(current, baseline);
        assert.deepEqual(
          pairs.map(({ id }) => id).sort(),
          [...new Set([...current, ...baseline].map(({ name }) => name))].sort(),
        );
        const ranks = pairs.map((pair) => ['worse', 'better', 'same', 'unknown'].indexOf(pair.verdict));
        assert.deepEqual(ranks, [...ranks].sort());
      }),
    );
  });

  it('judges latency and errors, unless there are few requests', () => {
    assert.equal(verdict(one(100, 0, 130), one(100, 0, 100)), 'worse');
    assert.equal(verdict(one(100, 0, 70), one(100, 0, 100)), 'better');
    assert.equal(verdict(one(100, 0, 110), one(100, 0, 100)), 'same');
    assert.equal(verdict(one(100, 3, 70), one(100, 1, 100)), 'worse');
    assert.equal(verdict(one(100, 0.3, 100), one(100, 0.1, 100)), 'same');
    assert.equal(verdict(one(100, 0, 100), one(100, 4, 100)), 'better');
    assert.equal(verdict(one(9, 0, 900), one(100, 0, 100)), 'unknown');
  });

  it('does not judge rows of one window only', () => {
    assert.deepEqual(side([one(10, 0, 1)], [])[0], {
      id: 'a',
      current: one(10, 0, 1),
      baseline: undefined,
      latency: undefined,
      verdict: 'unknown',
    });
  });

  it('never judges both directions as worse', () => {
    fc.assert(
      fc.property(row, row, (a, b) => {
        const [there, back] = [
          verdict({ ...a, name: 'a', errorRate: 0 }, { ...b, name: 'a', errorRate: 0 }),
          verdict({ ...b, name: 'a', errorRate: 0 }, { ...a, name: 'a', errorRate: 0 }),
        ];
        assert.ok(there !== 'worse' || back !== 'worse');
      }),
    );
  });

  it('computes changes in percent of the baseline', () => {
    assert.deepEqual(
      [computePercentChange(3, 2), computePercentChange(0, 0), computePercentChange(1, 0), computePercentChange(0, 4)],
      [50, 0, 100, -100],
    );
  });

  it('judges values by their worse direction', () => {
    assert.deepEqual(
      [assessFigure(30, 'more'), assessFigure(30, 'less'), assessFigure(-30, 'less'), assessFigure(4, 'more')],
      ['worse', 'better', 'worse', 'same'],
    );
  });
});
