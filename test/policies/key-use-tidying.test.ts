import assert from 'node:assert/strict';
import { KeyUseTidying } from '../../src/policies/key-use-tidying.js';
import { keyUseRun } from '../../src/projections/key-use.js';
import { keyUsesOf } from '../../src/queries/administration/api-keys.js';
import { MemoryReadModelStore } from '../../src/read-models/adapters/memory/read-model-store.js';
import { keyUseCollection, type KeyUseDocument } from '../../src/read-models/key-use.js';
import { PROJECTIONS } from '../../src/read-models/projections.js';
import { MemoryEventStore } from '../../src/streams/adapters/memory/memory-event-store.js';
import { START } from '../../src/streams/event-store.js';
import { keyUseStream } from '../../src/streams/stream-names.js';

const HOUR = 3_600_000;
const STREAM = keyUseStream('g');

/** Uses of the Grid g in a log whose clock a test sets, and their read model. */
class World {
  now = 0;
  readonly log = new MemoryEventStore({ clock: () => this.now });
  readonly store = new MemoryReadModelStore();
  isProjected = true;
  private ids = 0;
  readonly tidying = new KeyUseTidying({
    log: this.log,
    grids: async () => [{ gridId: 'g' }, { gridId: 'unused' }],
    stored: (gridId) => keyUsesOf(this.store, gridId),
    whenAt: async () => this.isProjected && (await this.project(this.store), true),
    newId: () => `t${(this.ids += 1)}`,
  });

  async used(...keyIds: readonly string[]): Promise<void> {
    const keys = keyIds.map((keyId) => ({ keyId, lastUsedAt: this.now, sent: [] }));
    await this.log.append(STREAM, 'any', [{ id: `u${(this.ids += 1)}`, type: 'ApiKeysUsed.v1', data: { gridId: 'g', at: this.now, keys } }]);
  }

  /** The whole log, as a rebuild would. */
  async project(store: MemoryReadModelStore): Promise<void> {
    const events = await this.log.readAll(START, { limit: 1_000 });
    const { fold } = keyUseRun(1, store);
    await store.commit([{ kind: 'put', collection: PROJECTIONS, id: 'key-use', document: { active: 1, schema: 1 } }, ...(await fold.fold(events))], []);
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

describe('tidying the uses of keys', () => {
  it('sums up what is a day old, and lets it go an hour later: a replay knows as much as before', async () => {
    const world = new World();
    await world.used('a', 'b');
    for (let hour = 0; hour < 30; hour++) {
      world.now = hour * HOUR + 1;
      await world.used('a');
      await world.tidying.tidy(world.now);
    }
    assert.ok((await world.length()) <= 8, `${await world.length()} events are left`);
    const replayed = await world.replayed();
    assert.deepEqual(replayed.map(({ keyId, lastUsedAt }) => [keyId, lastUsedAt]), [['a', 29 * HOUR + 1], ['b', 0]]);
  });

  it('lets go no sooner than an hour after it was summed up, and does both again a day later', async () => {
    const world = new World();
    const lengthAt = async (ms: number): Promise<number> => {
      world.now = ms;
      await world.tidying.tidy(ms);
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

  it('lets nothing go that is not projected', async () => {
    const world = new World();
    world.isProjected = false;
    await world.used('a');
    await world.used('b');
    for (const hours of [25, 27]) {
      world.now = hours * HOUR;
      await world.tidying.tidy(world.now);
    }
    assert.equal(await world.length(), 2);
  });

  it('leaves alone what nobody uses, from one day to the next', async () => {
    const world = new World();
    await world.used('a');
    for (let day = 1; day < 5; day++) {
      world.now = day * 24 * HOUR;
      await world.tidying.tidy(world.now);
    }
    assert.equal(await world.length(), 1);
  });
});
