import assert from 'node:assert/strict';
import { findSloWindow } from '../../../../src/diagnostics/slos/slo-window.js';

const startOf = (now: string, windowDays: number, calendar: boolean): string =>
  new Date(findSloWindow({ windowDays, calendar }, Date.parse(now)).fromMs).toISOString();

describe('window of an objective', () => {
  it('starts at the whole hour that many days before, or with the week or month in UTC', () => {
    assert.equal(startOf('2026-11-28T10:26:31Z', 7, false), '2026-11-21T10:00:00.000Z');
    assert.equal(startOf('2026-11-28T10:00:00Z', 28, false), '2026-10-31T10:00:00.000Z');
    assert.equal(startOf('2026-11-28T10:26:31Z', 7, true), '2026-11-23T00:00:00.000Z');
    assert.equal(startOf('2026-11-23T00:00:00Z', 7, true), '2026-11-23T00:00:00.000Z');
    assert.equal(startOf('2026-11-29T23:59:59Z', 7, true), '2026-11-23T00:00:00.000Z');
    assert.equal(startOf('2026-11-28T10:26:31Z', 30, true), '2026-11-01T00:00:00.000Z');
    assert.equal(startOf('2026-12-01T00:00:00Z', 30, true), '2026-12-01T00:00:00.000Z');
  });
});
