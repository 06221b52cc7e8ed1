import assert from 'node:assert/strict';
import fc from 'fast-check';
import { placeThresholds, extendRangeToThresholds } from '../../../src/charts/chart-thresholds.js';
import type { Threshold } from '../../../src/queries/charts/chart-query-types.js';

const AREA = { top: 50, bottom: 250 };
const HEIGHT = 15;
/** Values from 0 at the bottom to 20 at the top. */
const pixelOf = (value: number): number => AREA.bottom - value * 10;
const threshold = (value: number, label = `alert > ${value}%`): Threshold => ({ value, label, severity: 'warning' });
const placed = (...thresholds: Threshold[]) =>
  placeThresholds(thresholds, pixelOf, AREA, HEIGHT).map(({ line, labelTop, text }) => [line, labelTop, text]);

describe('thresholds', () => {
  it('belong to the range of the axis up to three times the data', () => {
    assert.deepEqual(extendRangeToThresholds({ min: 0, max: 10 }, [threshold(5), threshold(30), threshold(31)]), {
      min: 0,
      max: 30,
    });
    assert.deepEqual(extendRangeToThresholds({ min: 0, max: 0 }, [threshold(5)]), { min: 0, max: 0 });
    assert.deepEqual(extendRangeToThresholds({ min: -10, max: 10 }, [threshold(-25), threshold(-31)]), {
      min: -25,
      max: 10,
    });
  });

  it('have their labels above their lines', () => {
    assert.deepEqual(placed(threshold(5), threshold(10)), [
      [150, 135, 'alert > 10%'],
      [200, 185, 'alert > 5%'],
    ]);
  });

  it('have labels at the edge, with an arrow, where their lines lie outside', () => {
    assert.deepEqual(placed(threshold(60)), [[undefined, 50, 'alert > 60% ↑']]);
    assert.deepEqual(placed(threshold(-5)), [[undefined, 235, 'alert > -5% ↓']]);
  });

  it('have labels below their lines where there is no room above', () => {
    assert.deepEqual(placed(threshold(20)), [[50, 50, 'alert > 20%']]);
    assert.deepEqual(placed(threshold(10), threshold(9.5)), [
      [150, 135, 'alert > 10%'],
      [155, 155, 'alert > 9.5%'],
    ]);
  });

  it('are reported once', () => {
    assert.equal(placed(threshold(5), threshold(5)).length, 1);
    assert.equal(placed(threshold(5), threshold(5, 'page > 5%')).length, 2);
  });

  it('never have labels on one another, nor outside of the chart', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: -5, max: 60, noNaN: true }), { maxLength: 30 }), (values) => {
        const tops = placeThresholds(
          values.map((value) => threshold(value)),
          pixelOf,
          AREA,
          HEIGHT,
        ).map(({ labelTop }) => labelTop);
        assert.ok(
          tops.every(
            (top, index) =>
              top >= AREA.top && top <= AREA.bottom && (index === 0 || top >= tops[index - 1] + HEIGHT - 1e-9),
          ),
          tops.join(' '),
        );
      }),
    );
  });
});
