import assert from 'node:assert/strict';
import { VirtualTimeScheduler } from 'rxjs';
import { SILENT_LOGGER } from '../../../src/self-telemetry/logger.js';
import { ApiKeyUsagePolicy, ApiKeyUsageTracker } from '../../../src/policies/api-key-usage-policy.js';
import { MemoryEventStore } from '../../../src/streams/adapters/memory/memory-event-store.js';
import { combineKeyUse } from '../../../src/read-models/documents/key-use-documents.js';
import type { ApiKeysUsed, StoredKeyUse } from '../../../src/streams/events/key-use-events.js';
import { keyUseStream } from '../../../src/streams/stream-names.js';

const MINUTE = 60_000;
const key = { keyId: 'k', gridId: 'g' };
const sending = { signal: 'traces', accepted: 3, rejected: 0, message: '' } as const;

class World {
  readonly store = new MemoryEventStore();
  readonly time = new VirtualTimeScheduler();
  readonly complaints: string[] = [];
  readonly tidied: number[] = [];
  failing = false;
  /** What a compaction waits for. */
  compacting: Promise<void> = Promise.resolve();
  /** What the last compaction was told to stop by. */
  stopping: AbortSignal | undefined;
  private ids = 0;
  readonly policy = this.process();

  process(): ApiKeyUsagePolicy {
    return new ApiKeyUsagePolicy({
      log: {
        append: (...asked) =>
          this.failing ? Promise.reject(new Error('the log is unavailable')) : this.store.append(...asked),
      },
      compactor: {
        compact: async (now, stopping) => {
          this.tidied.push(now);
          this.stopping = stopping;
          await this.compacting;
        },
      },
      logger: { ...SILENT_LOGGER, warn: (message) => this.complaints.push(message) },
      newId: () => `e${(this.ids += 1)}`,
      now: () => this.time.now(),
      scheduler: this.time,
      keys: new ApiKeyUsageTracker(),
    });
  }

  /** What the read model says of the key, and with it a process that asks its own memory too. */
  async shown(policy?: ApiKeyUsagePolicy): Promise<StoredKeyUse> {
    const tellings = (await this.written()).flatMap(({ keys }) => keys);
    const own = policy?.usageByKey('g').get('k');
    return [...tellings, ...(own === undefined ? [] : [own])].reduce((before, use) => combineKeyUse(before, use));
  }

  /** Virtual time, in which promises settle. */
  async pass(ms: number): Promise<void> {
    for (const end = this.time.frame + ms; this.time.frame < end;) {
      this.time.maxFrames = Math.min(end, this.time.frame + 250);
      this.time.schedule(() => undefined, this.time.maxFrames - this.time.frame);
      this.time.flush();
      await new Promise(setImmediate);
    }
  }

  async written(gridId = 'g'): Promise<ApiKeysUsed['data'][]> {
    return (await this.store.readStream(keyUseStream(gridId))).map(({ data }) => data as ApiKeysUsed['data']);
  }
}

