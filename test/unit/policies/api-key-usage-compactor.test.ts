import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ApiKeyUsageCompactor, type ApiKeyUsageCompactorParts } from '../../../src/policies/api-key-usage-compactor.js';
import { HindsightError } from '../../../src/errors.js';
import { createKeyUseRun } from '../../../src/projections/key-use-projection.js';
import { findApiKeyUses } from '../../../src/queries/administration/api-key-queries.js';
import { MemoryReadModelStore } from '../../../src/read-models/adapters/memory/read-model-store.js';
import { keyUseCollection, type KeyUseDocument } from '../../../src/read-models/documents/key-use-documents.js';
import { PROJECTIONS } from '../../../src/read-models/documents/projection-documents.js';
import { MemoryEventStore } from '../../../src/streams/adapters/memory/memory-event-store.js';
import { START, type Position } from '../../../src/streams/event-store.js';
import { keyUseStream } from '../../../src/streams/stream-names.js';

const HOUR = 3_600_000;
const STREAM = keyUseStream('g');
const END = '~' as Position;

/** A log that takes no change. */
const refused = {
  append: () => Promise.reject(new Error('not now')),
  truncate: () => Promise.reject(new Error('not now')),
};

/** Uses of the Grid g in a log whose clock a test sets, and their read model. */
class World {
  now = 0;
  readonly log = new MemoryEventStore({ clock: () => this.now });
  readonly store = new MemoryReadModelStore();
  isProjected = true;
  /** The read model of a projector elsewhere tells no more than where the last event stood that concerned it. */
  reached = END;
  private ids = 0;
  /** What other processes do between the look at the read model and the sum. */
  meanwhile: () => Promise<void> = async () => undefined;
  readonly compactor = this.process();

  process(changes: Partial<ApiKeyUsageCompactorParts> = {}): ApiKeyUsageCompactor {
    return new ApiKeyUsageCompactor({
      log: this.log,
      listGrids: async () => [{ gridId: 'g' }, { gridId: 'unused' }],
      readStoredUsage: async (gridId) => {
        const uses = await findApiKeyUses(this.store, gridId);
        await this.meanwhile();
        return uses;
      },
      waitForPosition: async (position) =>
        this.isProjected && position <= this.reached && (await this.project(this.store), true),
      newId: () => `t${(this.ids += 1)}`,
      ...changes,
    });
  }

  async used(...keyIds: readonly string[]): Promise<void> {
    const keys = keyIds.map((keyId) => ({ keyId, lastUsedAt: this.now, sent: [] }));
    await this.log.append(STREAM, 'any', [
      { id: `u${(this.ids += 1)}`, type: 'ApiKeysUsed.v1', data: { gridId: 'g', at: this.now, keys } },
    ]);
  }

  /** The whole log, as a rebuild would. */
  async project(store: MemoryReadModelStore): Promise<void> {
    const events = await this.log.readAll(START, { limit: 1_000 });
    const { fold } = createKeyUseRun(1, store);
    await store.commit(
      [
        { kind: 'put', collection: PROJECTIONS, id: 'key-use', document: { active: 1, schema: 1 } },
        ...(await fold.fold(events)),
      ],
      [],
    );
  }

  async replayed(): Promise<KeyUseDocument[]> {
    const store = new MemoryReadModelStore();
    await this.project(store);
    return (await store.find(keyUseCollection(1), {})).map(({ document }) => document);
  }

  async length(): Promise<number> {
    return (await this.log.readStream(STREAM)).length;
  }
}

