import assert from 'node:assert/strict';
import {
  CLEAR_STATE,
  RESOLVE_AFTER_MS,
  advanceAlertState,
  type AlertState,
  type AlertTransition,
} from '../../../../src/diagnostics/alerting/alert-lifecycle.js';
import type { Severity } from '../../../../src/diagnostics/diagnostic-results.js';

const BAD = { breached: true, severity: 'warning' } as const;
const GOOD = { breached: false, severity: 'warning' } as const;
const WORST = { breached: true, severity: 'critical' } as const;

/** Steps a minute apart. */
function course(
  ...seen: ({ readonly breached: boolean; readonly severity: Severity } | undefined)[]
): AlertTransition['change'][] {
  let state: AlertState = CLEAR_STATE;
  return seen.map((evaluation, i) => {
    const taken = advanceAlertState(state, evaluation, i * 60_000);
    state = taken.state;
    return taken.change;
  });
}

describe('state of an alert', () => {
  it('stays clear as long as nothing is bad', () =>
    assert.deepEqual(course(GOOD, undefined, GOOD), [undefined, undefined, undefined]));
  it('fires once', () => assert.deepEqual(course(BAD, BAD, BAD), ['fired', undefined, undefined]));
  it('ends when it was clear for two minutes', () =>
    assert.deepEqual(course(BAD, GOOD, GOOD, GOOD), ['fired', undefined, undefined, 'resolved']));
  it('takes silence for clear', () =>
    assert.deepEqual(course(BAD, undefined, undefined, undefined), ['fired', undefined, undefined, 'resolved']));
  it('restarts the two minutes after a breach', () => {
    assert.deepEqual(course(BAD, GOOD, GOOD, BAD, GOOD, GOOD, GOOD), [
      'fired',
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
      'resolved',
    ]);
  });
  it('fires again after its end', () => assert.deepEqual(course(BAD, GOOD, GOOD, GOOD, BAD).at(-1), 'fired'));
  it('grows worse, and better only by ending', () => {
    assert.deepEqual(course(BAD, WORST, BAD, WORST), ['fired', 'escalated', undefined, undefined]);
  });
  it('ends no millisecond early', () => {
    const clear = advanceAlertState({ status: 'firing', severity: 'info' }, GOOD, 1_000).state;
    assert.equal(advanceAlertState(clear, GOOD, 1_000 + RESOLVE_AFTER_MS - 1).change, undefined);
    assert.equal(advanceAlertState(clear, GOOD, 1_000 + RESOLVE_AFTER_MS).change, 'resolved');
  });
  it('ends two minutes after the clock was set back', () => {
    const clear = advanceAlertState({ status: 'firing', severity: 'info' }, GOOD, 10 * RESOLVE_AFTER_MS).state;
    const back = advanceAlertState(clear, GOOD, 1_000).state;
    assert.equal(advanceAlertState(back, GOOD, 1_000 + RESOLVE_AFTER_MS).change, 'resolved');
  });
});
