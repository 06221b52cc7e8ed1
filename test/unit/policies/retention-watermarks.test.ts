import assert from 'node:assert/strict';
import { computeExpiryWatermark, computeTruncationWatermark } from '../../../src/policies/retention-watermarks.js';
import type { TelemetryAge } from '../../../src/queries/telemetry/telemetry-age-queries.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = Date.UTC(2026, 5, 20, 12, 34, 56);
const WEEK_AGO = Date.UTC(2026, 5, 13, 12);

function age(overrides: Partial<TelemetryAge>): TelemetryAge {
  return { gridId: 'g', retentionDays: null, expiredBefore: 0, refusedBefore: 0, ...overrides };
}

describe('expiry of telemetry', () => {
  it('falls on the whole hour that lies the retention back', () => {
    assert.equal(computeExpiryWatermark(age({ oldestMs: WEEK_AGO - 1 }), 7, NOW), WEEK_AGO);
  });

  it('waits until something is older', () => {
    assert.equal(computeExpiryWatermark(age({ oldestMs: WEEK_AGO }), 7, NOW), undefined);
    assert.equal(computeExpiryWatermark(age({}), 7, NOW), undefined);
  });

  it('does not repeat the watermark of the same hour, and moves on with the next', () => {
    const marked = age({ oldestMs: WEEK_AGO - 1, expiredBefore: WEEK_AGO });
    assert.equal(computeExpiryWatermark(marked, 7, NOW), undefined);
    assert.equal(computeExpiryWatermark(marked, 7, NOW + HOUR), WEEK_AGO + HOUR);
  });

  it('never moves a watermark back when the retention is made longer', () => {
    assert.equal(
      computeExpiryWatermark(age({ oldestMs: 0, retentionDays: 30, expiredBefore: WEEK_AGO }), 7, NOW),
      undefined,
    );
  });

  it("takes the Grid's own days before the default, and 0 for ever", () => {
    assert.equal(computeExpiryWatermark(age({ oldestMs: 0, retentionDays: 1 }), 7, NOW), WEEK_AGO + 6 * DAY);
    assert.equal(computeExpiryWatermark(age({ oldestMs: 0, retentionDays: 0 }), 7, NOW), undefined);
    assert.equal(computeExpiryWatermark(age({ oldestMs: 0 }), 0, NOW), undefined);
  });
});

describe('truncation of the log', () => {
  it('follows a day after the read models', () => {
    assert.equal(computeTruncationWatermark(age({ oldestMs: WEEK_AGO }), 7, NOW, []), WEEK_AGO - DAY);
  });

  it('also cuts what left nothing in the read models', () => {
    assert.equal(computeTruncationWatermark(age({}), 7, NOW, []), WEEK_AGO - DAY);
  });

  it('waits while read models still hold records of events that would go', () => {
    assert.equal(computeTruncationWatermark(age({ oldestMs: WEEK_AGO - DAY + HOUR - 1 }), 7, NOW, []), undefined);
    assert.equal(computeTruncationWatermark(age({ oldestMs: WEEK_AGO - DAY + HOUR }), 7, NOW, []), WEEK_AGO - DAY);
  });

  it('waits a day after a watermark, so that it can be taken back', () => {
    const lowered = age({ retentionDays: 1 });
    const before = NOW - DAY;
    const former = { before: WEEK_AGO, at: NOW - 2 * DAY };
    assert.equal(computeTruncationWatermark(lowered, 7, NOW, [{ before, at: NOW - DAY + 1 }]), undefined);
    assert.equal(computeTruncationWatermark(lowered, 7, NOW, [former, { before, at: NOW - DAY + 1 }]), WEEK_AGO);
    assert.equal(
      computeTruncationWatermark(lowered, 7, NOW, [former, { before, at: NOW - DAY }]),
      WEEK_AGO + 5 * DAY,
      'a day old',
    );
  });

  it('does not truncate earlier because of a watermark in the future', () => {
    const watermarks = [{ before: NOW + 23 * DAY, at: NOW + 30 * DAY }];
    assert.equal(computeTruncationWatermark(age({}), 7, NOW, watermarks), undefined);
  });

  it('never cuts a Grid that is kept for ever', () => {
    assert.equal(computeTruncationWatermark(age({ retentionDays: 0 }), 7, NOW, []), undefined);
  });
});
