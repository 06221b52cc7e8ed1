import assert from 'node:assert/strict';
import {
  type ShardAllocation,
  createAllocation,
  listOwnedShards,
} from '../../../../src/projections/sharding/shard-allocation.js';
import {
  findValidLeases,
  observeRegister,
  type Membership,
  createMembership,
  proposeAllocation,
  applyWrittenProposal,
} from '../../../../src/projections/sharding/cluster-membership.js';
import { LEASE_TIMING } from '../../../../src/projections/sharding/failure-detector.js';

const { validMs, lapseMs, beatMs } = LEASE_TIMING;
const NEW_ERA = { name: 'new', startedAt: 5_000 };

/** A member, and the register that it last wrote. */
interface Scene {
  readonly member: Membership;
  readonly allocation: ShardAllocation | undefined;
  readonly revision: number;
}

/** The member reads the register at `now` and writes what it proposes. */
function turn({ member, allocation, revision }: Scene, now: number): Scene {
  const look = { allocation, revision };
  const after = observeRegister(member, look, now, LEASE_TIMING);
  const proposed = proposeAllocation(member, after, look, now, LEASE_TIMING, NEW_ERA);
  return {
    member: applyWrittenProposal(after, proposed, revision + 1, now, LEASE_TIMING),
    allocation: proposed.allocation,
    revision: revision + 1,
  };
}

/** Turns at each beat, from one moment to another. */
function turns(scene: Scene, from: number, to: number): Scene {
  let last = scene;
  for (let now = from; now <= to; now += beatMs) last = turn(last, now);
  return last;
}

const settled = (...seats: string[]): ShardAllocation => ({
  ...createAllocation(256, 'era', 10, true),
  members: seats.map((id) => ({ id, name: id, beat: 1 })),
});
const held = ({ member }: Scene, now: number): number => findValidLeases(member, now).size;

describe('A cluster member', () => {
  const a = createMembership('a', 'A', 256);

  it('given a settled allocation without others, takes everything, under a token above the last, and not below the wall clock', () => {
    const after = turn({ member: a, allocation: settled(), revision: 7 }, 0);
    assert.equal(held(after, 0), 256);
    assert.deepEqual([...new Set(after.member.held.values())], [NEW_ERA.startedAt]);
    const later = turn({ member: a, allocation: { ...settled(), lastToken: 6_000 }, revision: 7 }, 0);
    assert.deepEqual([...new Set(later.member.held.values())], [6_001]);
    assert.deepEqual(after.allocation!.members, [{ id: 'a', name: 'A', beat: 7 }]);
  });

  it('given a lease, holds it from when its renewal was sent for the validity period, and no longer', () => {
    const after = turn({ member: a, allocation: settled(), revision: 7 }, 1_000);
    assert.equal(held(after, 1_000 + validMs - 1), 256);
    assert.equal(held(after, 1_000 + validMs), 0);
  });

  it('given a new member, stops shards above its quota at once, and releases them with the next write', () => {
    const alone = turn({ member: a, allocation: settled(), revision: 7 }, 0);
    const shared = {
      ...alone,
      allocation: { ...alone.allocation!, members: [...alone.allocation!.members, { id: 'b', name: 'B', beat: 8 }] },
    };
    const ceasing = turn(shared, beatMs);
    assert.deepEqual([held(ceasing, beatMs), listOwnedShards(ceasing.allocation!, 'a').length], [128, 256]);
    const freed = turn(ceasing, 2 * beatMs);
    assert.deepEqual([held(freed, 2 * beatMs), listOwnedShards(freed.allocation!, 'a').length], [128, 128]);
    const other = turn({ ...freed, member: createMembership('b', 'B', 256) }, 0);
    assert.equal(held(other, 0), 128);
  });

  it('given an empty register, starts an era and takes nothing until every older lease has expired', () => {
    const began = turn({ member: a, allocation: undefined, revision: 0 }, 0);
    assert.deepEqual(
      [began.allocation!.era, began.allocation!.settled, began.allocation!.lastToken],
      ['new', false, 5_000],
    );
    const waiting = turns(began, beatMs, lapseMs);
    assert.equal(held(waiting, lapseMs), 0);
    const later = lapseMs + 2 * beatMs;
    assert.equal(held(turns(waiting, lapseMs + beatMs, later), later), 256);
  });

  it('given a register that lost its state, claims what it holds before another can take it, under the same token', () => {
    const before = turn({ member: a, allocation: settled(), revision: 7 }, 0);
    const after = turn({ ...before, allocation: undefined, revision: 0 }, beatMs);
    assert.equal(held(after, beatMs), 256);
    assert.deepEqual(after.member.held, before.member.held);
    assert.equal(after.allocation!.settled, false);
    const other = turns({ ...after, member: createMembership('b', 'B', 256) }, 0, 2 * lapseMs);
    assert.ok(other.allocation!.lastToken > NEW_ERA.startedAt);
  });

  it('given a register that lost its state, continues with tokens above any that it saw, whatever the clock shows', () => {
    const before = turn({ member: a, allocation: { ...settled(), lastToken: 20_000 }, revision: 7 }, 0);
    const after = turn({ ...before, allocation: undefined, revision: 0 }, 10 * lapseMs);
    assert.ok(after.allocation!.lastToken > 20_000 && NEW_ERA.startedAt < 20_000);
  });

  it('given a register that went back to an earlier revision, starts a new era too', () => {
    const before = turns({ member: a, allocation: settled(), revision: 7 }, 0, 3 * beatMs);
    const after = turn({ ...before, allocation: settled('c'), revision: 9 }, 4 * beatMs);
    assert.deepEqual(
      after.allocation!.members.map(({ id }) => id),
      ['a'],
    );
    assert.equal(after.allocation!.era, 'new');
    assert.equal(held(after, 4 * beatMs), 256);
  });

  it('given a lease that expired before the register lost its state, claims nothing', () => {
    const before = turn({ member: a, allocation: settled(), revision: 7 }, 0);
    assert.equal(held(turn({ ...before, allocation: undefined, revision: 0 }, validMs), validMs), 0);
  });

  it('given a member that is silent for the timeout, takes its shards, and not before', () => {
    const start: Scene = {
      member: a,
      allocation: {
        ...settled('a', 'b'),
        grants: createAllocation(256, '', 0).grants.map(() => ({ owner: 'b', token: 3 })),
      },
      revision: 7,
    };
    const waiting = turns(start, 0, lapseMs - 1);
    assert.equal(listOwnedShards(waiting.allocation!, 'b').length, 256);
    const now = Math.ceil(lapseMs / beatMs) * beatMs;
    const after = turn(waiting, now);
    assert.equal(held(after, now), 256);
    assert.deepEqual(
      after.allocation!.members.map(({ id }) => id),
      ['a'],
    );
  });

  it('given a gap in its reads, first observes again whether the others are alive', () => {
    const start: Scene = {
      member: a,
      allocation: {
        ...settled('a', 'b'),
        grants: createAllocation(256, '', 0).grants.map(() => ({ owner: 'b', token: 3 })),
      },
      revision: 7,
    };
    const away = turn(turn(start, 0), 10 * lapseMs);
    assert.equal(listOwnedShards(away.allocation!, 'b').length, 256);
    assert.equal(listOwnedShards(turns(away, 10 * lapseMs + beatMs, 11 * lapseMs + beatMs).allocation!, 'b').length, 0);
  });
});
