import assert from 'node:assert/strict';
import { selectLabelSide, type LinePoint } from '../../../src/charts/chart-thresholds.js';

/** Labels of a chart of 100 × 100, 20 wide and 10 high, above a line at 50. */
const BOXES = {
  left: [{ left: 0, right: 20, top: 40, bottom: 50 }],
  right: [{ left: 80, right: 100, top: 40, bottom: 50 }],
};

function line(...ys: readonly number[]): LinePoint[] {
  return ys.map((y, index) => ({ x: (index * 100) / (ys.length - 1), y }));
}

const sideOf = (...lines: readonly (readonly LinePoint[])[]): string => selectLabelSide(lines, BOXES);

describe('labels of thresholds', () => {
  it('stand at the right, where nothing runs behind them or as much as at the left', () => {
    assert.equal(sideOf(), 'right');
    assert.equal(sideOf(line(90, 90, 90, 90)), 'right');
    assert.equal(sideOf(line(45, 45, 45, 45)), 'right');
    assert.equal(sideOf(line(45, 90, 90, 90)), 'right');
  });

  it('stand at the left, where more runs through them at the right', () => {
    assert.equal(sideOf(line(90, 90, 90, 45)), 'left');
    assert.equal(sideOf(line(90, 90, 90, 10)), 'left', 'between two points that lie outside');
    assert.equal(sideOf(line(45, 45, 90, 90), line(90, 90, 45, 45), line(90, 90, 45, 45)), 'left');
  });

  it('take no notice of gaps', () => {
    assert.equal(sideOf(line(90, 90, NaN, 45, NaN)), 'right');
  });
});
