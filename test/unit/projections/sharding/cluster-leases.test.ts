import assert from 'node:assert/strict';
import { firstValueFrom } from 'rxjs';
import { MemorySharedRegister } from '../../../../src/projections/sharding/adapters/memory/memory-shared-register.js';
import { createAllocation, encodeAllocation } from '../../../../src/projections/sharding/shard-allocation.js';
import { ClusterLeases } from '../../../../src/projections/sharding/cluster-leases.js';
import type { SharedRegister } from '../../../../src/projections/sharding/shared-register.js';
import type { LeaseTiming } from '../../../../src/projections/sharding/failure-detector.js';
import { SILENT_LOGGER } from '../../../../src/self-telemetry/logger.js';
import { waitUntil } from '../../../support/wait-until.js';

/** Fast, so that the tests can wait for expiry. */
const FAST = { beatMs: 100, validMs: 400, lapseMs: 600 };

describe('Cluster leases', () => {
  let register: MemorySharedRegister;
  let broken: boolean;
  let processes: ClusterLeases[];

  beforeEach(() => {
    register = new MemorySharedRegister(encodeAllocation(createAllocation(256, 'era', 0, true)));
    broken = false;
    processes = [];
  });
  afterEach(() => Promise.all(processes.map((leases) => leases.close())));

  const fragile: SharedRegister = {
    read: () => (broken ? Promise.reject(new Error('away')) : register.read()),
    write: (value, expected) => (broken ? Promise.reject(new Error('away')) : register.write(value, expected)),
  };

  function joined(name: string, shards = 256, timing: LeaseTiming = FAST): ClusterLeases {
    const leases = new ClusterLeases(fragile, { name, shardCount: shards, timing }, SILENT_LOGGER);
    processes.push(leases);
    leases.join();
    return leases;
  }

  const count = async (leases: ClusterLeases): Promise<number> => (await firstValueFrom(leases.held)).size;
  const counts = (): Promise<number[]> => Promise.all(processes.map(count));

  it('divide all shards evenly among the members, each under its own token', async () => {
    for (const name of ['a', 'b', 'c']) joined(name);
    await waitUntil(async () => (await counts()).sort().join() === '85,85,86', 'the shards are even');
    const [a, b, c] = await Promise.all(processes.map((leases) => firstValueFrom(leases.held)));
    assert.equal(new Set([...a.keys(), ...b.keys(), ...c.keys()]).size, 256);
    const [shard, token] = [...a][0];
    assert.equal(processes[0].fencingToken(shard), token);
    assert.equal(processes[1].fencingToken(shard), undefined);
    assert.deepEqual((await firstValueFrom(processes[0].members)).map(({ name }) => name).sort(), ['a', 'b', 'c']);
  });

  it('are released at once when closed', async () => {
    // Nothing lapses before this test is over.
    const timing = { beatMs: 100, validMs: 60_000, lapseMs: 90_000 };
    const [a, b] = [joined('a', 256, timing), joined('b', 256, timing)];
    await waitUntil(async () => (await counts()).join() === '128,128', 'the shards are even');
    let completed = false;
    a.held.subscribe({ complete: () => (completed = true) });
    await a.close();
    assert.ok(completed);
    assert.equal(a.fencingToken(0), undefined);
    await waitUntil(async () => (await count(b)) === 256, 'the other has everything');
    await a.close();
    assert.equal((await a.check()).ok, false);
  });

  it('are lost once they cannot be renewed, which is reported, and regained afterwards', async () => {
    const leases = joined('a');
    await waitUntil(async () => (await count(leases)) === 256, 'it has everything');
    assert.deepEqual(await leases.check(), { ok: true });
    broken = true;
    await waitUntil(async () => 'degraded' in (await leases.check()), 'it tells that it cannot renew');
    await waitUntil(async () => (await count(leases)) === 0, 'the leases lapse');
    assert.equal(leases.fencingToken(0), undefined);
    assert.deepEqual(await leases.check(), { ok: false, reason: 'no lease is valid: away' });
    broken = false;
    await waitUntil(async () => (await count(leases)) === 256, 'the leases come back');
    assert.deepEqual(await leases.check(), { ok: true });
  });

  it('leave an unreadable register unchanged', async () => {
    register = new MemorySharedRegister('{"format":99}');
    const leases = joined('a');
    await waitUntil(async () => /incompatible version/.test(JSON.stringify(await leases.check())), 'it tells why');
    assert.deepEqual(await register.read(), { value: '{"format":99}', revision: 1 });
  });

  it('reject members with another number of shards, and start a new era once those are gone', async () => {
    const many = joined('many');
    await waitUntil(async () => (await count(many)) === 256, 'it has everything');
    const few = joined('few', 8);
    await waitUntil(
      async () =>
        /many divide the Grids into 256 shards, and this process into 8/.test(JSON.stringify(await few.check())),
      'it tells why',
    );
    assert.deepEqual([await count(many), await count(few)], [256, 0]);
    const [, token] = [...(await firstValueFrom(many.held))][0];
    await many.close();
    await waitUntil(async () => (await count(few)) === 8, 'the other number counts', 10 * FAST.lapseMs);
    assert.ok(few.fencingToken(7)! > token);
  });

  it('do nothing before joining or after closing, and may be closed before', async () => {
    const leases = new ClusterLeases(fragile, { name: 'a', shardCount: 256, timing: FAST }, SILENT_LOGGER);
    assert.equal((await leases.check()).ok, false);
    await leases.close();
    leases.join();
    await leases.close();
    assert.equal((await register.read()).revision, 1);
  });
});
