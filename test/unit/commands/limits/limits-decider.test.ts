import assert from 'node:assert/strict';
import { INITIAL_LIMITS, type GridLimits } from '../../../../src/accounting/usage-limits.js';
import { limitsDecider, type LimitsEvent, type UpdateLimits } from '../../../../src/commands/limits/limits-decider.js';
import { specify } from '../given.js';

const gridId = 'grid';
const by = { actor: 'owner', at: 42, gridId };

const { given } = specify(limitsDecider);
const created: LimitsEvent = { type: 'GridCreated.v1', data: { actor: 'owner', at: 1, gridId, name: 'shop' } };
const update = (changes: unknown): UpdateLimits => ({
  type: 'UpdateLimits',
  ...by,
  changes: changes as Partial<GridLimits>,
});
const updated = (changes: Partial<GridLimits>): LimitsEvent => ({ type: 'LimitsUpdated.v1', data: { ...by, changes } });

describe('limits', () => {
  it('change one by one or together', () => {
    given(created)
      .when(update({ dailyPromptLimit: 5 }))
      .then(updated({ dailyPromptLimit: 5 }));
    const all = { dailyPromptLimit: 0, monthlySpeechMinutes: 1_000_000, maxConcurrentSessions: 3 };
    given(created).when(update(all)).then(updated(all));
  });

  it('can be set to their current value', () => {
    given(created)
      .when(update({ dailyPromptLimit: INITIAL_LIMITS.dailyPromptLimit }))
      .then(updated({ dailyPromptLimit: INITIAL_LIMITS.dailyPromptLimit }));
  });

  it('must be whole numbers from 0 to a million; all errors are reported', () => {
    for (const wrong of [-1, 1_000_001, 1.5, NaN, '5', null, true, [], {}]) {
      given(created)
        .when(update({ dailyPromptLimit: wrong, monthlySpeechMinutes: 5, maxConcurrentSessions: wrong }))
        .thenRejected('invalid-request', 'dailyPromptLimit', 'maxConcurrentSessions');
    }
  });

  it('require at least one limit', () => {
    for (const none of [{}, { dailyPromptLimit: undefined }, { other: 5 }]) {
      given(created)
        .when(update(none))
        .thenRejected('invalid-request', 'dailyPromptLimit', 'monthlySpeechMinutes', 'maxConcurrentSessions');
    }
  });

  it('keep other members out of the log', () => {
    given(created)
      .when(update({ dailyPromptLimit: 5, monthlySpeechMinutes: undefined, name: 'x' }))
      .then(updated({ dailyPromptLimit: 5 }));
  });

  it('require a Grid', () => {
    given()
      .when(update({ dailyPromptLimit: 5 }))
      .thenRejected('not-found');
  });

  it('have defaults, and keep limits that are not given', () => {
    const state = [created, updated({ dailyPromptLimit: 5 }), updated({ maxConcurrentSessions: 0 })].reduce(
      limitsDecider.evolve,
      limitsDecider.initialState,
    );
    assert.deepEqual(state, { dailyPromptLimit: 5, monthlySpeechMinutes: 60, maxConcurrentSessions: 0 });
    assert.equal(limitsDecider.evolve(undefined, created), INITIAL_LIMITS);
  });
});
