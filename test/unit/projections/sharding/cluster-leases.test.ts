import assert from 'node:assert/strict';
import { firstValueFrom } from 'rxjs';
import { MemorySharedRegister } from '../../../../src/projections/sharding/adapters/memory/memory-shared-register.js';
import { createAllocation, encodeAllocation } from '../../../../src/projections/sharding/shard-allocation.js';
import { ClusterLeases } from '../../../../src/projections/sharding/cluster-leases.js';
import type { SharedRegister } from '../../../../src/projections/sharding/shared-register.js';
import type { LeaseTiming } from '../../../../src/projections/sharding/failure-detector.js';
import { SILENT_LOGGER } from '../../../../src/self-telemetry/logger.js';
import { until } from '../../../support/service.js';

/** Fast, so that lapses are worth waiting for. */
const FAST = { beatMs: 100, validMs: 400, lapseMs: 600 };

describe('The keeper of leases', () => {
  let register: MemorySharedRegister;
  let broken: boolean;
  let keepers: ClusterLeases[];

  beforeEach(() => {
    register = new MemorySharedRegister(encodeAllocation(createAllocation(256, 'era', 0, true)));
    broken = false;
    keepers = [];
  });
  afterEach(() => Promise.all(keepers.map((keeper) => keeper.close())));

  const fragile: SharedRegister = {
    read: () => (broken ? Promise.reject(new Error('away')) : register.read()),
    write: (value, expected) => (broken ? Promise.reject(new Error('away')) : register.write(value, expected)),
  };

  function joined(name: string, shares = 256, timing: LeaseTiming = FAST): ClusterLeases {
    const keeper = new ClusterLeases(fragile, { name, shares, timing }, SILENT_LOGGER);
    keepers.push(keeper);
    keeper.join();
    return keeper;
  }

  const count = async (keeper: ClusterLeases): Promise<number> => (await firstValueFrom(keeper.held)).size;
  const counts = (): Promise<number[]> => Promise.all(keepers.map(count));

  it('divides all shares evenly among those who join, each under a token of its own', async () => {
    for (const name of ['a', 'b', 'c']) joined(name);
    await until(async () => (await counts()).sort().join() === '85,85,86', 'the shares are even');
    const [a, b, c] = await Promise.all(keepers.map((keeper) => firstValueFrom(keeper.held)));
    assert.equal(new Set([...a.keys(), ...b.keys(), ...c.keys()]).size, 256);
    const [share, token] = [...a][0];
    assert.equal(keepers[0].fencingToken(share), token);
    assert.equal(keepers[1].fencingToken(share), undefined);
    assert.deepEqual((await firstValueFrom(keepers[0].members)).map(({ name }) => name).sort(), ['a', 'b', 'c']);
  });

  it('gives everything back at its end, at once', async () => {
    // Nothing lapses before this test is over.
    const timing = { beatMs: 100, validMs: 60_000, lapseMs: 90_000 };
    const [a, b] = [joined('a', 256, timing), joined('b', 256, timing)];
    await until(async () => (await counts()).join() === '128,128', 'the shares are even');
    let completed = false;
    a.held.subscribe({ complete: () => (completed = true) });
    await a.close();
    assert.ok(completed);
    assert.equal(a.fencingToken(0), undefined);
    await until(async () => (await count(b)) === 256, 'the other has everything');
    await a.close();
    assert.equal((await a.check()).ok, false);
  });

  it('holds nothing once its leases cannot be renewed, says so, and has them again afterwards', async () => {
    const keeper = joined('a');
    await until(async () => (await count(keeper)) === 256, 'it has everything');
    assert.deepEqual(await keeper.check(), { ok: true });
    broken = true;
    await until(async () => 'degraded' in (await keeper.check()), 'it tells that it cannot renew');
    await until(async () => (await count(keeper)) === 0, 'the leases lapse');
    assert.equal(keeper.fencingToken(0), undefined);
    assert.deepEqual(await keeper.check(), { ok: false, reason: 'no lease is valid: away' });
    broken = false;
    await until(async () => (await count(keeper)) === 256, 'the leases come back');
    assert.deepEqual(await keeper.check(), { ok: true });
  });

  it('leaves what it cannot read as it is', async () => {
    register = new MemorySharedRegister('{"format":99}');
    const keeper = joined('a');
    await until(async () => /another version/.test(JSON.stringify(await keeper.check())), 'it tells why');
    assert.deepEqual(await register.read(), { value: '{"format":99}', revision: 1 });
  });

  it('refuses to join those who divide by another number, and begins a new era once they are gone', async () => {
    const many = joined('many');
    await until(async () => (await count(many)) === 256, 'it has everything');
    const few = joined('few', 8);
    await until(
      async () =>
        /many divide the Grids into 256 shares, and this process into 8/.test(JSON.stringify(await few.check())),
      'it tells why',
    );
    assert.deepEqual([await count(many), await count(few)], [256, 0]);
    const [, token] = [...(await firstValueFrom(many.held))][0];
    await many.close();
    await until(async () => (await count(few)) === 8, 'the other number counts', 10 * FAST.lapseMs);
    assert.ok(few.fencingToken(7)! > token);
  });

  it('does nothing before it joins or after it is closed, and may be closed before', async () => {
    const keeper = new ClusterLeases(fragile, { name: 'a', shares: 256, timing: FAST }, SILENT_LOGGER);
    assert.equal((await keeper.check()).ok, false);
    await keeper.close();
    keeper.join();
    await keeper.close();
    assert.equal((await register.read()).revision, 1);
  });
});
