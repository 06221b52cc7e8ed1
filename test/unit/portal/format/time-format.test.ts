import assert from 'node:assert/strict';
import {
  createAxisTimeFormatter,
  formatClockTime,
  formatRowTime,
  isToday,
  localizeTimes,
  parseDateTimeInput,
  toDateTimeInput,
} from '../../../../portal/src/format/time-format.js';
import { describeZone, setClock, subscribeToClock } from '../../../../portal/src/format/time-zone.js';

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

describe('the clock of all pages', () => {
  afterEach(() => setClock('local'));
  const EVENING = Date.UTC(2026, 1, 10, 23, 30, 5);

  it('is UTC when it is chosen, with 24 hours, also in inputs', () => {
    setClock('utc');
    assert.equal(formatClockTime(EVENING), '23:30:05');
    assert.equal(toDateTimeInput(EVENING), '2026-02-10T23:30:05');
    assert.equal(parseDateTimeInput('2026-02-10T23:30:05'), EVENING);
    assert.equal(describeZone(EVENING), 'UTC');
    assert.equal(isToday(EVENING, EVENING + 29 * 60_000), true);
    assert.equal(isToday(EVENING, EVENING + 31 * 60_000), false);
  });

  it('is that of the browser otherwise', () => {
    const local = new Date(EVENING);
    assert.match(formatClockTime(EVENING), new RegExp(`^0?${local.getHours()}:`));
    assert.equal(parseDateTimeInput(toDateTimeInput(EVENING)), EVENING);
    const shown = localizeTimes('p95 rose, since 23:30 UTC.', EVENING);
    assert.equal(shown.includes('UTC'), false);
    assert.match(shown, new RegExp(`since 0?${local.getHours()}:0?${local.getMinutes()}\\.$`));
  });

  it('leaves times of the service as they are in UTC', () => {
    setClock('utc');
    assert.equal(localizeTimes('since 23:30 UTC.', EVENING), 'since 23:30 UTC.');
  });

  it('reports who shows times when another is chosen', () => {
    let calls = 0;
    const end = subscribeToClock(() => calls++);
    setClock('utc');
    end();
    setClock('local');
    assert.equal(calls, 1);
  });
});
