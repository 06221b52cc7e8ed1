import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isRejection } from '../../../../src/commands/decider.js';
import {
  sessionsDecider,
  type SessionCommand,
  type SessionsState,
} from '../../../../src/commands/assistant/session-decider.js';
import type { SessionEvent } from '../../../../src/streams/events/assistant-events.js';
import { specify } from '../given.js';

const IDLE = 30 * 60_000;
const T0 = Date.UTC(2026, 10, 20, 9, 30);
const gridId = 'grid';

const { given } = specify(sessionsDecider);
const start = (at: number, maxSessions = 2): SessionCommand => ({
  type: 'StartSession',
  gridId,
  instanceId: 'new',
  userId: 'alice',
  at,
  maxSessions,
});
const use = (instanceId: string, at: number, userId = 'alice'): SessionCommand => ({
  type: 'UseSession',
  gridId,
  instanceId,
  userId,
  at,
});
const end = (instanceId: string, at: number, userId = 'alice'): SessionCommand => ({
  type: 'EndSession',
  gridId,
  instanceId,
  userId,
  at,
});
const expire = (at: number): SessionCommand => ({ type: 'ExpireSessions', gridId, at });
const started = (instanceId: string, at: number, userId = 'alice'): SessionEvent => ({
  type: 'SessionStarted.v1',
  data: { gridId, instanceId, userId, at },
});
const used = (instanceId: string, at: number): SessionEvent => ({
  type: 'SessionUsed.v1',
  data: { gridId, instanceId, at },
});
const ended = (instanceId: string, reason: 'ended' | 'expired', at: number): SessionEvent => ({
  type: 'SessionEnded.v1',
  data: { gridId, instanceId, reason, at },
});

describe('sessions', () => {
  it('hold no place while a clock that was set back catches up, unless they are used', () => {
    const day = 24 * 60 * 60_000;
    given(started('a', T0 + 30 * day), started('b', T0 + 30 * day))
      .when(start(T0))
      .then(ended('a', 'expired', T0), ended('b', 'expired', T0), started('new', T0));
    given(started('a', T0 + 30 * day))
      .when(use('a', T0))
      .then(used('a', T0));
    given(started('a', T0 + 30 * day), used('a', T0), started('b', T0 + 30 * day))
      .when(start(T0))
      .then(ended('b', 'expired', T0), started('new', T0));
  });

  it('start up to the limit, whoever has them', () => {
    given().when(start(T0)).then(started('new', T0));
    given(started('a', T0, 'bob'))
      .when(start(T0))
      .then(started('new', T0));
    given(started('a', T0), started('b', T0, 'bob'))
      .when(start(T0))
      .thenRejected('session-limit-reached');
    given().when(start(T0, 0)).thenRejected('session-limit-reached');
  });

  it('make room when they end and when they expire, which is written down then', () => {
    given(started('a', T0), started('b', T0), ended('a', 'ended', T0))
      .when(start(T0))
      .then(started('new', T0));
    given(started('a', T0), started('b', T0 + 1))
      .when(start(T0 + IDLE - 1))
      .thenRejected('session-limit-reached');
    given(started('a', T0), started('b', T0 + 1))
      .when(start(T0 + IDLE))
      .then(ended('a', 'expired', T0 + IDLE), started('new', T0 + IDLE));
  });

  it('stay while they are used', () => {
    given(started('a', T0))
      .when(use('a', T0 + IDLE - 1))
      .then(used('a', T0 + IDLE - 1));
    given(started('a', T0), used('a', T0 + IDLE - 1))
      .when(use('a', T0 + 2 * IDLE - 2))
      .then(used('a', T0 + 2 * IDLE - 2));
    given(started('a', T0)).when(use('a', T0)).then();
    given(started('a', T0), used('a', T0 + 9))
      .when(use('a', T0 + 5))
      .then();
  });

  it('are not found where they are unknown, over, or of somebody else', () => {
    for (const touch of [use, end]) {
      given().when(touch('a', T0)).thenRejected('session-not-found');
      given(started('a', T0), ended('a', 'ended', T0))
        .when(touch('a', T0))
        .thenRejected('session-not-found');
      given(started('a', T0))
        .when(touch('a', T0 + IDLE))
        .thenRejected('session-not-found');
      given(started('a', T0))
        .when(touch('a', T0, 'bob'))
        .thenRejected('session-not-found');
    }
  });

  it('end at once', () => {
    given(started('a', T0))
      .when(end('a', T0 + 1))
      .then(ended('a', 'ended', T0 + 1));
  });

  it('expire all at a time, each once', () => {
    const three = [started('a', T0), started('b', T0), started('c', T0), used('b', T0 + 1)];
    given(...three)
      .when(expire(T0 + IDLE - 1))
      .then();
    given(...three)
      .when(expire(T0 + IDLE))
      .then(ended('a', 'expired', T0 + IDLE), ended('c', 'expired', T0 + IDLE));
    given(...three, ended('a', 'expired', T0 + IDLE), ended('c', 'expired', T0 + IDLE))
      .when(expire(T0 + IDLE))
      .then();
  });

  it('are never more than the limit, however they start, are used, end and expire, and leave nothing behind', () => {
    const steps = fc.record({
      later: fc.constantFrom(0, 1, IDLE / 3, IDLE - 1, IDLE),
      what: fc.constantFrom('start', 'start', 'use', 'end', 'expire'),
      back: fc.nat(6),
      max: fc.integer({ min: 0, max: 4 }),
    });
    fc.assert(
      fc.property(fc.array(steps, { maxLength: 60 }), (course) => {
        let state: SessionsState = sessionsDecider.initialState;
        const lastUsed = new Map<string, number>();
        let now = T0;
        const isActive = (id: string): boolean => (lastUsed.get(id) ?? -Infinity) + IDLE > now;
        for (const [index, { later, what, back, max }] of course.entries()) {
          now += later;
          const id = what === 'start' ? `${index}` : `${index - back}`;
          const active = [...lastUsed.keys()].filter(isActive).length;
          const isFine = what === 'start' ? active < max : what === 'expire' || isActive(id);
          const commands = {
            start: { ...start(now, max), instanceId: id } as SessionCommand,
            use: use(id, now),
            end: end(id, now),
            expire: expire(now),
          };
          const decision = sessionsDecider.decide(commands[what], state);
          assert.equal(!isRejection(decision), isFine);
          if (isRejection(decision)) continue;
          state = sessionsDecider.evolveAll?.(state, decision) ?? state;
          if (what === 'start' || what === 'use') lastUsed.set(id, now);
          if (what === 'end') lastUsed.delete(id);
          if (what === 'start' || what === 'expire')
            assert.deepEqual([...state.keys()].sort(), [...lastUsed.keys()].filter(isActive).sort());
        }
      }),
    );
  });
});