describe('API key usage compactor', () => {
  it('summarizes what is a day old and deletes it an hour later: a replay gives the same usage', async () => {
    const world = new World();
    await world.used('a', 'b');
    for (let hour = 0; hour < 30; hour++) {
      world.now = hour * HOUR + 1;
      await world.used('a');
      await world.compactor.compact(world.now);
    }
    assert.ok((await world.length()) <= 8, `${await world.length()} events are left`);
    const replayed = await world.replayed();
    assert.deepEqual(
      replayed.map(({ keyId, lastUsedAt }) => [keyId, lastUsedAt]),
      [
        ['a', 29 * HOUR + 1],
        ['b', 0],
      ],
    );
  });

  it('deletes no sooner than an hour after the summary, and repeats both a day later', async () => {
    const world = new World();
    const lengthAt = async (ms: number): Promise<number> => {
      world.now = ms;
      await world.compactor.compact(ms);
      return world.length();
    };
    await world.used('a');
    await world.used('b');
    assert.equal(await lengthAt(25 * HOUR), 3, 'said once more');
    assert.equal(await lengthAt(26 * HOUR - 1), 3, 'a verification under way still reads it');
    assert.equal(await lengthAt(26 * HOUR), 1);
    await world.used('a');
    assert.equal(await lengthAt(51 * HOUR), 3, 'said once more');
    assert.equal(await lengthAt(52 * HOUR), 1);
  });

  it('deletes nothing that is not projected', async () => {
    const world = new World();
    world.isProjected = false;
    await world.used('a');
    await world.used('b');
    for (const hours of [25, 27]) {
      world.now = hours * HOUR;
      await world.compactor.compact(world.now);
    }
    assert.equal(await world.length(), 2);
  });

  it('waits for no event that does not concern it', async () => {
    const world = new World();
    await world.used('a');
    for (let n = 0; n < 2_100; n++) await world.used('b');
    world.reached = await world.log.head();
    await world.log.append('telemetry.00-g', 'any', [{ id: 'other', type: 'SpansReceived.v1', data: {} }]);
    world.now = 25 * HOUR;
    await world.compactor.compact(world.now);
    assert.equal(await world.length(), 2_102, 'said once more');
  });

  it('goes on with the other Grids when some fail, and says how many at the end', async () => {
    const world = new World();
    await world.used('a');
    await world.used('b');
    const listGrids = async () => ['x', 'g', 'y'].map((gridId) => ({ gridId }));
    const readStream: MemoryEventStore['readStream'] = async (stream, ...rest) => {
      if (stream !== STREAM) throw new Error('its shard moves');
      return world.log.readStream(stream, ...rest);
    };
    const log = {
      readStream,
      append: world.log.append.bind(world.log),
      truncate: world.log.truncate.bind(world.log),
    };
    world.now = 25 * HOUR;
    await assert.rejects(
      world.process({ listGrids, log }).compact(world.now),
      /^Error: 2 Grids failed, the first of them x$/,
    );
    assert.equal(await world.length(), 3, 'summarized once more');
  });

  it('gives up after three Grids in a row while the store is unavailable', async () => {
    const world = new World();
    const asked: unknown[] = [];
    const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
    const compact = (failure: (stream: string) => Error | undefined) => {
      asked.length = 0;
      const readStream: MemoryEventStore['readStream'] = async (stream) => {
        asked.push(stream);
        const error = failure(stream);
        if (error !== undefined) throw error;
        return [];
      };
      const log = { ...refused, readStream };
      return world.process({ listGrids: async () => ids.map((gridId) => ({ gridId })), log }).compact(0);
    };
    const away = new HindsightError('unavailable', 'The log does not answer.');
    await assert.rejects(
      compact(() => away),
      /^Error: 3 Grids failed, the first of them a$/,
    );
    assert.equal(asked.length, 3);
    await assert.rejects(
      compact((stream) => (stream === keyUseStream('c') ? undefined : away)),
      /^Error: 5 Grids failed/,
    );
    await assert.rejects(
      compact((stream) => (stream === keyUseStream('b') ? away : undefined)),
      /^Error: 1 Grid failed, the first of them b$/,
    );
    assert.equal(asked.length, ids.length);
  });

  it('begins with no further Grid once it is told to stop', async () => {
    const world = new World();
    const stopping = new AbortController();
    const asked: string[] = [];
    const readStream: MemoryEventStore['readStream'] = async (stream) => {
      asked.push(stream);
      stopping.abort();
      return [];
    };
    await world.process({ log: { ...refused, readStream } }).compact(0, stopping.signal);
    assert.deepEqual(asked, [STREAM]);
  });

  it('does nothing for unused keys', async () => {
    const world = new World();
    await world.used('a');
    for (let day = 1; day < 5; day++) {
      world.now = day * 24 * HOUR;
      await world.compactor.compact(world.now);
    }
    assert.equal(await world.length(), 1);
  });

  it('loses no usage written by another process meanwhile, whatever the clocks', async () => {
    const world = new World();
    await world.used('a');
    await world.used('b');
    world.meanwhile = () => world.used('late');
    const ahead = HOUR / 2;
    for (const hours of [25, 26, 27]) {
      world.now = hours * HOUR;
      await world.compactor.compact(world.now + ahead);
      world.meanwhile = async () => undefined;
    }
    assert.deepEqual(
      (await world.replayed()).map(({ keyId }) => keyId),
      ['a', 'b', 'late'],
    );
  });

  it('by several processes at once loses and duplicates nothing, and still shortens the stream', async () => {
    const doing = fc.record({
      process: fc.nat(2),
      key: fc.constantFrom('a', 'b', 'c', 'd'),
      meanwhile: fc.constantFrom('a', 'e', undefined),
      restarts: fc.nat(9).map((n) => n === 0),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(doing, { minLength: 30, maxLength: 80 }),
        fc.array(fc.integer({ min: -20, max: 20 }), { minLength: 3, maxLength: 3 }),
        async (rounds, minutesAhead) => {
          const world = new World();
          const processes = minutesAhead.map(() => world.process());
          const newest = new Map<string, number>();
          const use = async (keyId: string): Promise<void> => {
            newest.set(keyId, world.now);
            await world.used(keyId);
          };
          for (const [hour, { process, key, meanwhile, restarts }] of rounds.entries()) {
            world.now = hour * HOUR + 1;
            await use(key);
            world.meanwhile = async () => void (meanwhile && (await use(meanwhile)));
            if (restarts) processes[process] = world.process();
            await Promise.all(processes.map((each, at) => each.compact(world.now + minutesAhead[at] * 60_000)));
          }
          const replayed = await world.replayed();
          assert.deepEqual(
            replayed.map(({ keyId, lastUsedAt }) => [keyId, lastUsedAt]),
            [...newest].sort(([a], [b]) => (a < b ? -1 : 1)),
          );
          const [oldest] = await world.log.readStream(STREAM, 0, 1);
          if (!rounds.some(({ restarts }) => restarts))
            assert.ok(oldest.recordedAt > world.now - 30 * HOUR, `${(world.now - oldest.recordedAt) / HOUR} hours old`);
        },
      ),
      { numRuns: 50 },
    );
  });
});
