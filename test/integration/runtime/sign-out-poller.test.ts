import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { EndedSessions } from '../../../src/auth/portal/ended-sessions.js';
import { TokenMembers } from '../../../src/auth/token-members.js';
import { createTokenMembershipRecorder } from '../../../src/commands/portal-sessions/token-membership-recorder.js';
import { createSignOutRecorder } from '../../../src/commands/portal-sessions/sign-out-recorder.js';
import { SignOutPoller } from '../../../src/runtime/sign-out-poller.js';
import { DamagedEvent } from '../../../src/streams/damaged-event.js';
import { START, type EventReader } from '../../../src/streams/event-store.js';
import type { PortalSessionEnded } from '../../../src/streams/events/portal-session-events.js';
import type { Upcast } from '../../../src/streams/events/event-registry.js';
import { PORTAL_SESSIONS_STREAM } from '../../../src/streams/stream-names.js';
import { MemoryEventStore } from '../../../src/streams/adapters/memory/memory-event-store.js';
import { waitUntil } from '../../support/wait-until.js';
import { elapsedMs, lateOfThree } from '../../support/measurement.js';

const WEEK = 7 * 24 * 3_600_000;

describe('sign-out poller', () => {
  let log: MemoryEventStore;
  let stopping: AbortController;
  let lines: string[];
  /** Clock of the event log. */
  let nowMs: number;
  /** Runs before, or instead of, a read of the log. */
  let fault: (() => Error | Promise<unknown> | undefined) | undefined;
  /** Ids of sessions whose events are damaged. */
  let damaged: Set<string>;
  let reads: number;
  let changes: number;

  beforeEach(() => {
    nowMs = Date.now();
    [stopping, lines, fault, damaged, reads, changes] = [new AbortController(), [], undefined, new Set(), 0, 0];
    const upcast: Upcast = (type, data) => {
      if (damaged.has((data as PortalSessionEnded['data']).sessionId)) throw new Error('on purpose');
      return { type, data };
    };
    log = new MemoryEventStore({ clock: () => nowMs, upcast });
  });
  afterEach(() => stopping.abort());

  const session = (id: string) => ({
    id,
    endsAt: Date.now() + WEEK,
    accessToken: `token of ${id}`,
    accessEndsAt: Date.now() + 60_000,
  });
  const opened = (): EndedSessions =>
    new EndedSessions({
      record: createSignOutRecorder({ log, newId: randomUUID }),
      onUnrecorded: (error) => void lines.push(String(error)),
      onEnded: () => undefined,
      now: Date.now,
    });
  const signOut = (id: string): Promise<boolean> => opened().end(session(id));
  const reader: { readStream: EventReader['readStream'] } = {
    readStream: async (stream, from = 0, limit = Infinity) => {
      reads += 1;
      const instead = fault?.();
      if (instead instanceof Error) throw instead;
      await instead;
      return log.readStream(stream, from, limit);
    },
  };
  const openedMembers = (): TokenMembers =>
    new TokenMembers({ record: createTokenMembershipRecorder({ log, newId: randomUUID }), now: Date.now });
  const line = (level: string) => (text: string, fields?: object) =>
    void lines.push(`${level}: ${text} ${JSON.stringify(fields, ['count', 'recorded'])}`);
  const logger = { info: line('info'), warn: line('warn'), error: line('error') };

  async function notified(isShared: boolean): Promise<EndedSessions> {
    const [ended, tokenMembers] = [opened(), openedMembers()];
    await new SignOutPoller({
      log: reader,
      ended,
      tokenMembers,
      isShared,
      onSignOut: () => (changes += 1),
      logger,
      timeoutMs: 2_000,
    }).start(stopping.signal);
    return ended;
  }

  it('records memberships by token, and reads those of other processes', async () => {
    const start = async (): Promise<TokenMembers> => {
      const [ended, tokenMembers] = [opened(), openedMembers()];
      const poller = new SignOutPoller({
        log: reader,
        ended,
        tokenMembers,
        isShared: true,
        onSignOut: () => undefined,
        logger,
        timeoutMs: 2_000,
      });
      await poller.start(stopping.signal);
      return tokenMembers;
    };
    const [one, other] = [await start(), await start()];
    one.observe({ kind: 'user', id: 'ada', roles: new Map([['g1', 'Member']]) }, Date.now() + 60_000);
    await waitUntil(() => other.find('g1', 'ada')?.role === 'Member', 'the other process knows the member');
    assert.equal((await start()).find('g1', 'ada')?.role, 'Member');
  });

  it('reads more than one batch at the start', async () => {
    for (let n = 0; n < 1_001; n++) await signOut(`s${n}`);
    const ended = await notified(false);
    assert.deepEqual(
      [ended.has(session('s0')), ended.has(session('s1000')), ended.has(session('other'))],
      [true, true, false],
    );
  });

  it('reads a stream whose beginning was deleted', async () => {
    await signOut('gone');
    nowMs += 1_000;
    await signOut('lately');
    await log.truncate(PORTAL_SESSIONS_STREAM, nowMs);
    const ended = await notified(true);
    assert.deepEqual([ended.has(session('gone')), ended.has(session('lately'))], [false, true]);
  });

  it('reads sign-outs of other processes within a second on a shared log', async () => {
    const ended = await notified(true);
    const late = await lateOfThree(1_000, async () => {
      const id = randomUUID();
      assert.equal(ended.has(session(id)), false);
      await signOut(id);
      return elapsedMs(() => waitUntil(() => ended.has(session(id)), 'it is known'));
    });
    assert.ok(late.length <= 1, late.join());
  });

  it('notifies once per poll', async () => {
    for (const id of ['a', 'b']) await signOut(id);
    await notified(true);
    assert.equal(changes, 1);
    await signOut('c');
    await waitUntil(() => changes === 2, 'it is told');
    const before = reads;
    await waitUntil(() => reads > before + 1, 'another look');
    assert.equal(changes, 2);
  });

  it('refuses sessions while the log is unreadable, logs that once, and recovers', async () => {
    let asked = 0;
    await signOut('a');
    fault = () => (asked++ < 2 ? new Error('away') : undefined);
    const ended = await notified(false);
    assert.throws(() => ended.has(session('a')), { code: 'unavailable' });
    await waitUntil(() => isKnown(ended), 'it is known in the end');
    assert.equal(ended.has(session('a')), true);
    assert.equal(lines.length, 1);
    assert.match(lines[0], /^error: .* portal sessions are refused/);
  });

  it('retries when the log hangs', async () => {
    await signOut('a');
    fault = () => {
      fault = undefined;
      return new Promise(() => undefined);
    };
    const ended = await notified(false);
    await waitUntil(() => isKnown(ended), 'it is known in the end', 5_000);
    assert.equal(lines.length, 1);
  });

  it('skips damaged events and logs them in one line', async () => {
    for (const id of ['a', 'b', 'c', 'd']) await signOut(id);
    damaged = new Set(['b', 'c']);
    const ended = await notified(false);
    assert.deepEqual(
      ['a', 'b', 'c', 'd'].map((id) => ended.has(session(id))),
      [true, false, false, true],
    );
    assert.deepEqual(lines, [
      'error: Sign-out events in the log are damaged; copied cookies of those sessions may be accepted again {"count":2}',
    ]);
  });

  it('skips nothing when a damaged event has an impossible revision', async () => {
    for (const id of ['a', 'b', 'c']) await signOut(id);
    damaged = new Set(['b']);
    const misplaced = (error: unknown): never => {
      if (!(error instanceof DamagedEvent)) throw error;
      throw new DamagedEvent(error.position, error.message, { revision: 16_584 });
    };
    const { readStream } = reader;
    reader.readStream = (...range) => readStream(...range).catch(misplaced);
    try {
      const ended = await notified(false);
      assert.throws(() => ended.has(session('c')), { code: 'unavailable' });
      assert.match(lines[0], /^error: .* portal sessions are refused/);
    } finally {
      reader.readStream = readStream;
    }
  });

  it('skips damage in a stream whose beginning was deleted, in a few reads', async () => {
    for (let n = 0; n < 500; n++) await signOut(`old${n}`);
    nowMs += 1_000;
    for (const id of ['a', 'b']) await signOut(id);
    await log.truncate(PORTAL_SESSIONS_STREAM, nowMs);
    damaged.add('a');
    const ended = await notified(false);
    assert.deepEqual(
      ['a', 'b'].map((id) => ended.has(session(id))),
      [false, true],
    );
    assert.deepEqual([lines.length, reads], [1, 3]);
  });

  it('refuses sessions when a damaged event has no revision', async () => {
    fault = () => new DamagedEvent(START, 'on purpose');
    const ended = await notified(false);
    assert.throws(() => ended.has(session('a')), { code: 'unavailable' });
    assert.match(lines[0], /^error: .* portal sessions are refused/);
  });

  it('retries to append sign-outs, also on an unshared log', async () => {
    const ended = await notified(false);
    let isAway = true;
    const { append } = log;
    log.append = (...request) => (isAway ? Promise.reject(new Error('disk full')) : append.apply(log, request));
    assert.equal(await ended.end(session('a')), false);
    isAway = false;
    await waitUntil(() => lines.length === 2, 'it is told');
    assert.deepEqual(lines, ['Error: disk full', 'info: Appended sign-outs that had failed before {"recorded":1}']);
    assert.equal((await notified(false)).has(session('a')), true);
  });

  function isKnown(ended: EndedSessions): boolean {
    try {
      return ended.has(session('a'));
    } catch {
      return false;
    }
  }
});
