import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { EndedSessions } from '../../../src/auth/portal/ended-sessions.js';
import { createSignOutRecorder } from '../../../src/commands/portal-sessions/sign-out-recorder.js';
import { SignOutPoller } from '../../../src/runtime/sign-out-poller.js';
import { DamagedEvent } from '../../../src/streams/damaged-event.js';
import { START, type EventReader } from '../../../src/streams/event-store.js';
import type { PortalSessionEnded } from '../../../src/streams/events/portal-session-events.js';
import type { Upcast } from '../../../src/streams/events/event-registry.js';
import { PORTAL_SESSIONS_STREAM } from '../../../src/streams/stream-names.js';
import { MemoryEventStore } from '../../../src/streams/adapters/memory/memory-event-store.js';
import { until } from '../../support/service.js';
import { elapsedMs, lateOfThree } from '../../support/undisturbed.js';

const WEEK = 7 * 24 * 3_600_000;

describe('who has signed out, heard from the log', () => {
  let log: MemoryEventStore;
  let stopping: AbortController;
  let lines: string[];
  /** The clock of the log. */
  let nowMs: number;
  /** Instead of a reading of the log, or before it. */
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
  async function heard(isShared: boolean): Promise<EndedSessions> {
    const ended = opened();
    const line = (level: string) => (text: string, fields?: object) =>
      void lines.push(`${level}: ${text} ${JSON.stringify(fields, ['count', 'recorded'])}`);
    const logger = { info: line('info'), warn: line('warn'), error: line('error') };
    await new SignOutPoller({ log: reader, ended, isShared, changed: () => (changes += 1), logger }).start(
      stopping.signal,
    );
    return ended;
  }

  it('is known at the start, of more than is read at once', async () => {
    for (let n = 0; n < 1_001; n++) await signOut(`s${n}`);
    const ended = await heard(false);
    assert.deepEqual(
      [ended.has(session('s0')), ended.has(session('s1000')), ended.has(session('other'))],
      [true, true, false],
    );
  });

  it('is known also where the log begins later', async () => {
    await signOut('gone');
    nowMs += 1_000;
    await signOut('lately');
    await log.truncate(PORTAL_SESSIONS_STREAM, nowMs);
    const ended = await heard(true);
    assert.deepEqual([ended.has(session('gone')), ended.has(session('lately'))], [false, true]);
  });

  it('is known of other processes within a second, where these write the same log', async () => {
    const ended = await heard(true);
    const late = await lateOfThree(1_000, async () => {
      const id = randomUUID();
      assert.equal(ended.has(session(id)), false);
      await signOut(id);
      return elapsedMs(() => until(() => ended.has(session(id)), 'it is heard'));
    });
    assert.ok(late.length <= 1, late.join());
  });

  it('is told to whoever keeps streams open, once for a look', async () => {
    for (const id of ['a', 'b']) await signOut(id);
    await heard(true);
    assert.equal(changes, 1);
    await signOut('c');
    await until(() => changes === 2, 'it is told');
    const before = reads;
    await until(() => reads > before + 1, 'another look');
    assert.equal(changes, 2);
  });

  it('is not known while the log cannot be read, which is told once, and is once it can', async () => {
    let asked = 0;
    await signOut('a');
    fault = () => (asked++ < 2 ? new Error('away') : undefined);
    const ended = await heard(false);
    assert.throws(() => ended.has(session('a')), { code: 'unavailable' });
    await until(() => isKnown(ended), 'it is heard in the end');
    assert.equal(ended.has(session('a')), true);
    assert.equal(lines.length, 1);
    assert.match(lines[0], /^error: .* nobody gets into the portal/);
  });

  it('is begun to be heard again where the log hangs', async () => {
    await signOut('a');
    fault = () => {
      fault = undefined;
      return new Promise(() => undefined);
    };
    const ended = await heard(false);
    await until(() => isKnown(ended), 'it is heard in the end', 5_000);
    assert.equal(lines.length, 1);
  });

  it('lets those that are damaged not stand before the others, and tells them in one line', async () => {
    for (const id of ['a', 'b', 'c', 'd']) await signOut(id);
    damaged = new Set(['b', 'c']);
    const ended = await heard(false);
    assert.deepEqual(
      ['a', 'b', 'c', 'd'].map((id) => ended.has(session(id))),
      [true, false, false, true],
    );
    assert.deepEqual(lines, [
      'error: sign-outs in the log are damaged: copies of the cookies of those sessions may count again {"count":2}',
    ]);
  });

  it('is not known while a damaged one says that it stands where it cannot: nothing behind it is passed by', async () => {
    for (const id of ['a', 'b', 'c']) await signOut(id);
    damaged = new Set(['b']);
    const misplaced = (error: unknown): never => {
      if (!(error instanceof DamagedEvent)) throw error;
      throw new DamagedEvent(error.position, error.message, { revision: 16_584 });
    };
    const { readStream } = reader;
    reader.readStream = (...range) => readStream(...range).catch(misplaced);
    try {
      const ended = await heard(false);
      assert.throws(() => ended.has(session('c')), { code: 'unavailable' });
      assert.match(lines[0], /^error: .* nobody gets into the portal/);
    } finally {
      reader.readStream = readStream;
    }
  });

  it('is found past damage in a log that begins later, in a few reads', async () => {
    for (let n = 0; n < 500; n++) await signOut(`old${n}`);
    nowMs += 1_000;
    for (const id of ['a', 'b']) await signOut(id);
    await log.truncate(PORTAL_SESSIONS_STREAM, nowMs);
    damaged.add('a');
    const ended = await heard(false);
    assert.deepEqual(
      ['a', 'b'].map((id) => ended.has(session(id))),
      [false, true],
    );
    assert.deepEqual([lines.length, reads], [1, 3]);
  });

  it('is not known where a damaged one has no place to go on from', async () => {
    fault = () => new DamagedEvent(START, 'on purpose');
    const ended = await heard(false);
    assert.throws(() => ended.has(session('a')), { code: 'unavailable' });
    assert.match(lines[0], /^error: .* nobody gets into the portal/);
  });

  it('is written as soon as the log takes it, also where nobody else writes it', async () => {
    const ended = await heard(false);
    let isAway = true;
    const { append } = log;
    log.append = (...request) => (isAway ? Promise.reject(new Error('disk full')) : append.apply(log, request));
    assert.equal(await ended.end(session('a')), false);
    isAway = false;
    await until(() => lines.length === 2, 'it is told');
    assert.deepEqual(lines, [
      'Error: disk full',
      'info: sign-outs that could not be written to the log are there now {"recorded":1}',
    ]);
    assert.equal((await heard(false)).has(session('a')), true);
  });

  function isKnown(ended: EndedSessions): boolean {
    try {
      return ended.has(session('a'));
    } catch {
      return false;
    }
  }
});
