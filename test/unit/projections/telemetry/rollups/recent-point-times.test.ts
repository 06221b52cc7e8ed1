import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  isAfter,
  RecentPointTimes,
  TimeListInterner,
} from '../../../../../src/projections/telemetry/rollups/recent-point-times.js';

const MINUTE_US = 60_000_000;
const NOON = Date.UTC(2026, 5, 20, 12) * 1000;

describe('recent point times', () => {
  const moment = fc
    .tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 2 }), fc.integer({ min: 0, max: 2 }))
    .map(([half, micros, timeNs]) => ({ timeUs: NOON + (half * MINUTE_US) / 2 + micros, timeNs }));
  const key = ({ timeUs, timeNs }: { timeUs: number; timeNs: number }) => BigInt(timeUs) * 1000n + BigInt(timeNs);
  const WINDOW_NS = BigInt(15 * MINUTE_US) * 1000n;

  it('know every time of the 15 minutes before the newest, in any order', () => {
    fc.assert(
      fc.property(fc.array(moment, { maxLength: 80 }), (moments) => {
        const times = new RecentPointTimes();
        const seen: bigint[] = [];
        let newest = 0n;
        for (const time of moments) {
          const isRecent = key(time) > newest - WINDOW_NS;
          assert.equal(times.add(time, 1_024), !isRecent || !seen.includes(key(time)));
          seen.push(key(time));
          if (key(time) > newest) newest = key(time);
          assert.equal(key(times.newest), newest);
        }
      }),
    );
  });

  it('are the same when stored in between', () => {
    fc.assert(
      fc.property(fc.array(moment, { minLength: 1, maxLength: 40 }), (moments) => {
        const times = new RecentPointTimes();
        for (const time of moments) times.add(time, 1_024);
        const lists = new TimeListInterner();
        const index = lists.intern(times);
        const stored = JSON.parse(JSON.stringify(lists.encode()[index])) as number[];
        assert.ok(RecentPointTimes.decode(stored).isSame(times));
      }),
    );
  });

  it('are limited to the newest', () => {
    const times = new RecentPointTimes();
    for (let i = 0; i < 100; i++) assert.ok(times.add({ timeUs: NOON + i, timeNs: 0 }, 16));
    assert.equal(times.count, 16);
    assert.ok(!times.add({ timeUs: NOON + 84, timeNs: 0 }, 16));
    assert.deepEqual(times.newest, { timeUs: NOON + 99, timeNs: 0 });
  });

  it('distinguish nanoseconds, also after years', () => {
    const times = new RecentPointTimes();
    for (const year of [0, 1, 30])
      for (let i = 0; i < 3_000; i++) {
        const time = { timeUs: NOON + year * 365 * 1440 * MINUTE_US + Math.floor(i / 1000), timeNs: i % 1000 };
        assert.ok(times.add(time, 5_000));
        assert.ok(!times.add(time, 5_000));
      }
    assert.equal(times.count, 3_000, 'those of the years before are forgotten');
  });

  it('know points of the 15 minutes before one in a new period', () => {
    const period = 30 * 1440 * MINUTE_US;
    const boundary = Math.ceil(NOON / period) * period;
    const times = new RecentPointTimes();
    const before = { timeUs: boundary - 1, timeNs: 7 };
    assert.ok(times.add(before, 16));
    assert.ok(times.add({ timeUs: boundary, timeNs: 0 }, 16));
    assert.ok(!times.add(before, 16));
    assert.ok(RecentPointTimes.decode(times.encode()).isSame(times));
  });

  it('are ordered by microseconds, then nanoseconds', () => {
    assert.ok(isAfter({ timeUs: 2, timeNs: 0 }, { timeUs: 1, timeNs: 999 }));
    assert.ok(isAfter({ timeUs: 1, timeNs: 2 }, { timeUs: 1, timeNs: 1 }));
    assert.ok(!isAfter({ timeUs: 1, timeNs: 1 }, { timeUs: 1, timeNs: 1 }));
  });

  it('are stored once if several series have the same', () => {
    const lists = new TimeListInterner();
    const at = (...micros: number[]) => {
      const times = new RecentPointTimes();
      for (const timeUs of micros) times.add({ timeUs, timeNs: 5 }, 16);
      return times;
    };
    assert.deepEqual(
      [at(1, 2), at(1, 2), at(1, 3), at(1, 2), at(1)].map((times) => lists.intern(times)),
      [0, 0, 1, 0, 2],
    );
    assert.deepEqual(lists.encode(), [
      [2, 5, 1000],
      [3, 5, 2000],
      [1, 5],
    ]);
  });
});
