import assert from 'node:assert/strict';
import { VirtualTimeScheduler } from 'rxjs';
import { createAssistantCommands } from '../../../src/commands/assistant/assistant-commands.js';
import { SILENT_LOGGER } from '../../../src/self-telemetry/logger.js';
import { SessionExpiryPolicy, type SessionExpiryParts } from '../../../src/policies/session-expiry-policy.js';
import { MemoryEventStore } from '../../../src/streams/adapters/memory/memory-event-store.js';
import { START } from '../../../src/streams/event-store.js';
import { sessionsStream } from '../../../src/streams/stream-names.js';

const MINUTE = 60_000;
const T0 = Date.UTC(2026, 10, 20, 9, 30);

/** What the policy asks and does, and what it complains about. */
class World {
  grids: readonly string[] = ['grid', 'other'];
  readonly asked: number[] = [];
  readonly expired: string[] = [];
  readonly complaints: string[] = [];
  readonly failing = new Set<string>();

  policy(changes: Partial<SessionExpiryParts> = {}): SessionExpiryPolicy {
    return new SessionExpiryPolicy({
      usage: {
        gridsWithExpiredSessions: async (nowMs) => {
          this.asked.push(nowMs);
          if (this.failing.has('query')) throw new Error('the reader is unavailable');
          return this.grids;
        },
      },
      commands: {
        expireSessions: async (gridId) => {
          if (this.failing.has(gridId)) throw new Error('the log is unavailable');
          this.expired.push(gridId);
          return { position: START };
        },
      },
      log: { ...SILENT_LOGGER, error: (message) => this.complaints.push(message) },
      ...changes,
    });
  }
}

/** Virtual time, in which promises settle. */
async function pass(time: VirtualTimeScheduler, untilMs: number): Promise<void> {
  while (time.frame < untilMs) {
    time.maxFrames = Math.min(untilMs, time.frame + 1000);
    time.schedule(() => undefined, time.maxFrames - time.frame);
    time.flush();
    await new Promise(setImmediate);
  }
}

describe('session expiry', () => {
  it('records the end of idle sessions', async () => {
    const store = new MemoryEventStore();
    const time = { now: T0 };
    let minted = 0;
    const commands = createAssistantCommands({ log: store, newId: () => `${(minted += 1)}`, now: () => time.now });
    await commands.startSession('alice', 'grid', 5);
    time.now += MINUTE;
    await commands.startSession('bob', 'grid', 5);
    time.now = T0 + 30 * MINUTE;
    const policy = new World().policy({ commands });
    for (let looks = 0; looks < 2; looks += 1) await policy.poll(time.now);
    const events = await store.readStream(sessionsStream('grid'));
    assert.deepEqual(
      events.slice(2).map(({ type, data }) => ({ type, data })),
      [{ type: 'SessionEnded.v1', data: { gridId: 'grid', instanceId: '1', reason: 'expired', at: time.now } }],
    );
    assert.deepEqual(await store.readStream(sessionsStream('other')), []);
  });

  it('polls at once and every minute until stopped', async () => {
    const world = new World();
    const time = new VirtualTimeScheduler();
    const policy = world.policy({ scheduler: time });
    policy.start();
    await pass(time, 1000);
    assert.deepEqual([world.asked, world.expired], [[0], ['grid', 'other']]);
    await pass(time, 3 * MINUTE);
    assert.deepEqual(world.asked, [0, MINUTE, 2 * MINUTE, 3 * MINUTE]);
    await policy.stop();
    await policy.stop();
    await pass(time, 6 * MINUTE);
    assert.equal(world.asked.length, 4);
  });

  it('logs a failure once, retries, and does not delay other Grids', async () => {
    const world = new World();
    const policy = world.policy();
    world.failing.add('grid');
    for (let looks = 0; looks < 2; looks += 1) await policy.poll(T0);
    assert.deepEqual([world.expired, world.complaints.length], [['other', 'other'], 1]);
    world.failing.clear();
    await policy.poll(T0);
    world.failing.add('query');
    for (let looks = 0; looks < 2; looks += 1) await policy.poll(T0);
    assert.deepEqual([world.expired, world.complaints.length], [['other', 'other', 'grid', 'other'], 2]);
  });

  it('stops without waiting for its queries', async () => {
    const policy = new World().policy({
      usage: { gridsWithExpiredSessions: () => new Promise(() => undefined) },
      scheduler: new VirtualTimeScheduler(),
    });
    const looking = policy.poll(T0);
    await policy.stop();
    await looking;
  });

  it('stops after its pending write, and starts nothing more', async () => {
    const world = new World();
    const time = new VirtualTimeScheduler();
    const written: string[] = [];
    let release: () => void = () => undefined;
    const expireSessions = async (gridId: string) => {
      await new Promise<void>((resolve) => (release = resolve));
      written.push(gridId);
      return { position: START };
    };
    const policy = world.policy({ scheduler: time, commands: { expireSessions } });
    policy.start();
    await pass(time, 1000);
    let isStopped = false;
    const stopping = policy.stop().then(() => (isStopped = true));
    await new Promise(setImmediate);
    assert.equal(isStopped, false);
    release();
    await stopping;
    assert.deepEqual([written, world.complaints], [['grid'], []]);
  });
});
