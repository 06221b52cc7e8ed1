import assert from 'node:assert/strict';
import { resolveChartTime } from '../../../../src/queries/charts/chart-data-reader.js';

const HOUR = 3_600_000;
/** 12:30:20. */
const NOW = Date.UTC(2026, 10, 20, 12, 30, 20);

describe('the time of a chart', () => {
  it('is the last hour', () => {
    assert.deepEqual(resolveChartTime({}, NOW), { range: { fromMs: NOW - HOUR, toMs: NOW }, nowMs: NOW });
  });

  it('begins and ends where it is said, and else an hour before the end, and now', () => {
    assert.deepEqual(resolveChartTime({ fromMs: 5, toMs: 9 }, NOW), { range: { fromMs: 5, toMs: 9 }, nowMs: NOW });
    assert.deepEqual(resolveChartTime({ fromMs: 5 }, NOW).range, { fromMs: 5, toMs: NOW });
    assert.deepEqual(resolveChartTime({ toMs: NOW - 7 }, NOW).range, { fromMs: NOW - 7 - HOUR, toMs: NOW - 7 });
  });

  it('is the hour before a moment, which rounds down before the running minute', () => {
    const twelve = Date.UTC(2026, 10, 20, 12);
    assert.deepEqual(resolveChartTime({ asOfMs: twelve + 59_999 }, NOW), {
      range: { fromMs: twelve - HOUR, toMs: twelve },
      nowMs: twelve,
    });
  });

  it('is the moment itself in the running minute', () => {
    assert.equal(resolveChartTime({ asOfMs: NOW - 1 }, NOW).nowMs, NOW - 1);
  });

  it('is never after now', () => {
    assert.equal(resolveChartTime({ asOfMs: NOW + 5_000 }, NOW).nowMs, NOW);
  });
});
