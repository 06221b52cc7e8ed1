import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  NEW_SPEECH_ACCOUNT,
  refundSpeech,
  reserveSpeech,
  settleSpeech,
  toSpeechMinutes,
  usedSpeechMs,
  type SpeechAccount,
} from '../../../src/accounting/speech-account.js';

const MINUTE = 60_000;
const DAY = 86_400_000;
const T0 = Date.UTC(2026, 10, 30, 23, 50);
const reserved = (account: SpeechAccount, id: string, ms: number, at: number): SpeechAccount =>
  reserveSpeech(account, { id, userId: 'alice', kind: 'synthesis', ms }, at);

describe('speech account', () => {
  const open = reserved(NEW_SPEECH_ACCOUNT, 'a', 1500, T0);

  it('counts a reservation until it lapses after two minutes, and late settlements all the same', () => {
    assert.deepEqual(
      [0, 2 * MINUTE - 1, 2 * MINUTE].map((later) => usedSpeechMs(open, T0 + later)),
      [1500, 1500, 0],
    );
    assert.equal(usedSpeechMs(settleSpeech(open, 'a', T0 + 5 * MINUTE), T0 + 5 * MINUTE), 1500);
  });

  it('reports minutes to 4 decimals', () => {
    assert.deepEqual([0, 75.25, 95, 0.001, 3600].map(toSpeechMinutes), [0, 1.2542, 1.5833, 0, 60]);
  });

  it('counts in the UTC month of the reservation', () => {
    const account = settleSpeech(reserved(open, 'b', 700, T0 + 10 * MINUTE), 'b', T0 + 11 * MINUTE);
    assert.deepEqual(
      [usedSpeechMs(settleSpeech(open, 'a', T0 + 10 * MINUTE), T0), usedSpeechMs(account, T0 + 11 * MINUTE)],
      [1500, 700],
    );
  });

  it('keeps the newest month where the clocks of two processes disagree', () => {
    const [november, december] = [Date.UTC(2026, 11, 1) - 1, Date.UTC(2026, 11, 1)];
    const both = reserved(
      settleSpeech(reserved(NEW_SPEECH_ACCOUNT, 'a', 500, december), 'a', december),
      'b',
      700,
      november,
    );
    const later = refundSpeech(settleSpeech(both, 'b', november), 'none', december + DAY);
    assert.deepEqual(later, { recent: [], month: '2026-12', ms: 500 });
  });

  it('is after a refund as if nothing had been', () => {
    assert.deepEqual(refundSpeech(open, 'a', T0 + MINUTE), NEW_SPEECH_ACCOUNT);
  });

  it('equals a plain list of everything, and stays small', () => {
    const step = fc.record({
      later: fc.constantFrom(0, 1, MINUTE, 2 * MINUTE, 10 * MINUTE, DAY, 20 * DAY),
      ms: fc.integer({ min: 0, max: 90_000 }),
      then: fc.constantFrom('settle', 'refund', 'nothing'),
      back: fc.nat(3),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (course) => {
        const all: { id: string; ms: number; at: number; end?: string }[] = [];
        let account = NEW_SPEECH_ACCOUNT;
        let now = T0;
        for (const [index, { later, ms, then, back }] of course.entries()) {
          now += later;
          account = reserved(account, `${index}`, ms, now);
          all.push({ id: `${index}`, ms, at: now });
          const closed = all[Math.max(0, all.length - 1 - back)];
          const isKnown = now - closed.at < 10 * MINUTE && closed.end === undefined;
          if (then === 'settle') account = settleSpeech(account, closed.id, now);
          if (then === 'refund' && closed.end === undefined) account = refundSpeech(account, closed.id, now);
          if (then !== 'nothing' && isKnown) closed.end = then;
          const month = new Date(now).toISOString().slice(0, 7);
          const counted = all.filter(
            ({ at, end }) =>
              new Date(at).toISOString().startsWith(month) &&
              (end === 'settle' || (end === undefined && now - at < 2 * MINUTE)),
          );
          assert.equal(
            usedSpeechMs(account, now),
            counted.reduce((sum, each) => sum + each.ms, 0),
          );
          assert.ok(account.recent.every(({ reservedAt }) => now - reservedAt < 10 * MINUTE));
        }
      }),
    );
  });
});