describe('API key usage policy', () => {
  let world: World;

  beforeEach(() => {
    world = new World();
    world.policy.start();
  });
  afterEach(() => world.policy.stop());

  it('is written at once when it is the first, in one event with what comes with it', async () => {
    world.policy.recordUse(key);
    world.policy.recordIngestion(key, sending);
    await world.pass(500);
    assert.deepEqual(await world.written(), [
      { gridId: 'g', at: 250, keys: [{ keyId: 'k', lastUsedAt: 0, sent: [{ ...sending, at: 0 }] }] },
    ]);
  });

  it('is written once a minute afterwards, and never where there was none', async () => {
    world.policy.recordIngestion(key, sending);
    await world.pass(MINUTE / 2);
    for (let times = 0; times < 100; times++) world.policy.recordIngestion(key, sending);
    await world.pass(5_000);
    assert.equal((await world.written()).length, 1, 'what is no news waits for the minute');
    await world.pass(MINUTE);
    assert.equal((await world.written()).length, 2);
    await world.pass(10 * MINUTE);
    assert.equal((await world.written()).length, 2);
  });

  it('is written by the stop although a compaction waits for a store that is unavailable, and tells it to stop', async () => {
    let end = (): void => undefined;
    world.compacting = new Promise((resolve) => (end = resolve));
    world.policy.recordUse(key);
    await world.pass(60 * MINUTE);
    assert.deepEqual([world.tidied.length, world.stopping?.aborted], [1, false]);
    world.policy.recordIngestion(key, sending);
    const stopped = world.policy.stop();
    while ((await world.written()).length < 2) await new Promise(setImmediate);
    assert.equal(world.stopping?.aborted, true);
    end();
    await stopped;
  });

  it('is returned from memory meanwhile', async () => {
    world.policy.recordIngestion(key, sending);
    await world.pass(5_000);
    world.policy.recordIngestion(key, { ...sending, accepted: 9 });
    assert.deepEqual(
      [...world.policy.usageByKey('g').values()],
      [{ keyId: 'k', sent: [{ ...sending, accepted: 9, at: 5_000 }] }],
    );
    assert.equal(world.policy.usageByKey('other').size, 0);
  });

  it('writes a new kind of refusal at once, and one of a known kind with the minute, however many come', async () => {
    world.policy.recordRefusal(key, { signal: 'logs', kind: 'malformed', reason: 'does not parse' });
    await world.pass(1_000);
    for (let times = 0; times < 1_000; times++)
      for (const kind of ['malformed', 'too-large'])
        world.policy.recordRefusal(key, { signal: 'logs', kind, reason: kind });
    await world.pass(30_000);
    assert.deepEqual(
      (await world.written()).map(({ keys }) => keys[0].refused?.reason),
      ['does not parse', 'too-large'],
    );
  });

  it('is written for each Grid in a stream of its own', async () => {
    world.policy.recordUse(key);
    world.policy.recordUse({ keyId: 'l', gridId: 'h' });
    await world.pass(500);
    assert.deepEqual([(await world.written('g')).length, (await world.written('h')).length], [1, 1]);
  });

  it('is written again after the log was unavailable', async () => {
    world.failing = true;
    world.policy.recordUse(key);
    await world.pass(500);
    assert.equal(world.complaints.length, 1);
    world.failing = false;
    await world.pass(MINUTE);
    assert.deepEqual(
      (await world.written()).map(({ keys }) => keys.map(({ keyId }) => keyId)),
      [['k']],
    );
  });

  it('is written when the service stops, and not after that', async () => {
    world.policy.recordUse(key);
    await world.pass(500);
    await world.pass(1_000);
    world.policy.recordUse(key);
    await world.policy.stop();
    assert.deepEqual(
      (await world.written()).map(({ keys }) => keys[0].lastUsedAt),
      [0, 1_500],
    );
    world.policy.recordUse({ keyId: 'late', gridId: 'g' });
    await world.pass(5 * MINUTE);
    assert.equal((await world.written()).length, 2);
  });

  it('of one key in two processes shows both: the newest of each thing, at once where it is news, else within a minute', async () => {
    const other = world.process();
    other.start();
    world.policy.recordIngestion(key, sending);
    await world.pass(1_000);
    other.recordIngestion(key, { ...sending, signal: 'logs', accepted: 7 });
    other.recordRefusal(key, { signal: 'metrics', kind: 'malformed', reason: 'does not parse' });
    await world.pass(1_000);
    const both = [
      { ...sending, signal: 'logs', accepted: 7, at: 1_000 },
      { ...sending, at: 0 },
    ];
    assert.deepEqual((await world.shown(world.policy)).sent, both);
    assert.deepEqual((await world.shown(other)).refused, { signal: 'metrics', at: 1_000, reason: 'does not parse' });
    await world.pass(500);
    other.recordUse(key);
    await world.pass(250);
    world.policy.recordUse(key);
    other.recordIngestion(key, { ...sending, accepted: 9 });
    await world.pass(MINUTE);
    const shown = await world.shown();
    assert.equal(shown.lastUsedAt, 2_750);
    assert.deepEqual(shown.sent, [both[0], { ...sending, accepted: 9, at: 2_750 }]);
    await other.stop();
  });

  it('is compacted every hour', async () => {
    await world.pass(125 * MINUTE);
    assert.deepEqual(world.tidied, [60 * MINUTE, 120 * MINUTE]);
  });
});

describe('API key usage tracker', () => {
  it('are bounded, and so are their texts', () => {
    const keys = new ApiKeyUsageTracker(2);
    for (const keyId of ['a', 'b', 'c'])
      keys.recordRefusal({ keyId, gridId: 'g' }, 1, { kind: 'malformed', reason: 'x'.repeat(10_000) });
    assert.deepEqual([...keys.usageByKey('g').keys()], ['b', 'c']);
    assert.equal(keys.usageByKey('g').get('c')?.refused?.reason.length, 300);
    keys.recordIngestion({ keyId: 'c', gridId: 'g' }, { ...sending, at: 1, message: 'x'.repeat(10_000) });
    assert.equal(keys.usageByKey('g').get('c')?.sent[0].message.length, 300);
    assert.deepEqual(
      keys.takeChanged('g').map(({ keyId }) => keyId),
      ['a', 'b', 'c'],
      'what is not written yet is not lost',
    );
    assert.deepEqual(keys.takeChanged('g'), []);
  });
});
