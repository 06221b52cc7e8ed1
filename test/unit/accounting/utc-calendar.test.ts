import assert from 'node:assert/strict';
import fc from 'fast-check';
import { listDays, startOfNextDay, startOfNextMonth, utcDay, utcMonth } from '../../../src/accounting/utc-calendar.js';

const at = (text: string): number => Date.parse(text);

describe('calendar of UTC', () => {
  it('names days and months', () => {
    assert.deepEqual(
      [utcDay(at('2026-02-28T23:59:59.999Z')), utcDay(at('2026-03-01T00:00:00Z'))],
      ['2026-02-28', '2026-03-01'],
    );
    assert.deepEqual(
      [utcMonth(at('2026-12-31T23:59:59.999Z')), utcMonth(at('2027-01-01T00:00:00Z'))],
      ['2026-12', '2027-01'],
    );
  });

  it('reports when the next day begins', () => {
    assert.equal(startOfNextDay(at('2026-11-20T23:59:59.999Z')), at('2026-11-21T00:00:00Z'));
    assert.equal(startOfNextDay(at('2026-11-20T00:00:00Z')), at('2026-11-21T00:00:00Z'));
  });

  it('reports when the next month begins', () => {
    assert.equal(startOfNextMonth(at('2026-12-31T23:59:59.999Z')), at('2027-01-01T00:00:00Z'));
    assert.equal(startOfNextMonth(at('2028-02-01T00:00:00Z')), at('2028-03-01T00:00:00Z'));
  });

  it('lists every day of a range, both ends included', () => {
    assert.deepEqual(listDays(at('2026-02-27T23:59:59.999Z'), at('2026-03-02T00:00:00Z')), [
      '2026-02-27',
      '2026-02-28',
      '2026-03-01',
      '2026-03-02',
    ]);
    assert.deepEqual(listDays(at('2026-02-27T12:00:00Z'), at('2026-02-27T12:00:00Z')), ['2026-02-27']);
    assert.deepEqual(listDays(at('2026-02-27T12:00:00Z'), at('2026-02-27T11:00:00Z')), []);
  });

  it('agrees with itself', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: at('2100-01-01T00:00:00Z') }), (ms) => {
        assert.deepEqual(listDays(ms, startOfNextDay(ms)), [utcDay(ms), utcDay(startOfNextDay(ms))]);
        assert.notEqual(utcDay(startOfNextDay(ms) - 1), utcDay(startOfNextDay(ms)));
        assert.deepEqual(
          [utcMonth(startOfNextMonth(ms) - 1), utcDay(startOfNextMonth(ms)).slice(8)],
          [utcMonth(ms), '01'],
        );
      }),
    );
  });
});
