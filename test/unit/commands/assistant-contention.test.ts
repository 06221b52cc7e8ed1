import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { createAssistantCommands, type AssistantCommands } from '../../../src/commands/assistant/assistant-commands.js';
import { MemoryEventStore } from '../../../src/streams/adapters/memory/memory-event-store.js';
import { openEventStore } from '../../../src/streams/adapters/sqlite/sqlite-event-store.js';
import type { EventStore } from '../../../src/streams/event-store.js';
import { InProcessFeed } from '../../../src/streams/live/in-process-feed.js';
import { Scene } from '../../integration/streams/adapters/eventstoredb/scene.js';
import { LogFolder } from '../streams/adapters/sqlite/log-folder.js';

const gridId = '5e5b0a44-3b3c-4f4b-8a55-0f2f6d2c9d10';
const MINUTE = 60_000;
const DAWN = Date.UTC(2026, 10, 20);
const ALL_AT_ONCE = 100;

interface OpenLog {
  /** As the next process sees it. */
  connect(): EventStore;
  close(): Promise<void>;
}

const LOGS: readonly (readonly [string, readonly number[], () => Promise<OpenLog>])[] = [
  [
    'memory',
    [1, 2, 4],
    async () => {
      const store = new MemoryEventStore();
      return { connect: () => store, close: async () => undefined };
    },
  ],
  [
    'SQLite',
    [1, 2],
    async () => {
      const folder = new LogFolder();
      const store = await openEventStore(folder.dir, new InProcessFeed());
      return { connect: () => store, close: () => store.close().then(() => folder.remove()) };
    },
  ],
  [
    'EventStoreDB',
    [4],
    async () => {
      const scene = await Scene.open();
      return { connect: () => scene.store(), close: () => scene.close() };
    },
  ],
];

for (const [name, sizes, open] of LOGS) {
  for (const processes of sizes) {
    describe(`assistant commands under contention: ${name}, ${processes === 1 ? 'one process' : `${processes} processes`}`, () => {
      const time = { now: DAWN };
      let log: OpenLog;
      let everybody: AssistantCommands[];
      let commands: AssistantCommands;

      beforeEach(async () => {
        log = await open();
        time.now = DAWN;
        everybody = Array.from({ length: processes }, () =>
          createAssistantCommands({ log: log.connect(), newId: randomUUID, now: () => time.now }),
        );
        commands = everybody[0];
      });
      afterEach(() => log.close());

      /** A hundred at once, by turns in every process: how many got through, and the codes of the others. */
      async function atOnce(
        work: (process: AssistantCommands) => Promise<unknown>,
      ): Promise<{ through: number; codes: unknown[] }> {
        const outcomes = await Promise.allSettled(
          Array.from({ length: ALL_AT_ONCE }, (_, n) => work(everybody[n % processes])),
        );
        const codes = new Set(
          outcomes.flatMap((outcome) =>
            outcome.status === 'rejected' ? [(outcome.reason as { code: unknown }).code] : [],
          ),
        );
        return { through: outcomes.filter(({ status }) => status === 'fulfilled').length, codes: [...codes] };
      }

      async function spend(energy: number): Promise<void> {
        await commands.settlePrompt('alice', (await commands.reservePrompt('alice', gridId, 1000)).promptId, energy);
      }

      it('a day has as many prompts as its limit', async () => {
        for (let n = 0; n < 52; n += 1) {
          time.now += 6 * MINUTE;
          await spend(1);
        }
        time.now += 300 * MINUTE;
        assert.deepEqual(await atOnce((process) => process.reservePrompt('alice', gridId, 60)), {
          through: 8,
          codes: ['daily-prompt-limit'],
        });
      });

      it('energy is enough for as many replies as it can pay', async () => {
        assert.deepEqual(await atOnce((process) => process.reservePrompt('alice', gridId, 1000)), {
          through: 10,
          codes: ['energy-exhausted'],
        });
      });

      it('the last unit of energy is spent once', async () => {
        for (const energy of [10, 10, 10, 10, 10, 10, 10, 10, 10, 9]) await spend(energy);
        assert.deepEqual(await atOnce((process) => process.reservePrompt('alice', gridId, 1000)), {
          through: 1,
          codes: ['energy-exhausted'],
        });
      });

      it('a Grid has as many sessions as its limit', async () => {
        assert.deepEqual(await atOnce((process) => process.startSession('alice', gridId, 10)), {
          through: 10,
          codes: ['session-limit-reached'],
        });
      });

      it('the last room of a Grid with idle sessions goes to one', async () => {
        for (const later of [0, 10, 10]) {
          time.now += later * MINUTE;
          await commands.startSession('alice', gridId, 3);
        }
        time.now += 10 * MINUTE;
        assert.deepEqual(await atOnce((process) => process.startSession('alice', gridId, 3)), {
          through: 1,
          codes: ['session-limit-reached'],
        });
      });

      it('a month has as much speech as fits into its minutes', async () => {
        assert.deepEqual(await atOnce((process) => process.reserveSpeech('alice', gridId, 'synthesis', 1.7, 1)), {
          through: 35,
          codes: ['speech-minutes-exceeded'],
        });
      });

      it('what all of them settle or refund is settled or refunded once', async () => {
        const { promptId } = await commands.reservePrompt('alice', gridId, 1000);
        await Promise.all(
          Array.from({ length: 20 }, (_, n) => everybody[n % processes].settlePrompt('alice', promptId, 10)),
        );
        const other = await commands.reservePrompt('alice', gridId, 1000);
        await Promise.all(
          Array.from({ length: 20 }, (_, n) => everybody[n % processes].refundPrompt('alice', other.promptId)),
        );
        assert.equal((await atOnce((process) => process.reservePrompt('alice', gridId, 1000))).through, 9);
      });
    });
  }
}
