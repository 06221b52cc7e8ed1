import assert from 'node:assert/strict';
import { createAxisTimeFormatter, formatRowTime } from '../../../../portal/src/format/time-format.js';

const HOUR = 3_600_000;
const NOON = new Date(2026, 1, 10, 12, 0, 0).getTime();

describe('time format', () => {
  it('includes the date on axes of several days', () => {
    const [hour, week] = [createAxisTimeFormatter(HOUR), createAxisTimeFormatter(168 * HOUR)];
    assert.equal(hour(NOON), hour(NOON - 24 * HOUR), 'an axis of an hour needs no day');
    assert.notEqual(week(NOON), week(NOON - 24 * HOUR));
    assert.notEqual(createAxisTimeFormatter(24 * HOUR)(NOON), createAxisTimeFormatter(24 * HOUR)(NOON - 24 * HOUR));
  });

  it('includes the date in rows unless it is today', () => {
    const now = NOON + HOUR;
    assert.notEqual(formatRowTime(NOON, now), formatRowTime(NOON - 24 * HOUR, now));
    assert.match(formatRowTime(NOON - 24 * HOUR, now), /9/);
    assert.doesNotMatch(formatRowTime(NOON, now), /10/);
  });
});
