import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  alignSeries,
  toSeriesRange,
  applySeverityColours,
  toTableRows,
} from '../../../../portal/src/charts/series-alignment.js';
import { createChartWindow, listSteps } from '../../../../src/diagnostics/chart-series/chart-window.js';

const MINUTE = 60_000;
const HOUR = { from: 0, to: 60 * MINUTE, step: MINUTE };
const point = (minute: number, value: number) => ({ timestamp: new Date(minute * MINUTE).toISOString(), value });

describe('chart series', () => {
  it('have the same times, and gaps for missing values', () => {
    const aligned = alignSeries(
      [
        { label: 'a', dataPoints: [point(0, 1), point(1, 2), point(4, 3)] },
        { label: 'b', dataPoints: [point(4, 7)] },
      ],
      { from: 0, to: 5 * MINUTE, step: MINUTE },
    );
    assert.deepEqual(
      aligned[0].points.map(({ value }) => value),
      [1, 2, undefined, undefined, 3],
    );
    assert.deepEqual(
      aligned[1].points.map(({ at, value }) => [at / MINUTE, value]),
      [
        [0, undefined],
        [1, undefined],
        [2, undefined],
        [3, undefined],
        [4, 7],
      ],
    );
  });

  it('are empty without values', () => {
    assert.deepEqual(alignSeries([{ label: 'a', dataPoints: [] }], HOUR), [{ name: 'a', points: [] }]);
    assert.deepEqual(toTableRows([]), []);
  });

  it('use the step of the response, even with few values', () => {
    for (const values of [[point(30, 1)], [point(2, 1), point(30, 2)]]) {
      const [{ points }] = alignSeries([{ label: 'a', dataPoints: values }], HOUR);
      assert.equal(points.length, 60);
      assert.deepEqual(
        points.flatMap(({ at, value }) => (value === undefined ? [] : [at / MINUTE])),
        values.map(({ timestamp }) => Date.parse(timestamp) / MINUTE),
      );
    }
  });

  it('use the step of the response for any range', () => {
    fc.assert(
      fc.property(fc.nat(50_000), fc.integer({ min: 1, max: 44_640 }), (start, minutes) => {
        const range = { fromMs: start * MINUTE, toMs: (start + minutes) * MINUTE };
        const frame = createChartWindow(range, range.toMs);
        const expected = listSteps(frame).map(({ atMs }) => atMs);
        const answer = {
          rangeStart: new Date(frame.fromMs).toISOString(),
          rangeEnd: new Date(range.toMs).toISOString(),
          stepSeconds: frame.stepMs / 1000,
        };
        const [{ points }] = alignSeries(
          [{ label: 'a', dataPoints: [{ timestamp: new Date(expected[0]).toISOString(), value: 1 }] }],
          toSeriesRange(answer),
        );
        assert.deepEqual(
          points.map(({ at }) => at),
          expected,
        );
      }),
    );
  });

  it('require the step in the response', () => {
    assert.throws(
      () => toSeriesRange({ rangeStart: '2026-01-01T00:00:00.000Z', rangeEnd: '2026-01-01T01:00:00.000Z' }),
      /no stepSeconds/,
    );
  });

  it('keep values between steps, and cover the whole range', () => {
    const [{ points }] = alignSeries([{ label: 'a', dataPoints: [point(1, 1), point(2.5, 2)] }], {
      from: 0.5 * MINUTE,
      to: 4 * MINUTE,
      step: MINUTE,
    });
    assert.deepEqual(
      points.map(({ at, value }) => [at / MINUTE, value]),
      [
        [0, undefined],
        [1, 1],
        [2, undefined],
        [2.5, 2],
        [3, undefined],
      ],
    );
  });

  it('convert to table rows', () => {
    const rows = toTableRows(
      alignSeries(
        [
          { label: 'a', dataPoints: [point(0, 1), point(1, 2)] },
          { label: 'b', dataPoints: [point(1, 9)] },
        ],
        { from: 0, to: 2 * MINUTE, step: MINUTE },
      ),
    );
    assert.deepEqual(rows, [
      { at: 0, values: [1, undefined] },
      { at: MINUTE, values: [2, 9] },
    ]);
  });

  it('get severity colours if all of them are severities', () => {
    const named = (...labels: string[]) =>
      alignSeries(
        labels.map((label) => ({ label, dataPoints: [] })),
        HOUR,
      );
    assert.deepEqual(
      applySeverityColours(named('Information', 'Error')).map(({ colour }) => colour),
      ['--severity-information', '--severity-error'],
    );
    assert.deepEqual(
      applySeverityColours(named('Error', 'checkout')).map(({ colour }) => colour),
      [undefined, undefined],
    );
  });
});
