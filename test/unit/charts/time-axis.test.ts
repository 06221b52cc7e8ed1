import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ChartWindow } from '../../../src/diagnostics/chart-series/chart-series.js';
import { formatTimeRange, formatStep, buildTimeAxis } from '../../../src/charts/time-axis.js';
import { DAY, HOUR, MINUTE, TWO_O_CLOCK } from '../../support/chart-scenes.js';

const frame = (toMs: number, lengthMs: number, stepMs = MINUTE): ChartWindow => ({
  fromMs: toMs - lengthMs,
  toMs,
  stepMs,
  nowMs: toMs,
});
const labels = (of: ChartWindow, count: number): string[] => buildTimeAxis(of, count).ticks.map(({ label }) => label);

describe('time axis', () => {
  it('has ticks where the clock is round, in UTC', () => {
    assert.deepEqual(labels(frame(TWO_O_CLOCK, HOUR), 6), [
      '13:00',
      '13:10',
      '13:20',
      '13:30',
      '13:40',
      '13:50',
      '14:00',
    ]);
    assert.deepEqual(labels(frame(TWO_O_CLOCK + 7 * MINUTE, HOUR), 4), ['13:15', '13:30', '13:45', '14:00']);
  });

  it('reports a midnight by its date', () => {
    assert.deepEqual(labels(frame(Date.UTC(2027, 0, 1, 1, 30), 3 * HOUR), 6), [
      '22:30',
      '23:00',
      '23:30',
      'Jan 1',
      '00:30',
      '01:00',
      '01:30',
    ]);
    assert.deepEqual(labels(frame(TWO_O_CLOCK, 2 * DAY, 10 * MINUTE), 5), ['Nov 19', '12:00', 'Nov 20', '12:00']);
  });

  it('continues evenly from month to month', () => {
    assert.deepEqual(labels(frame(Date.UTC(2026, 10, 4), 8 * DAY, HOUR), 5), ['Oct 28', 'Oct 30', 'Nov 1', 'Nov 3']);
  });

  it('has no more ticks than fit, none closer than the steps, all within the range', () => {
    const minutes = fc.integer({ min: 1, max: 31 * 1440 });
    fc.assert(
      fc.property(
        minutes,
        minutes,
        fc.integer({ min: 1, max: 16 }),
        fc.constantFrom(1, 3, 20, 120, 1440),
        (end, length, count, step) => {
          const of = frame(Date.UTC(2026, 0, 1) + end * MINUTE, length * MINUTE, step * MINUTE);
          const { ticks } = buildTimeAxis(of, count);
          assert.ok(ticks.length <= Math.max(count, 3) + 1, `${ticks.length} ticks`);
          assert.ok(ticks.every(({ value }) => value >= of.fromMs && value <= of.toMs && value % MINUTE === 0));
          assert.ok(ticks.every(({ value }, index) => index === 0 || value - ticks[index - 1].value >= of.stepMs));
        },
      ),
    );
  });

  it('reports the range once, with the zone', () => {
    assert.equal(formatTimeRange(frame(TWO_O_CLOCK, HOUR)), 'Nov 20, 13:00 – 14:00 UTC');
    assert.equal(formatTimeRange(frame(TWO_O_CLOCK, DAY)), 'Nov 19, 14:00 – Nov 20, 14:00 UTC');
    assert.equal(formatTimeRange(frame(Date.UTC(2026, 10, 20), 7 * DAY)), 'Nov 13 – Nov 19 UTC');
    assert.equal(formatTimeRange(frame(Date.UTC(2026, 10, 20), DAY)), 'Nov 19 UTC');
    assert.equal(
      formatTimeRange(frame(Date.UTC(2027, 0, 1, 1), 2 * HOUR)),
      'Dec 31, 2026, 23:00 – Jan 1, 2027, 01:00 UTC',
    );
  });

  it('reports the step in its largest whole unit', () => {
    assert.deepEqual(
      [1, 15, 60, 90, 120, 720, 1440].map((minutes) => formatStep(minutes * MINUTE)),
      ['1 min', '15 min', '1 h', '90 min', '2 h', '12 h', '1 d'],
    );
  });
});
