import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { VirtualTimeScheduler } from 'rxjs';
import { createSignOutRecorder } from '../../../src/commands/portal-sessions/sign-out-recorder.js';
import { SILENT_LOGGER } from '../../../src/self-telemetry/logger.js';
import { SignOutCleanup, type SignOutCleanupParts } from '../../../src/policies/sign-out-cleanup.js';
import { MemoryEventStore } from '../../../src/streams/adapters/memory/memory-event-store.js';
import { PORTAL_SESSIONS_STREAM } from '../../../src/streams/stream-names.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;

describe('sign-out cleanup', () => {
  let time: VirtualTimeScheduler;
  let log: MemoryEventStore;
  let complaints: string[];

  beforeEach(() => {
    [time, complaints] = [new VirtualTimeScheduler(), []];
    log = new MemoryEventStore({ clock: () => time.frame });
  });

  async function pass(untilMs: number): Promise<void> {
    while (time.frame < untilMs) {
      time.maxFrames = Math.min(untilMs, time.frame + HOUR);
      time.schedule(() => undefined, time.maxFrames - time.frame);
      time.flush();
      await new Promise(setImmediate);
    }
  }
  const signOut = (sessionId: string): Promise<void> =>
    createSignOutRecorder({ log, newId: randomUUID })({
      sessionId,
      until: time.frame + WEEK,
      tokenHash: '',
      tokenUntil: 0,
      at: time.frame,
    });
  const kept = async (): Promise<string[]> =>
    (await log.readStream(PORTAL_SESSIONS_STREAM)).map(({ data }) => (data as { sessionId: string }).sessionId);
  function policy(changes: Partial<SignOutCleanupParts> = {}): SignOutCleanup {
    return new SignOutCleanup({
      log,
      sessionMs: WEEK,
      isResponsible: () => true,
      logger: { ...SILENT_LOGGER, error: (line) => void complaints.push(line) },
      scheduler: time,
      ...changes,
    });
  }

  it('deletes sign-outs when no cookie can remain, and not an hour before', async () => {
    const cleanup = policy();
    await signOut('old');
    await pass(2 * HOUR);
    await signOut('newer');
    cleanup.start();
    await pass(WEEK + DAY);
    assert.deepEqual(await kept(), ['old', 'newer']);
    await pass(WEEK + DAY + 2 * HOUR);
    assert.deepEqual(await kept(), ['newer']);
    await cleanup.stop();
  });

  it('does not truncate a log without sign-outs, which could scan all of it', async () => {
    const asked: string[] = [];
    policy({
      log: {
        readStream: (...range) => log.readStream(...range),
        truncate: async (prefix) => (asked.push(prefix), { events: 0, bytes: 0 }),
      },
    }).start();
    await pass(2 * HOUR);
    assert.deepEqual(asked, []);
  });

  it('deletes sign-outs although one of them is damaged', async () => {
    let isDamaged = false;
    log = new MemoryEventStore({
      clock: () => time.frame,
      upcast: (type, data) => {
        if (isDamaged && (data as { sessionId: string }).sessionId === 'old') throw new Error('on purpose');
        return { type, data };
      },
    });
    await signOut('old');
    await pass(2 * WEEK);
    await signOut('newer');
    isDamaged = true;
    policy().start();
    await pass(2 * WEEK + 2 * HOUR);
    assert.deepEqual([await kept(), complaints], [['newer'], []]);
  });

  it('runs only in the responsible process', async () => {
    await signOut('old');
    await pass(2 * WEEK);
    await signOut('newer');
    policy({ isResponsible: () => false }).start();
    await pass(2 * WEEK + 2 * HOUR);
    assert.deepEqual(await kept(), ['old', 'newer']);
  });

  it('logs a failure and retries', async () => {
    let failures = 1;
    await signOut('old');
    await pass(2 * WEEK);
    await signOut('newer');
    const truncate = async (prefix: string, before: number) =>
      failures-- > 0 ? Promise.reject(new Error('away')) : log.truncate(prefix, before);
    policy({ log: { readStream: (...range) => log.readStream(...range), truncate } }).start();
    await pass(2 * WEEK + 2 * HOUR);
    assert.deepEqual([await kept(), complaints.length], [['newer'], 1]);
  });
});
