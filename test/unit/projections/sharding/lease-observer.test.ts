import assert from 'node:assert/strict';
import { HindsightError } from '../../../../src/errors.js';
import {
  createAllocation,
  encodeAllocation,
  type ShardAllocation,
} from '../../../../src/projections/sharding/shard-allocation.js';
import { observeShardOwnership } from '../../../../src/projections/sharding/lease-observer.js';

const grant = (owner: string) => ({ owner, token: 1 });

/** Four shares, of which `a` has two, `b` one and nobody the last. */
function allocation(beats: { readonly a: number; readonly b: number }): ShardAllocation {
  const seats = [
    { id: 'a', name: 'one:1', beat: beats.a },
    { id: 'b', name: 'two:2', beat: beats.b },
  ];
  return { ...createAllocation(4, 'era', 1, true), seats, grants: [grant('a'), grant('b'), grant('a'), undefined] };
}

/** Answers one after the other. */
function registerOf(...readings: readonly (ShardAllocation | undefined)[]) {
  let read = 0;
  return {
    read: () => {
      const value = readings[read++];
      return Promise.resolve({ value: value && encodeAllocation(value), revision: read });
    },
  };
}

describe('who has the seats', () => {
  it('is told with the shares of each, what is free, and who gives a sign of life', async () => {
    const seats = await observeShardOwnership(registerOf(allocation({ a: 1, b: 2 }), allocation({ a: 3, b: 2 })), 0);
    assert.deepEqual(seats, {
      count: 4,
      keepers: [
        { name: 'one:1', shares: [0, 2], isAlive: true },
        { name: 'two:2', shares: [1], isAlive: false },
      ],
      free: [3],
    });
  });

  it('lets who came meanwhile be alive', async () => {
    const before = {
      ...allocation({ a: 1, b: 2 }),
      seats: [{ id: 'a', name: 'one:1', beat: 1 }],
      grants: [grant('a'), grant('a'), grant('a'), grant('a')],
    };
    const seats = await observeShardOwnership(registerOf(before, allocation({ a: 3, b: 4 })), 0);
    assert.deepEqual(
      seats?.keepers.map(({ isAlive }) => isAlive),
      [true, true],
    );
  });

  it('is undefined where nobody ever took one', async () => {
    assert.equal(await observeShardOwnership(registerOf(undefined), 0), undefined);
  });

  it('says so when the register cannot be read', async () => {
    const away = { read: () => Promise.reject(new HindsightError('unavailable', 'NATS is away')) };
    await assert.rejects(observeShardOwnership(away, 0), { code: 'unavailable' });
  });
});
