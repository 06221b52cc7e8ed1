import assert from 'node:assert/strict';
import { speechDecider, type SpeechCommand } from '../../../../src/commands/assistant/speech-decider.js';
import type { SpeechEvent } from '../../../../src/streams/events/assistant-events.js';
import { specify } from '../given.js';

const MINUTE = 60_000;
const T0 = Date.UTC(2026, 10, 30, 12);
const DECEMBER = Date.UTC(2026, 11, 1);
const gridId = 'grid';

const { given } = specify(speechDecider);
const speak = (seconds: number, at: number, monthlySpeechMinutes = 1): SpeechCommand => ({
  type: 'ReserveSpeech',
  gridId,
  userId: 'alice',
  speechId: 'new',
  kind: 'synthesis',
  seconds,
  monthlySpeechMinutes,
  at,
});
const settle = (speechId: string, at: number): SpeechCommand => ({ type: 'SettleSpeech', gridId, speechId, at });
const refund = (speechId: string, at: number): SpeechCommand => ({ type: 'RefundSpeech', gridId, speechId, at });
const reserved = (speechId: string, seconds: number, at: number): SpeechEvent => ({
  type: 'SpeechReserved.v1',
  data: { gridId, userId: 'alice', speechId, kind: 'synthesis', seconds, at },
});
const settled = (speechId: string, seconds: number, reservedAt: number, at: number): SpeechEvent => ({
  type: 'SpeechSettled.v1',
  data: { gridId, userId: 'alice', speechId, kind: 'synthesis', seconds, reservedAt, at },
});
const refunded = (speechId: string, reservedAt: number, at: number): SpeechEvent => ({
  type: 'SpeechRefunded.v1',
  data: { gridId, speechId, reservedAt, at },
});

describe('speech', () => {
  it('is taken whole up to the last millisecond of the limit, or refused until the next month', () => {
    given(reserved('a', 59.5, T0))
      .when(speak(0.5, T0))
      .then(reserved('new', 0.5, T0));
    given(reserved('a', 59.5, T0))
      .when(speak(0.501, T0))
      .thenRejectedUntil(DECEMBER, 'speech-minutes-exceeded');
    given(reserved('a', 59.5, T0), settled('a', 59.5, T0, T0))
      .when(speak(0.501, DECEMBER - 1))
      .thenRejectedUntil(DECEMBER, 'speech-minutes-exceeded');
    given(reserved('a', 59.5, T0), settled('a', 59.5, T0, T0))
      .when(speak(60, DECEMBER))
      .then(reserved('new', 60, DECEMBER));
    given().when(speak(60.001, T0)).thenRejectedUntil(DECEMBER, 'speech-minutes-exceeded');
    given()
      .when(speak(0.001, T0, 0))
      .thenRejectedUntil(DECEMBER, 'speech-minutes-exceeded');
  });

  it('adds up tenths of seconds without a rest', () => {
    const tenths = Array.from({ length: 599 }, (_, n) => [
      reserved(`${n}`, 0.1, T0),
      settled(`${n}`, 0.1, T0, T0),
    ]).flat();
    given(...tenths)
      .when(speak(0.1, T0))
      .then(reserved('new', 0.1, T0));
    given(...tenths)
      .when(speak(0.101, T0))
      .thenRejectedUntil(DECEMBER, 'speech-minutes-exceeded');
  });

  it('is written in whole milliseconds', () => {
    given()
      .when(speak(1.23456, T0))
      .then(reserved('new', 1.235, T0));
  });

  it('has a length', () => {
    for (const seconds of [-1, NaN, Infinity])
      given().when(speak(seconds, T0)).thenRejected('invalid-request', 'seconds');
  });

  it('counts in the month of its reservation', () => {
    const over = [reserved('a', 60, DECEMBER - 1), settled('a', 60, DECEMBER - 1, DECEMBER)];
    given(...over)
      .when(speak(60, DECEMBER))
      .then(reserved('new', 60, DECEMBER));
  });

  it('comes back when it is refunded, and when it lapses', () => {
    given(reserved('a', 60, T0))
      .when(refund('a', T0 + 1))
      .then(refunded('a', T0, T0 + 1));
    given(reserved('a', 60, T0), refunded('a', T0, T0))
      .when(speak(60, T0))
      .then(reserved('new', 60, T0));
    given(reserved('a', 60, T0))
      .when(speak(60, T0 + 2 * MINUTE - 1))
      .thenRejectedUntil(DECEMBER, 'speech-minutes-exceeded');
    given(reserved('a', 60, T0))
      .when(speak(60, T0 + 2 * MINUTE))
      .then(reserved('new', 60, T0 + 2 * MINUTE));
  });

  it('counts when it is settled, however late, once', () => {
    const late = T0 + 9 * MINUTE;
    given(reserved('a', 60, T0))
      .when(settle('a', late))
      .then(settled('a', 60, T0, late));
    given(reserved('a', 60, T0), settled('a', 60, T0, late))
      .when(speak(1, late))
      .thenRejectedUntil(DECEMBER, 'speech-minutes-exceeded');
    given(reserved('a', 60, T0), settled('a', 60, T0, late))
      .when(settle('a', late))
      .then();
    given(reserved('a', 60, T0))
      .when(settle('a', T0 + 10 * MINUTE))
      .thenRejected('not-found');
  });

  it('is settled and refunded where it is reserved', () => {
    given().when(settle('a', T0)).thenRejected('not-found');
    given(reserved('a', 1, T0), refunded('a', T0, T0))
      .when(settle('a', T0))
      .thenRejected('not-found');
    given().when(refund('a', T0)).then();
    given(reserved('a', 1, T0), settled('a', 1, T0, T0))
      .when(refund('a', T0))
      .then();
    given(reserved('a', 1, T0))
      .when(refund('a', T0 + 2 * MINUTE))
      .then();
  });

  it('reports how much is left', () => {
    const state = [reserved('a', 58.25, T0)].reduce(speechDecider.evolve, speechDecider.initialState);
    const decision = speechDecider.decide(speak(2, T0), state);
    assert.ok('message' in decision);
    assert.equal(decision.message, 'The audio lasts 2 s; this Grid has 1.75 s left this month.');
  });
});
