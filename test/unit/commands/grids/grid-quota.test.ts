import assert from 'node:assert/strict';
import type { GridReceipt } from '../../../../src/commands/grids/grid-commands.js';
import { withGridQuota, type GridQuota } from '../../../../src/commands/grids/grid-quota.js';
import { HindsightError } from '../../../../src/errors.js';
import type { Position } from '../../../../src/streams/event-store.js';
import { createInitialSettings } from '../../../../src/streams/events/grid-events.js';

/** Grids by who created them, in the log and, with a lag that a test ends, in the read models. */
class World {
  readonly created: { readonly gridId: string; readonly by: string }[] = [];
  shown = 0;
  failure: Error | undefined;

  async createGrid(by: string, name: string): Promise<GridReceipt> {
    await Promise.resolve();
    if (this.failure !== undefined) throw this.failure;
    const gridId = `g${this.created.length}`;
    this.created.push({ gridId, by });
    return { ...createInitialSettings(name), gridId, createdAt: 1, position: '1' as Position };
  }

  limited(quota: Partial<GridQuota> = {}): Pick<World, 'createGrid'> {
    const findCreatedGrids = async (userId: string): Promise<string[]> =>
      this.created
        .slice(0, this.shown)
        .filter(({ by }) => by === userId)
        .map(({ gridId }) => gridId);
    return withGridQuota(this, { creators: undefined, gridsPerUser: 3, findCreatedGrids, ...quota });
  }
}

const isBeyondQuota = { code: 'conflict', message: /You have created 3 Grids, .* \(GRIDS_PER_USER\)/ };

describe('Grids per user', () => {
  let world: World;
  beforeEach(() => (world = new World()));

  for (const shown of [0, 2, Infinity])
    it(`are as many as configured, however late the read models are (they show ${shown})`, async () => {
      world.shown = shown;
      const { createGrid } = world.limited();
      const outcomes = await Promise.allSettled(Array.from({ length: 30 }, () => createGrid('alice', 'x')));
      assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 3);
      for (const outcome of outcomes.slice(3)) {
        assert.equal(outcome.status, 'rejected');
        await assert.rejects(Promise.reject(outcome.reason as Error), isBeyondQuota);
      }
      assert.equal(world.created.length, 3);
    });

  it('are counted for each user', async () => {
    const { createGrid } = world.limited();
    for (const user of ['alice', 'bob']) for (let n = 0; n < 3; n++) await createGrid(user, 'x');
    await assert.rejects(createGrid('alice', 'x'), isBeyondQuota);
    await assert.rejects(createGrid('bob', 'x'), isBeyondQuota);
  });

  it('include those that were created before the start', async () => {
    for (let n = 0; n < 3; n++) await world.createGrid('alice', 'x');
    world.shown = 3;
    await assert.rejects(world.limited().createGrid('alice', 'x'), isBeyondQuota);
  });

  it('do not include those that failed', async () => {
    const { createGrid } = world.limited();
    world.failure = new HindsightError('unavailable', 'away');
    for (let n = 0; n < 5; n++) await assert.rejects(createGrid('alice', 'x'), { code: 'unavailable' });
    world.failure = undefined;
    for (let n = 0; n < 3; n++) await createGrid('alice', 'x');
    await assert.rejects(createGrid('alice', 'x'), isBeyondQuota);
  });

  it('are not limited by 0', async () => {
    const { createGrid } = world.limited({ gridsPerUser: 0 });
    for (let n = 0; n < 30; n++) await createGrid('alice', 'x');
    assert.equal(world.created.length, 30);
  });

  it('are created only by those who are named, if any are', async () => {
    const { createGrid } = world.limited({ creators: new Set(['bob']) });
    await createGrid('bob', 'x');
    await assert.rejects(async () => createGrid('alice', 'x'), { code: 'forbidden', message: /GRID_CREATORS/ });
    assert.equal(world.created.length, 1);
  });
});
