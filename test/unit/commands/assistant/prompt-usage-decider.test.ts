import { usageDecider, type UsageCommand } from '../../../../src/commands/assistant/prompt-usage-decider.js';
import type { UsageEvent } from '../../../../src/streams/events/assistant-events.js';
import { specify } from '../given.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const T0 = Date.UTC(2026, 10, 20, 9, 30);
const MIDNIGHT = Date.UTC(2026, 10, 21);
const userId = 'alice';

const { given } = specify(usageDecider);
const ask = (at: number, dailyPromptLimit = 100, gridId = 'grid'): UsageCommand => ({
  type: 'ReservePrompt',
  userId,
  gridId,
  promptId: 'new',
  dailyPromptLimit,
  at,
});
const settle = (promptId: string, energy: number, at: number): UsageCommand => ({
  type: 'SettlePrompt',
  userId,
  promptId,
  energy,
  at,
});
const refund = (promptId: string, at: number): UsageCommand => ({ type: 'RefundPrompt', userId, promptId, at });
const reserved = (promptId: string, energy: number, at: number, gridId = 'grid'): UsageEvent => ({
  type: 'PromptReserved.v1',
  data: { userId, gridId, promptId, energy, at },
});
const settled = (promptId: string, energy: number, reservedAt: number, at: number, gridId = 'grid'): UsageEvent => ({
  type: 'PromptSettled.v1',
  data: { userId, gridId, promptId, energy, reservedAt, at },
});
const refunded = (promptId: string, reservedAt: number, at: number): UsageEvent => ({
  type: 'PromptRefunded.v1',
  data: { userId, gridId: 'grid', promptId, reservedAt, at },
});

/** So many prompts that cost so much, all at one moment. */
const spending = (times: number, energy: number, at = T0, gridId = 'grid'): UsageEvent[] =>
  Array.from({ length: times }, (_, n) => [
    reserved(`${gridId}${n}`, 10, at, gridId),
    settled(`${gridId}${n}`, energy, at, at, gridId),
  ]).flat();

describe('usage: a reservation', () => {
  it('takes the maximum cost of a reply, at most the remaining energy', () => {
    given()
      .when(ask(T0))
      .then(reserved('new', 10, T0));
    given(...spending(9, 10), ...spending(1, 3))
      .when(ask(T0))
      .then(reserved('new', 7, T0));
  });

  it('is rejected if the assistant is disabled', () => {
    given().when(ask(T0, 0)).thenRejected('assistant-disabled');
  });

  it('is rejected until the next day if the daily prompts are used up', () => {
    given(...spending(3, 1))
      .when(ask(T0, 3))
      .thenRejectedUntil(MIDNIGHT, 'daily-prompt-limit');
    given(...spending(3, 1))
      .when(ask(MIDNIGHT - 1, 3))
      .thenRejectedUntil(MIDNIGHT, 'daily-prompt-limit');
    given(...spending(3, 1))
      .when(ask(MIDNIGHT, 3))
      .then(reserved('new', 10, MIDNIGHT));
    given(...spending(3, 1))
      .when(ask(T0, 4))
      .then(reserved('new', 10, T0));
  });

  it('counts prompts of its own Grid, open ones too', () => {
    given(...spending(3, 1, T0, 'other'))
      .when(ask(T0, 1))
      .then(reserved('new', 10, T0));
    given(reserved('a', 10, T0))
      .when(ask(T0, 1))
      .thenRejectedUntil(MIDNIGHT, 'daily-prompt-limit');
  });

  it('counts a prompt on the day of its reservation', () => {
    given(reserved('a', 10, MIDNIGHT - 1), settled('a', 1, MIDNIGHT - 1, MIDNIGHT))
      .when(ask(MIDNIGHT, 1))
      .then(reserved('new', 10, MIDNIGHT));
  });

  it('is refused until the next regeneration without energy, in every Grid', () => {
    given(...spending(10, 10))
      .when(ask(T0 + MINUTE, 100, 'other'))
      .thenRejectedUntil(T0 + HOUR, 'energy-exhausted');
    given(...spending(10, 10))
      .when(ask(T0 + HOUR))
      .then(reserved('new', 10, T0 + HOUR));
  });

  it('restores energy and prompt of an expired reservation', () => {
    const all = Array.from({ length: 10 }, (_, n) => reserved(`${n}`, 10, T0));
    given(...all)
      .when(ask(T0 + 2 * MINUTE - 1))
      .thenRejectedUntil(T0 + HOUR, 'energy-exhausted');
    given(...all)
      .when(ask(T0 + 2 * MINUTE, 1))
      .then(reserved('new', 10, T0 + 2 * MINUTE));
  });
});

describe('usage: a settlement', () => {
  it('takes what the reply cost', () => {
    given(reserved('a', 10, T0))
      .when(settle('a', 4, T0 + 1))
      .then(settled('a', 4, T0, T0 + 1));
    given(reserved('a', 10, T0))
      .when(settle('a', 10, T0 + 1))
      .then(settled('a', 10, T0, T0 + 1));
  });

  it('is no more than was reserved, and whole', () => {
    for (const energy of [11, -1, 1.5, NaN])
      given(reserved('a', 10, T0))
        .when(settle('a', energy, T0))
        .thenRejected('invalid-request', 'energy');
  });

  it('changes nothing a second time', () => {
    given(reserved('a', 10, T0), settled('a', 4, T0, T0))
      .when(settle('a', 9, T0 + 9 * MINUTE))
      .then();
  });

  it('needs a reservation, not long ago', () => {
    given()
      .when(settle('a', 4, T0))
      .thenRejected('not-found');
    given(reserved('a', 10, T0), refunded('a', T0, T0))
      .when(settle('a', 4, T0))
      .thenRejected('not-found');
    given(reserved('a', 10, T0))
      .when(settle('a', 4, T0 + 10 * MINUTE))
      .thenRejected('not-found');
    given(reserved('a', 10, T0))
      .when(settle('a', 4, T0 + 10 * MINUTE - 1))
      .then(settled('a', 4, T0, T0 + 10 * MINUTE - 1));
  });

  it('counts after the reservation expired, up to the remaining energy', () => {
    const late = T0 + 5 * MINUTE;
    given(reserved('a', 10, T0))
      .when(settle('a', 4, late))
      .then(settled('a', 4, T0, late));
    const spent = [
      reserved('a', 10, T0),
      ...spending(9, 10, late),
      reserved('b', 10, late),
      settled('b', 7, late, late),
    ];
    given(...spent)
      .when(settle('a', 4, late))
      .then(settled('a', 3, T0, late));
    given(...spent, settled('a', 3, T0, late))
      .when(ask(late))
      .thenRejectedUntil(late + HOUR, 'energy-exhausted');
  });
});

describe('usage: a refund', () => {
  it('returns prompt and energy', () => {
    given(reserved('a', 10, T0))
      .when(refund('a', T0 + 1))
      .then(refunded('a', T0, T0 + 1));
    given(reserved('a', 10, T0), refunded('a', T0, T0 + 1))
      .when(ask(T0 + 2, 1))
      .then(reserved('new', 10, T0 + 2));
  });

  it('changes nothing without a reservation', () => {
    given().when(refund('a', T0)).then();
    given(reserved('a', 10, T0), refunded('a', T0, T0))
      .when(refund('a', T0))
      .then();
    given(reserved('a', 10, T0), settled('a', 4, T0, T0))
      .when(refund('a', T0))
      .then();
    given(reserved('a', 10, T0))
      .when(refund('a', T0 + 2 * MINUTE))
      .then();
  });
});
