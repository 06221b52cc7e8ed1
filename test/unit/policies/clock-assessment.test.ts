import assert from 'node:assert/strict';
import { describeJudgement, assessClock } from '../../../src/policies/retention-clock.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const T = Date.UTC(2026, 5, 20, 12);
const observed = (...times: number[]) => times.map((at) => ({ at, clock: at }));
const judge = (times: readonly number[], now: number, elapsed = 0) =>
  assessClock(observed(...times), elapsed, now, false);

describe('assessment of the clock', () => {
  it('believes the first clock', () => {
    assert.deepEqual(judge([], T), { kind: 'agrees', trusted: T, expected: T });
  });

  it('believes a clock within a day of the expected time, and uses it', () => {
    for (const now of [T - DAY, T, T + DAY])
      assert.deepEqual(judge([T], now), { kind: 'agrees', trusted: now, expected: T });
  });

  it('does not trust a clock that is further ahead: time continues from the newest observation', () => {
    assert.deepEqual(judge([T], T + DAY + 1), { kind: 'ahead', trusted: T, expected: T });
    assert.deepEqual(judge([T - HOUR, T], T + 30 * DAY, 5 * HOUR), {
      kind: 'ahead',
      trusted: T + 5 * HOUR,
      expected: T + 5 * HOUR,
    });
  });

  it('counts the time that has passed: a clock that continues normally is never ahead', () => {
    assert.equal(judge([T], T + 100 * DAY, 100 * DAY).kind, 'agrees');
  });

  it('uses a clock that is behind, which expires less, and believes it again once it is back', () => {
    assert.deepEqual(judge([T], T - 30 * DAY), { kind: 'behind', trusted: T - 30 * DAY, expected: T });
    assert.equal(judge([T, T - 30 * DAY], T + HOUR).kind, 'agrees');
  });

  it('expects the earlier time once all observations say so', () => {
    assert.deepEqual(judge([T - 30 * DAY], T), { kind: 'ahead', trusted: T - 30 * DAY, expected: T - 30 * DAY });
  });

  it('does not return to the very first observation: a new machine may start before NTP', () => {
    const observations = observed(T + 30 * DAY, T);
    assert.deepEqual(assessClock(observations, 0, T, true), { kind: 'behind', trusted: T, expected: T + 30 * DAY });
    assert.equal(assessClock(observations, 0, T + 30 * DAY, true).kind, 'ahead');
    assert.equal(assessClock(observations, 0, T + 30 * DAY, false).kind, 'agrees');
  });

  it('believes what an operator confirmed, in both directions', () => {
    for (const confirmed of [T - 30 * DAY, T + 30 * DAY]) {
      const observations = [...observed(T), { at: confirmed, clock: confirmed, confirmedBy: 'operator' }];
      assert.equal(assessClock(observations, 0, confirmed, false).kind, 'agrees');
      assert.equal(assessClock(observations, 0, confirmed + 2 * DAY, false).kind, 'ahead');
    }
  });

  it('is reported to an operator with what to do', () => {
    assert.equal(describeJudgement(judge([T], T), T), undefined);
    const ahead = describeJudgement(judge([T], T + 30 * DAY), T + 30 * DAY)!;
    assert.match(ahead, /2026-07-20T12:00:00\.000Z, 30\.0 days ahead of/);
    assert.match(ahead, /on hold at 2026-06-20T12:00:00\.000Z/);
    assert.match(ahead, /hindsight retention confirm-clock/);
    assert.match(describeJudgement(judge([T], T - 30 * DAY), T - 30 * DAY)!, /30\.0 days behind/);
  });
});
