import assert from 'node:assert/strict';
import { firstValueFrom } from 'rxjs';
import { SingleProcessLeases } from '../../../../src/projections/sharding/single-process-leases.js';

describe('Leases of a single process', () => {
  it('hold all shards under the start time, from joining until closing', async () => {
    const holder = new SingleProcessLeases(4, 1_700_000_000_000, 'a');
    assert.equal(holder.fencingToken(0), undefined);
    holder.join();
    holder.join();
    assert.deepEqual(
      [...(await firstValueFrom(holder.held))].map(([shard, token]) => `${shard}: ${token}`),
      [0, 1, 2, 3].map((shard) => `${shard}: 1700000000000`),
    );
    assert.deepEqual([holder.fencingToken(3), holder.fencingToken(4)], [1_700_000_000_000, undefined]);
    assert.deepEqual(await firstValueFrom(holder.members), [{ id: 'a', name: 'a', shardCount: 4 }]);
    assert.deepEqual(await holder.check(), { ok: true });
  });

  it('publish the loss when closed, and stay closed', async () => {
    const holder = new SingleProcessLeases(2, 5, 'a');
    holder.join();
    const published: number[] = [];
    let completed = false;
    holder.held.subscribe({ next: (held) => published.push(held.size), complete: () => (completed = true) });
    await holder.close();
    await holder.close();
    holder.join();
    assert.deepEqual([published, completed, holder.fencingToken(0)], [[2, 0], true, undefined]);
    assert.equal((await holder.check()).ok, false);
  });
});
