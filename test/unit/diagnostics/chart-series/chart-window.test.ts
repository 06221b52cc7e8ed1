import assert from 'node:assert/strict';
import fc from 'fast-check';
import { MAX_SERIES_POINTS } from '../../../../src/diagnostics/chart-series/chart-series.js';
import {
  createChartWindow,
  divideWindow,
  durationSeconds,
  findStepIndex,
  listSteps,
  MAX_CHART_DAYS,
  MAX_MINUTE_RESOLUTION_MS,
  StepClock,
  usesHourlyRollups,
} from '../../../../src/diagnostics/chart-series/chart-window.js';
import { MINUTE_MS } from '../../../../src/diagnostics/time-windows.js';
import { HOUR_MS } from '../given-rollups.js';

const HOUR = 60 * MINUTE_MS;
const DAY = 24 * HOUR;
/** Long after everything. */
const LATER = HOUR_MS + 1000 * DAY;

function stepMinutes(lengthMs: number, fromMs = HOUR_MS): number {
  return createChartWindow({ fromMs, toMs: fromMs + lengthMs }, LATER).stepMs / MINUTE_MS;
}

describe('the frame of a chart', () => {
  it('is whole minutes: its start rounds down, its end up', () => {
    const { fromMs, toMs } = createChartWindow({ fromMs: HOUR_MS + 59_999, toMs: HOUR_MS + 60_001 }, LATER);
    assert.deepEqual([fromMs, toMs], [HOUR_MS, HOUR_MS + 2 * MINUTE_MS]);
  });

  it('ends with the running minute at most', () => {
    const window = createChartWindow({ fromMs: HOUR_MS - HOUR, toMs: HOUR_MS + DAY }, HOUR_MS + 20_000);
    assert.deepEqual([window.toMs, window.nowMs], [HOUR_MS + MINUTE_MS, HOUR_MS + 20_000]);
  });

  it('is empty where it begins later than that', () => {
    const window = createChartWindow({ fromMs: HOUR_MS + DAY, toMs: HOUR_MS + 2 * DAY }, HOUR_MS);
    assert.deepEqual([window.toMs - window.fromMs, listSteps(window)], [0, []]);
  });

  it('has steps of minutes up to a day, of whole hours above', () => {
    const lengths = [
      MINUTE_MS,
      HOUR,
      6 * HOUR,
      400 * MINUTE_MS,
      401 * MINUTE_MS,
      800 * MINUTE_MS,
      16 * HOUR,
      20 * HOUR,
      DAY,
      DAY + MINUTE_MS,
      7 * DAY,
      400 * HOUR,
      401 * HOUR,
      31 * DAY,
    ];
    assert.deepEqual(
      lengths.map((length) => stepMinutes(length)),
      [1, 1, 1, 1, 2, 2, 3, 3, 5, 60, 60, 60, 120, 120],
    );
  });

  it('takes the next longer steps where those of a range that begins between them would be one too many', () => {
    assert.equal(stepMinutes(800 * MINUTE_MS, HOUR_MS), 2);
    assert.equal(stepMinutes(800 * MINUTE_MS, HOUR_MS + MINUTE_MS), 3);
  });

  it('is read by the hour where its steps are whole hours', () => {
    assert.deepEqual(
      [MAX_MINUTE_RESOLUTION_MS, MAX_MINUTE_RESOLUTION_MS + 1].map((length) =>
        usesHourlyRollups(createChartWindow({ fromMs: HOUR_MS, toMs: HOUR_MS + length }, LATER)),
      ),
      [false, true],
    );
  });

  it('is cut into steps that begin at multiples since 1970; those at its ends count what lies inside', () => {
    const fromMs = HOUR_MS - 3 * DAY - 20 * MINUTE_MS;
    const steps = listSteps(createChartWindow({ fromMs, toMs: HOUR_MS + 5 * MINUTE_MS }, LATER));
    assert.deepEqual(steps[0], { atMs: HOUR_MS - 3 * DAY - HOUR, fromMs, toMs: HOUR_MS - 3 * DAY });
    assert.deepEqual(steps[1], { atMs: HOUR_MS - 3 * DAY, fromMs: HOUR_MS - 3 * DAY, toMs: HOUR_MS - 3 * DAY + HOUR });
    assert.deepEqual(steps.at(-1), { atMs: HOUR_MS, fromMs: HOUR_MS, toMs: HOUR_MS + 5 * MINUTE_MS });
    assert.deepEqual([steps[0], steps[1], steps.at(-1)!].map(durationSeconds), [1200, 3600, 300]);
  });

  it('has a last step that lasts until now, a second at least', () => {
    const lastSeconds = (nowMs: number): number =>
      durationSeconds(listSteps(createChartWindow({ fromMs: HOUR_MS - HOUR, toMs: HOUR_MS + HOUR }, nowMs)).at(-1)!);
    assert.deepEqual(
      [0, 20, 20_000, 59_999].map((ms) => lastSeconds(HOUR_MS + ms)),
      [1, 1, 20, 59.999],
    );
  });

  it('lasts until now, as a whole', () => {
    const { allSeconds, seconds } = new StepClock(
      createChartWindow({ fromMs: HOUR_MS - HOUR, toMs: HOUR_MS + HOUR }, HOUR_MS + 20_000),
    );
    assert.deepEqual([allSeconds, seconds.reduce((a, b) => a + b)], [3620, 3620]);
  });

  it('has at most 400 steps of one length that cover it without a gap, and knows which one a moment is in', () => {
    const minutes = fc.integer({ min: 0, max: MAX_CHART_DAYS * 1440 });
    fc.assert(
      fc.property(minutes, minutes, fc.integer({ min: 0, max: 120 * MINUTE_MS }), (start, length, now) => {
        const fromMs = HOUR_MS + start * MINUTE_MS;
        const nowMs = fromMs + length * MINUTE_MS + now;
        const window = createChartWindow({ fromMs, toMs: fromMs + length * MINUTE_MS }, nowMs);
        const steps = listSteps(window);
        assert.ok(steps.length <= MAX_SERIES_POINTS && steps.length >= Math.min(length, 24));
        assert.equal(
          steps.reduce((sum, step) => sum + step.toMs - step.fromMs, 0),
          window.toMs - window.fromMs,
        );
        steps.forEach((step, i) => {
          assert.ok(step.atMs % window.stepMs === 0 && (i === 0 || step.fromMs === steps[i - 1].toMs));
          assert.deepEqual(
            [step.fromMs, step.toMs - 1].map((ms) => findStepIndex(window, ms)),
            [i, i],
          );
        });
        assert.deepEqual([findStepIndex(window, window.fromMs - 1), findStepIndex(window, window.toMs)], [-1, -1]);
      }),
      { numRuns: 60 },
    );
  });

  it('is a single step for charts of whole ranges, which begins where telemetry is retained', () => {
    const window = createChartWindow({ fromMs: 90_000, toMs: 61 * 60_000 }, 60 * 60_000 + 30_000);
    assert.equal(divideWindow(window, 'bar'), window);
    const whole = divideWindow(window, 'top_list');
    assert.deepEqual(listSteps(whole), [{ atMs: 60_000, fromMs: 60_000, toMs: 60 * 60_000 + 30_000 }]);
    assert.deepEqual(
      [59_999, 60_000, 61 * 60_000 - 1, 61 * 60_000].map((ms) => findStepIndex(whole, ms)),
      [-1, 0, 0, -1],
    );
    assert.deepEqual(divideWindow(whole, 'top_list'), whole);
    assert.equal(divideWindow(window, 'value', 30 * 60_000 + 1).fromMs, 31 * 60_000);
    assert.deepEqual(listSteps(divideWindow(window, 'value', Infinity)), []);
  });

  it('of a single step is read by the hour if it is longer than a day', () => {
    const read = (hours: number): boolean =>
      usesHourlyRollups(divideWindow({ fromMs: 0, toMs: hours * 3_600_000, stepMs: 60_000, nowMs: 1e12 }, 'table'));
    assert.deepEqual([1, 24, 25].map(read), [false, false, true]);
  });
});
