import assert from 'node:assert/strict';
import { createDayFormat, findMonth, isTimeZone } from '../../../../src/queries/slos/report-month.js';

const range = (month: string, zone: string): readonly string[] => {
  const { fromMs, toMs } = findMonth(month, zone);
  return [fromMs, toMs].map((ms) => new Date(ms).toISOString());
};

describe('month of a report', () => {
  it('is the calendar month of the zone, also when its clocks change', () => {
    assert.deepEqual(range('2026-12', 'UTC'), ['2026-12-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z']);
    assert.deepEqual(range('2026-10', 'Europe/Berlin'), ['2026-09-30T22:00:00.000Z', '2026-10-31T23:00:00.000Z']);
    assert.deepEqual(range('2026-02', 'Asia/Kolkata'), ['2026-01-31T18:30:00.000Z', '2026-02-28T18:30:00.000Z']);
    assert.deepEqual(range('2026-03', 'America/New_York'), ['2026-03-01T05:00:00.000Z', '2026-04-01T04:00:00.000Z']);
  });

  it('has the days of the zone', () => {
    const format = createDayFormat('Europe/Berlin');
    assert.equal(format(Date.parse('2026-10-31T22:59:59Z')), '2026-10-31');
    assert.equal(format(Date.parse('2026-10-31T23:00:00Z')), '2026-11-01');
  });

  it('knows zones by name', () => {
    assert.deepEqual(['UTC', 'Europe/Berlin', '', 'Nowhere/Land'].map(isTimeZone), [true, true, false, false]);
  });
});
