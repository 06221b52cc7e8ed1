import assert from 'node:assert/strict';
import {
  availableEnergy,
  NEW_PROMPT_ACCOUNT,
  countPrompts,
  refundPrompt,
  reservePrompt,
  settlePrompt,
  type PromptAccount,
} from '../../../src/accounting/prompt-account.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const T0 = Date.UTC(2026, 10, 20, 9, 30);
const reserved = (account: PromptAccount, id: string, energy: number, at: number, gridId = 'grid'): PromptAccount =>
  reservePrompt(account, { id, gridId, energy }, at);

describe('prompt account', () => {
  const open = reserved(NEW_PROMPT_ACCOUNT, 'a', 10, T0);

  it('counts a reservation until it lapses after two minutes', () => {
    assert.deepEqual(
      [0, 2 * MINUTE - 1, 2 * MINUTE].map((later) => [
        availableEnergy(open, T0 + later).energy,
        countPrompts(open, 'grid', T0 + later),
      ]),
      [
        [90, 1],
        [90, 1],
        [100, 0],
      ],
    );
  });

  it('takes what a reply cost, from the moment of its reservation', () => {
    const settled = settlePrompt(open, 'a', 4, T0 + MINUTE);
    assert.deepEqual(availableEnergy(settled, T0 + MINUTE), { energy: 96, sinceMs: T0 });
    assert.equal(availableEnergy(settled, T0 + HOUR).energy, 100);
    assert.equal(countPrompts(settled, 'grid', T0 + HOUR), 1);
  });

  it('takes it at the settlement where the reservation had lapsed', () => {
    const late = settlePrompt(open, 'a', 4, T0 + 2 * MINUTE);
    assert.deepEqual(availableEnergy(late, T0 + 2 * MINUTE), { energy: 96, sinceMs: T0 + 2 * MINUTE });
    assert.equal(countPrompts(late, 'grid', T0 + 2 * MINUTE), 1);
  });

  it('is after a refund as if nothing had been, also where the interval began with it', () => {
    const two = reserved(open, 'b', 10, T0 + MINUTE);
    assert.equal(availableEnergy(two, T0 + MINUTE).sinceMs, T0);
    assert.deepEqual(refundPrompt(two, 'a', T0 + MINUTE), reserved(NEW_PROMPT_ACCOUNT, 'b', 10, T0 + MINUTE));
  });

  it('counts prompts by Grid and by the UTC day of the reservation', () => {
    const midnight = Date.UTC(2026, 10, 21);
    const before = reserved(reserved(NEW_PROMPT_ACCOUNT, 'a', 1, midnight - 1), 'b', 1, midnight - 1, 'other');
    const account = reserved(settlePrompt(before, 'a', 1, midnight + 1), 'c', 1, midnight);
    const reported = (at: number) => ['grid', 'other', 'third'].map((gridId) => countPrompts(account, gridId, at));
    assert.deepEqual(
      [reported(midnight - 1), reported(midnight)],
      [
        [1, 1, 0],
        [1, 0, 0],
      ],
    );
  });

  it('adds up what is older than ten minutes, and forgets what lapsed', () => {
    const [first, second] = [settlePrompt(open, 'a', 4, T0), reserved(open, 'b', 10, T0)];
    const sum = reserved(first, 'c', 1, T0 + 10 * MINUTE);
    assert.deepEqual(
      [sum.recent.map(({ id }) => id), sum.level, sum.day, sum.prompts],
      [['c'], { energy: 96, sinceMs: T0 }, '2026-11-20', { grid: 1 }],
    );
    assert.equal(reserved(first, 'c', 1, T0 + 10 * MINUTE - 1).recent.length, 2);
    assert.deepEqual(
      reserved(second, 'c', 1, T0 + 10 * MINUTE),
      reserved(NEW_PROMPT_ACCOUNT, 'c', 1, T0 + 10 * MINUTE),
    );
  });

  it('keeps the sum of one day', () => {
    const days = [0, 1, 2].reduce(
      (account, day) =>
        settlePrompt(reserved(account, `${day}`, 1, T0 + day * 24 * HOUR), `${day}`, 1, T0 + day * 24 * HOUR),
      NEW_PROMPT_ACCOUNT,
    );
    const later = refundPrompt(days, 'none', T0 + 49 * HOUR);
    assert.deepEqual([later.recent, later.day, later.prompts], [[], '2026-11-22', { grid: 1 }]);
  });

  it('keeps the newest day where a prompt of the day before was settled late', () => {
    const midnight = Date.UTC(2026, 10, 21);
    const both = reserved(reserved(NEW_PROMPT_ACCOUNT, 'a', 1, midnight - MINUTE), 'b', 1, midnight + MINUTE);
    const late = settlePrompt(settlePrompt(both, 'b', 1, midnight + MINUTE), 'a', 1, midnight + 5 * MINUTE);
    const later = refundPrompt(late, 'none', midnight + HOUR);
    assert.deepEqual([later.recent, later.day, later.prompts], [[], '2026-11-21', { grid: 1 }]);
  });

  it('ignores unknown reservations', () => {
    assert.deepEqual(settlePrompt(open, 'none', 4, T0), open);
    assert.deepEqual(refundPrompt(open, 'none', T0), open);
  });
});
