import assert from 'node:assert/strict';
import { alignedSeries, rowsOf } from '../../../portal/src/charts/series.js';

const MINUTE = 60_000;
const point = (minute: number, value: number) => ({ timestamp: new Date(minute * MINUTE).toISOString(), value });

describe('series of a chart', () => {
  it('have the same places, and gaps where a step has no value', () => {
    const aligned = alignedSeries([
      { label: 'a', dataPoints: [point(0, 1), point(1, 2), point(4, 3)] },
      { label: 'b', dataPoints: [point(4, 7)] },
    ]);
    assert.deepEqual(aligned[0].points.map(({ value }) => value), [1, 2, undefined, undefined, 3]);
    assert.deepEqual(aligned[1].points.map(({ at, value }) => [at / MINUTE, value]), [[0, undefined], [1, undefined], [2, undefined], [3, undefined], [4, 7]]);
  });

  it('are empty without values, and one place with one', () => {
    assert.deepEqual(alignedSeries([{ label: 'a', dataPoints: [] }]), [{ name: 'a', points: [] }]);
    assert.equal(alignedSeries([{ label: 'a', dataPoints: [point(3, 1)] }])[0].points.length, 1);
    assert.deepEqual(rowsOf([]), []);
  });

  it('keep values that lie between the steps', () => {
    const [{ points }] = alignedSeries([{ label: 'a', dataPoints: [point(0, 1), point(2, 2), point(5, 3)] }]);
    assert.deepEqual(points.map(({ at, value }) => [at / MINUTE, value]), [[0, 1], [2, 2], [4, undefined], [5, 3]]);
  });

  it('reach over the whole time that was asked for', () => {
    const [{ points }] = alignedSeries([{ label: 'a', dataPoints: [point(2, 1), point(3, 2)] }], { from: 0, to: 6 * MINUTE });
    assert.deepEqual(points.map(({ at, value }) => [at / MINUTE, value]), [[0, undefined], [1, undefined], [2, 1], [3, 2], [4, undefined], [5, undefined]]);
  });

  it('are rows of a table', () => {
    const rows = rowsOf(alignedSeries([{ label: 'a', dataPoints: [point(0, 1), point(1, 2)] }, { label: 'b', dataPoints: [point(1, 9)] }]));
    assert.deepEqual(rows, [{ at: 0, values: [1, undefined] }, { at: MINUTE, values: [2, 9] }]);
  });
});
