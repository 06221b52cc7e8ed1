import assert from 'node:assert/strict';
import { HindsightError } from '../../../../src/errors.js';
import {
  createAllocation,
  encodeAllocation,
  type ShardAllocation,
} from '../../../../src/projections/sharding/shard-allocation.js';
import { observeShardOwnership } from '../../../../src/projections/sharding/lease-observer.js';

const grant = (owner: string) => ({ owner, token: 1 });

/** Four shards, of which `a` owns two, `b` one, and the last is free. */
function allocation(beats: { readonly a: number; readonly b: number }): ShardAllocation {
  const seats = [
    { id: 'a', name: 'one:1', beat: beats.a },
    { id: 'b', name: 'two:2', beat: beats.b },
  ];
  return {
    ...createAllocation(4, 'era', 1, true),
    members: seats,
    grants: [grant('a'), grant('b'), grant('a'), undefined],
  };
}

/** Returns these readings one after the other. */
function registerOf(...readings: readonly (ShardAllocation | undefined)[]) {
  let read = 0;
  return {
    read: () => {
      const value = readings[read++];
      return Promise.resolve({ value: value && encodeAllocation(value), revision: read });
    },
  };
}

describe('the ownership of shards', () => {
  it('lists the shards of each member, which are free, and who is alive', async () => {
    const ownership = await observeShardOwnership(
      registerOf(allocation({ a: 1, b: 2 }), allocation({ a: 3, b: 2 })),
      0,
    );
    assert.deepEqual(ownership, {
      count: 4,
      owners: [
        { name: 'one:1', shards: [0, 2], isAlive: true },
        { name: 'two:2', shards: [1], isAlive: false },
      ],
      free: [3],
    });
  });

  it('counts a member that joined meanwhile as alive', async () => {
    const before = {
      ...allocation({ a: 1, b: 2 }),
      members: [{ id: 'a', name: 'one:1', beat: 1 }],
      grants: [grant('a'), grant('a'), grant('a'), grant('a')],
    };
    const ownership = await observeShardOwnership(registerOf(before, allocation({ a: 3, b: 4 })), 0);
    assert.deepEqual(
      ownership?.owners.map(({ isAlive }) => isAlive),
      [true, true],
    );
  });

  it('is undefined if no member ever joined', async () => {
    assert.equal(await observeShardOwnership(registerOf(undefined), 0), undefined);
  });

  it('rejects if the register cannot be read', async () => {
    const away = { read: () => Promise.reject(new HindsightError('unavailable', 'NATS is unavailable')) };
    await assert.rejects(observeShardOwnership(away, 0), { code: 'unavailable' });
  });
});
