import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { listOwnedShards } from '../../../../src/projections/sharding/shard-allocation.js';
import { LEASE_TIMING } from '../../../../src/projections/sharding/failure-detector.js';
import { scaleToBudget } from '../../../support/faults/budget.js';
import { randomNumbers } from '../../../support/random-numbers.js';
import { SimulatedCluster } from './support/simulated-cluster.js';

/** `LEASE_CASES=2000` tests more cases. */
const CASES = scaleToBudget('LEASE_CASES', 40, 2_000);

type Deed =
  | { readonly kind: 'join' | 'away' | 'back' | 'lose' }
  | { readonly kind: 'crash' | 'pause' | 'resume'; readonly which: number }
  | { readonly kind: 'run'; readonly ms: number };

const which = fc.nat(7);
const deeds: fc.Arbitrary<Deed> = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Deed>({ kind: 'join' }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constantFrom('crash' as const, 'pause' as const, 'resume' as const), which }),
  },
  { weight: 1, arbitrary: fc.constantFrom<Deed>({ kind: 'away' }, { kind: 'back' }, { kind: 'lose' }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('run' as const), ms: fc.integer({ min: 50, max: 8_000 }) }) },
);

/** Long enough for the dead to lapse twice, for a new era to settle, and for shards to move. */
const HEALED_MS = 6 * LEASE_TIMING.lapseMs;

describe('Leases, whatever happens to members and register', () => {
  it('never give a shard two owners, increase its token with each, and end evenly distributed', function () {
    this.timeout(CASES * 2_000);
    fc.assert(
      fc.property(
        fc.array(deeds, { minLength: 5, maxLength: 30 }),
        fc.nat(),
        fc.constantFrom(2, 16, 256),
        (happening, seed, shards) => {
          const cluster = new SimulatedCluster(randomNumbers(seed), shards);
          const look = watcher(cluster);
          cluster.join();
          for (const deed of happening) happen(cluster, deed, look);
          cluster.heal();
          cluster.join();
          cluster.run(HEALED_MS, look);
          sharedEvenly(cluster);
          const settled = cluster.allocation!.grants;
          cluster.run(5_000, look);
          assert.deepEqual(cluster.allocation!.grants, settled, 'what is shared evenly stays where it is');
        },
      ),
      { numRuns: CASES },
    );
  });
});

function happen(cluster: SimulatedCluster, deed: Deed, look: () => void): void {
  switch (deed.kind) {
    case 'join':
      return cluster.join();
    case 'away':
      return cluster.away();
    case 'back':
      return cluster.back();
    case 'lose':
      return cluster.loseStore();
    case 'crash':
      return cluster.crash(deed.which);
    case 'pause':
      return cluster.pause(deed.which);
    case 'resume':
      return cluster.resume(deed.which);
    case 'run':
      return cluster.run(deed.ms, look);
  }
}

/** Looks whether two may work on a partition, and whether a later owner has a larger token. */
function watcher(cluster: SimulatedCluster): () => void {
  const last = new Map<number, Held>();
  return () => {
    for (const [shard, { id, token }] of heldIn(cluster)) {
      const known = last.get(shard) ?? { id, token };
      assert.ok(known.id === id ? token >= known.token : token > known.token, `token ${token} after ${known.token}`);
      last.set(shard, { id, token });
    }
  };
}

interface Held {
  readonly id: string;
  readonly token: number;
}

function heldIn(cluster: SimulatedCluster): Map<number, Held> {
  const held = new Map<number, Held>();
  for (const member of cluster.living) {
    const { id } = member.state;
    for (const [shard, token] of cluster.holdingsOf(member)) {
      assert.ok(!held.has(shard), `shard ${shard} belongs to ${id} and ${held.get(shard)?.id}`);
      held.set(shard, { id, token });
    }
  }
  return held;
}

function sharedEvenly(cluster: SimulatedCluster): void {
  const allocation = cluster.allocation!;
  assert.deepEqual(allocation.members.map(({ id }) => id).sort(), cluster.living.map(({ state }) => state.id).sort());
  const counts = allocation.members.map(({ id }) => listOwnedShards(allocation, id).length);
  assert.ok(Math.max(...counts) - Math.min(...counts) <= 1, counts.join(', '));
  assert.equal(heldIn(cluster).size, allocation.grants.length, 'every shard has an owner');
}
