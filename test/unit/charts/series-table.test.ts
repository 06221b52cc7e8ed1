import assert from 'node:assert/strict';
import {
  stackedBarRange,
  bridgeShortGaps,
  isStepRunning,
  findIsolatedValues,
  stepMidpoint,
  valueRange,
  buildSeriesTable,
  stackSeries,
} from '../../../src/charts/series-table.js';
import { HOUR, MINUTE } from '../../support/chart-scenes.js';

const _ = NaN;
const series = (...values: number[]) => ({ label: 'a', values });
const frame = { fromMs: 7 * MINUTE, toMs: 21 * MINUTE, stepMs: 5 * MINUTE, nowMs: 20.5 * MINUTE };

describe('shape of a chart', () => {
  it('has every step that the frame touches, and a gap where nothing was measured', () => {
    const points = [
      { atMs: 5 * MINUTE, value: 1 },
      { atMs: 15 * MINUTE, value: 3 },
    ];
    const shape = buildSeriesTable({
      frame,
      series: [{ label: 'a', points, exemplars: [] }],
      unit: '',
      additive: true,
    });
    assert.deepEqual(
      shape.steps.map((step) => step / MINUTE),
      [5, 10, 15, 20],
    );
    assert.deepEqual(shape.series, [series(1, _, 3, _)]);
  });

  it('has gaps for what no picture can show', () => {
    const points = [
      { atMs: 5 * MINUTE, value: Infinity },
      { atMs: 0, value: 3 },
      { atMs: 25 * MINUTE, value: 3 },
    ];
    const shape = buildSeriesTable({
      frame,
      series: [{ label: 'a', points, exemplars: [] }],
      unit: '',
      additive: true,
    });
    assert.deepEqual(shape.series, [series(_, _, _, _)]);
  });

  it('bridges gaps of less than three minutes by a straight line', () => {
    assert.deepEqual(bridgeShortGaps([1, _, 3, _, _, 6], MINUTE), [1, 2, 3, 4, 5, 6]);
    assert.deepEqual(bridgeShortGaps([_, 1, _, _, _, 5, _], MINUTE), [_, 1, _, _, _, 5, _]);
    assert.deepEqual(bridgeShortGaps([1, _, 3], 2 * MINUTE), [1, 2, 3]);
    assert.deepEqual(bridgeShortGaps([1, _, 3], 3 * MINUTE), [1, _, 3]);
    assert.deepEqual(bridgeShortGaps([1, _, 3], HOUR), [1, _, 3]);
  });

  it('piles series up: nothing adds nothing, a gap is where none has a value', () => {
    assert.deepEqual(
      stackSeries([series(1, 1, _, _), series(2, _, 2, _)]).map(({ values }) => values),
      [
        [1, 1, 0, _],
        [3, 1, 2, _],
      ],
    );
    assert.deepEqual(stackSeries([]), []);
  });

  it('knows values without neighbours', () => {
    assert.deepEqual(findIsolatedValues([1, _, 2, 3, _, 4]), [true, false, false, false, false, true]);
  });

  it('knows how far lines and bars reach', () => {
    assert.deepEqual(valueRange([series(_, 2, -1), series(5)]), { min: -1, max: 5 });
    assert.deepEqual(valueRange([series(_)]), { min: 0, max: 0 });
    assert.deepEqual(stackedBarRange([series(3, -1, _), series(4, -2, 1)]), { min: -3, max: 7 });
  });

  it('puts a value into the middle of what is shown of its step', () => {
    assert.deepEqual(
      [5, 10, 20].map((minute) => stepMidpoint(minute * MINUTE, frame) / MINUTE),
      [8.5, 12.5, 20.5],
    );
  });

  it('knows the step that runs on', () => {
    assert.deepEqual(
      [15, 20].map((minute) => isStepRunning(minute * MINUTE, frame)),
      [false, true],
    );
    assert.equal(isStepRunning(15 * MINUTE, { ...frame, nowMs: 20 * MINUTE }), false);
    assert.equal(
      isStepRunning(20 * MINUTE, { ...frame, nowMs: 21 * MINUTE }),
      false,
      'the chart ends within the step, in the past',
    );
  });
});
