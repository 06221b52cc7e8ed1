import assert from 'node:assert/strict';
import { computeRefreshTime } from '../../../../portal/src/session/token-refresh.js';

const HOUR_MS = 3_600_000;
const NOW = Date.parse('2026-03-14T12:00:00.000Z');

describe('token refresh time', () => {
  const leftAt = (clock: number, lifeMs: number): number =>
    computeRefreshTime(new Date(NOW + lifeMs).toISOString(), new Date(NOW).toUTCString(), clock) - clock;

  it('is a minute before expiry, even if the local clock is wrong', () => {
    for (const clock of [NOW, NOW - 5 * HOUR_MS, NOW + 5 * HOUR_MS])
      assert.equal(leftAt(clock, HOUR_MS), HOUR_MS - 60_000);
  });

  it('is after half of the remaining time of short-lived tokens, and immediately for expired ones', () => {
    assert.equal(leftAt(NOW, 60_000), 30_000);
    assert.ok(leftAt(NOW, -1_000) < 0);
  });

  it('uses the local clock without a Date header', () => {
    for (const date of [null, 'no date'])
      assert.equal(computeRefreshTime(new Date(NOW + HOUR_MS).toISOString(), date, NOW), NOW + HOUR_MS - 60_000);
  });
});
