import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  RecentPointTimes,
  TimeListInterner,
  decodeTimes,
} from '../../../../../src/projections/telemetry/rollups/metric-series-state.js';

const MINUTE_US = 60_000_000;
const NOON = Date.UTC(2026, 5, 20, 12) * 1000;

describe('recent point times', () => {
  const moment = fc.integer({ min: 0, max: 60 }).map((half) => NOON + (half * MINUTE_US) / 2);

  it('know every time of the 15 minutes before the newest, in any order', () => {
    fc.assert(
      fc.property(fc.array(moment, { maxLength: 80 }), (moments) => {
        const times = new RecentPointTimes();
        const seen: number[] = [];
        for (const timeUs of moments) {
          const isRecent = timeUs > Math.max(0, ...seen) - 15 * MINUTE_US;
          assert.equal(times.add(timeUs, 1_024), !isRecent || !seen.includes(timeUs));
          seen.push(timeUs);
        }
      }),
    );
  });

  it('are the same when stored in between', () => {
    fc.assert(
      fc.property(fc.array(moment, { minLength: 1, maxLength: 40 }), (moments) => {
        const times = new RecentPointTimes();
        for (const timeUs of moments) times.add(timeUs, 1_024);
        const lists = new TimeListInterner();
        const index = lists.intern(times.times);
        assert.deepEqual(decodeTimes(lists.encode()[index]), times.times);
      }),
    );
  });

  it('are limited to the newest', () => {
    const times = new RecentPointTimes();
    for (let i = 0; i < 100; i++) assert.ok(times.add(NOON + i, 16));
    assert.deepEqual(
      times.times,
      Array.from({ length: 16 }, (_, i) => NOON + 84 + i),
    );
    assert.equal(times.newestUs, NOON + 99);
  });

  it('are stored once if several series have the same', () => {
    const lists = new TimeListInterner();
    assert.deepEqual(
      [[1, 2], [1, 2], [1, 3], [1, 2], [1]].map((times) => lists.intern(times)),
      [0, 0, 1, 0, 2],
    );
    assert.deepEqual(lists.encode(), [[2, 1], [3, 2], [1]]);
  });
});
