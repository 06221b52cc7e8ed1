import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  resolveAnalysisWindows,
  HISTORY_WINDOW_LENGTHS,
  MINUTE_MS,
  durationSeconds,
  DEFAULT_WINDOW_LENGTHS,
  type TimeSelection,
} from '../../../src/diagnostics/time-windows.js';
import { HOUR_MS } from './given-rollups.js';

/** Twenty seconds into a minute. */
const CLOCK_MS = HOUR_MS + 20_000;
const DAY_MS = 1440 * MINUTE_MS;

const WHEN: fc.Arbitrary<TimeSelection> = fc.oneof(
  fc.constant({}),
  fc.integer({ min: HOUR_MS - DAY_MS, max: HOUR_MS + DAY_MS }).map((asOfMs) => ({ asOfMs })),
  fc
    .tuple(fc.integer({ min: HOUR_MS - DAY_MS, max: HOUR_MS + DAY_MS }), fc.integer({ min: 1, max: DAY_MS }))
    .map(([fromMs, length]) => ({ range: { fromMs, toMs: fromMs + length } })),
);

function minutesFrom(ms: number): number {
  return (ms - HOUR_MS) / MINUTE_MS;
}

describe('the windows of an answer', () => {
  it('are the last 15 minutes and the 60 before them: the start rounds down, the end up to the running minute', () => {
    const { nowMs, current, baseline } = resolveAnalysisWindows({}, CLOCK_MS, DEFAULT_WINDOW_LENGTHS);
    assert.equal(nowMs, CLOCK_MS);
    assert.deepEqual([current.fromMs, current.toMs].map(minutesFrom), [-15, 1]);
    assert.deepEqual([baseline.fromMs, baseline.toMs].map(minutesFrom), [-75, -15]);
  });

  it('are the last 60 minutes for timeline and changes', () => {
    assert.deepEqual(
      [resolveAnalysisWindows({}, CLOCK_MS, HISTORY_WINDOW_LENGTHS).current].map(({ fromMs, toMs }) => [
        minutesFrom(fromMs),
        minutesFrom(toMs),
      ]),
      [[-60, 1]],
    );
  });

  it('end, as of a moment before the running minute, with the minute that was over by then', () => {
    const { nowMs, current } = resolveAnalysisWindows({ asOfMs: HOUR_MS - 1 }, CLOCK_MS, DEFAULT_WINDOW_LENGTHS);
    assert.deepEqual([nowMs, current.fromMs, current.toMs].map(minutesFrom), [-1, -16, -1]);
  });

  it('hold the running minute as of a moment in it', () => {
    const { nowMs, current } = resolveAnalysisWindows({ asOfMs: HOUR_MS + 10_000 }, CLOCK_MS, DEFAULT_WINDOW_LENGTHS);
    assert.equal(nowMs, HOUR_MS + 10_000);
    assert.deepEqual([current.fromMs, current.toMs].map(minutesFrom), [-15, 1]);
  });

  it('take a moment that has not come yet for now', () => {
    assert.deepEqual(
      resolveAnalysisWindows({ asOfMs: CLOCK_MS + DAY_MS }, CLOCK_MS, DEFAULT_WINDOW_LENGTHS),
      resolveAnalysisWindows({}, CLOCK_MS, DEFAULT_WINDOW_LENGTHS),
    );
  });

  it('are the range in whole minutes, and the 60 minutes before it', () => {
    const { nowMs, current, baseline } = resolveAnalysisWindows(
      { range: { fromMs: HOUR_MS - 30.5 * MINUTE_MS, toMs: HOUR_MS - 10.5 * MINUTE_MS } },
      CLOCK_MS,
      DEFAULT_WINDOW_LENGTHS,
    );
    assert.deepEqual(
      [nowMs, current.fromMs, current.toMs, baseline.fromMs, baseline.toMs].map(minutesFrom),
      [-10, -31, -10, -91, -31],
    );
  });

  it('do not extend beyond the current minute, whatever the range', () => {
    const { nowMs, current } = resolveAnalysisWindows(
      { range: { fromMs: HOUR_MS - MINUTE_MS, toMs: HOUR_MS + DAY_MS } },
      CLOCK_MS,
      DEFAULT_WINDOW_LENGTHS,
    );
    assert.equal(nowMs, CLOCK_MS);
    assert.deepEqual([current.fromMs, current.toMs].map(minutesFrom), [-1, 1]);
  });

  it('are empty for a range that has not begun', () => {
    const { current } = resolveAnalysisWindows(
      { range: { fromMs: HOUR_MS + DAY_MS, toMs: HOUR_MS + 2 * DAY_MS } },
      CLOCK_MS,
      DEFAULT_WINDOW_LENGTHS,
    );
    assert.equal(current.fromMs, current.toMs);
  });

  it('always lie on whole minutes, in order, and no later than the clock', () => {
    fc.assert(
      fc.property(WHEN, fc.integer({ min: HOUR_MS, max: HOUR_MS + MINUTE_MS }), (when, clockMs) => {
        const { nowMs, current, baseline } = resolveAnalysisWindows(when, clockMs, DEFAULT_WINDOW_LENGTHS);
        const edges = [baseline.fromMs, baseline.toMs, current.fromMs, current.toMs];
        assert.ok(edges.every((ms) => ms % MINUTE_MS === 0));
        assert.ok(
          baseline.fromMs < baseline.toMs && baseline.toMs === current.fromMs && current.fromMs <= current.toMs,
        );
        assert.ok(nowMs <= clockMs && current.toMs < clockMs + MINUTE_MS + 1);
      }),
    );
  });

  it('know no future: as of a moment whose minute is over, nothing after it counts', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: HOUR_MS - DAY_MS, max: HOUR_MS - 1 }),
        (asOfMs) => resolveAnalysisWindows({ asOfMs }, CLOCK_MS, DEFAULT_WINDOW_LENGTHS).current.toMs <= asOfMs,
      ),
    );
  });
});

describe('the seconds of a window', () => {
  it('run from its rounded start to now, where now comes before its end', () => {
    const { nowMs, current, baseline } = resolveAnalysisWindows({}, CLOCK_MS, DEFAULT_WINDOW_LENGTHS);
    assert.equal(durationSeconds(current, nowMs), 15 * 60 + 20);
    assert.equal(durationSeconds(baseline, nowMs), 3600);
  });

  it('run to its rounded end in the past', () => {
    const { nowMs, current } = resolveAnalysisWindows(
      { range: { fromMs: HOUR_MS - 600_001, toMs: HOUR_MS - 1 } },
      CLOCK_MS,
      DEFAULT_WINDOW_LENGTHS,
    );
    assert.equal(durationSeconds(current, nowMs), 11 * 60);
  });

  it('are never none, so that a rate is a number', () => {
    assert.equal(durationSeconds({ fromMs: HOUR_MS, toMs: HOUR_MS }, HOUR_MS), 1);
  });
});
