import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { EndedSessions } from '../../src/auth/portal/ended-sessions.js';
import { createRecordSignOut } from '../../src/commands/portal-sign-outs.js';
import { HeardSignOuts } from '../../src/service/heard-sign-outs.js';
import { DamagedEvent } from '../../src/streams/damaged-event.js';
import { START, type EventReader } from '../../src/streams/event-store.js';
import { PORTAL_SESSIONS_STREAM } from '../../src/streams/stream-names.js';
import { MemoryEventStore } from '../../src/streams/adapters/memory/memory-event-store.js';
import { until } from '../support/service.js';

const WEEK = 7 * 24 * 3_600_000;

describe('who has signed out, heard from the log', () => {
  let log: MemoryEventStore;
  let stopping: AbortController;
  let lines: string[];
  /** The clock of the log. */
  let nowMs: number;
  /** Instead of a reading of the log. */
  let fault: ((from: number, limit: number) => Error | undefined) | undefined;

  beforeEach(() => {
    nowMs = Date.now();
    [log, stopping, lines, fault] = [new MemoryEventStore({ clock: () => nowMs }), new AbortController(), [], undefined];
  });
  afterEach(() => stopping.abort());

  const session = (id: string) => ({ id, endsAt: Date.now() + WEEK, accessToken: `token of ${id}`, accessEndsAt: Date.now() + 60_000 });
  const opened = (): EndedSessions => new EndedSessions({ record: createRecordSignOut({ log, newId: randomUUID }), onUnrecorded: (error) => assert.fail(String(error)), now: Date.now });
  const signOut = (id: string): Promise<boolean> => opened().end(session(id));
  const reader: Pick<EventReader, 'readStream'> = {
    readStream: async (stream, from = 0, limit = Infinity) => {
      const error = fault?.(from, limit);
      if (error !== undefined) throw error;
      return log.readStream(stream, from, limit);
    },
  };
  async function heard(isShared: boolean): Promise<EndedSessions> {
    const ended = opened();
    const logger = { warn: (line: string) => void lines.push(line), error: (line: string) => void lines.push(line) };
    await new HeardSignOuts({ log: reader, ended, isShared, logger }).start(stopping.signal);
    return ended;
  }

  it('is known at the start, of more than is read at once', async () => {
    for (let n = 0; n < 1_001; n++) await signOut(`s${n}`);
    const ended = await heard(false);
    assert.deepEqual([ended.has(session('s0')), ended.has(session('s1000')), ended.has(session('other'))], [true, true, false]);
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
    const delays: number[] = [];
    for (const id of ['a', 'b', 'c']) {
      assert.equal(ended.has(session(id)), false);
      await signOut(id);
      const from = performance.now();
      await until(() => ended.has(session(id)), 'it is heard');
      delays.push(performance.now() - from);
    }
    // The machine may stand still for one of them, but hardly for all.
    assert.ok(Math.min(...delays) < 1_000, delays.join(', '));
  });

  it('is not known while the log cannot be read, which is told once, and is once it can', async () => {
    let asked = 0;
    await signOut('a');
    fault = () => (asked++ < 2 ? new Error('away') : undefined);
    const ended = await heard(false);
    assert.throws(() => ended.has(session('a')), { code: 'unavailable' });
    await until(() => isKnown(ended), 'it is heard in the end');
    assert.equal(ended.has(session('a')), true);
    assert.deepEqual(lines, ['who has signed out cannot be heard from the log, which will be tried again']);
  });

  it('lets one that is damaged not stand before the others', async () => {
    for (const id of ['a', 'b', 'c']) await signOut(id);
    fault = (from, limit) => (from <= 1 && 1 < from + limit ? new DamagedEvent(START, 'on purpose') : undefined);
    const ended = await heard(false);
    assert.deepEqual(['a', 'b', 'c'].map((id) => ended.has(session(id))), [true, false, true]);
    assert.equal(lines.length, 1);
  });

  function isKnown(ended: EndedSessions): boolean {
    try {
      return ended.has(session('a'));
    } catch {
      return false;
    }
  }
});
