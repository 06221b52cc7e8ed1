import assert from 'node:assert/strict';
import { adjustToClock, hasFired } from '../../../../src/diagnostics/alerting/alert-clock.js';

const MINUTE = 60_000;
const DAY = 86_400_000;
const NOW = Date.UTC(2026, 5, 20, 12);

describe('alerts after the clock was set back', () => {
  it('that are open have fired, at no moment before, and keep the time of their event', () => {
    const [alert] = adjustToClock([{ firedAt: NOW + 30 * DAY }], NOW);
    assert.equal(alert.firedAt, NOW + 30 * DAY);
    assert.equal(hasFired(alert, NOW), true);
    assert.equal(hasFired(alert, NOW - 2 * MINUTE), false);
  });

  it('that were resolved while it was ahead have ended', () => {
    const [alert] = adjustToClock([{ firedAt: NOW - DAY, resolvedAt: NOW + 30 * DAY }], NOW);
    assert.deepEqual(alert, { firedAt: NOW - DAY, resolvedAt: NOW - MINUTE });
    const [brief] = adjustToClock([{ firedAt: NOW - 1, resolvedAt: NOW + DAY }], NOW);
    assert.deepEqual(brief, { firedAt: NOW - 1, resolvedAt: NOW - 1 });
  });

  it('that fired and were resolved meanwhile have not fired yet', () => {
    const [alert] = adjustToClock([{ firedAt: NOW + DAY, resolvedAt: NOW + 2 * DAY }], NOW);
    assert.equal(hasFired(alert, NOW), false);
  });

  it('are unchanged if nothing lies in the future', () => {
    const alerts = [{ firedAt: NOW - DAY }, { firedAt: NOW - DAY, resolvedAt: NOW - 1 }, { firedAt: NOW }];
    assert.deepEqual(adjustToClock(alerts, NOW), alerts);
    assert.deepEqual(adjustToClock([{ firedAt: NOW + DAY }], Infinity), [{ firedAt: NOW + DAY }]);
  });
});
