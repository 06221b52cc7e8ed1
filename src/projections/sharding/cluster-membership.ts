import {
  type ShardAllocation,
  createAllocation,
  type ShardGrant,
  listOwnedShards,
  computeQuota,
  type MemberEntry,
  removeMembers,
} from './shard-allocation.js';
import type { FencingToken } from './shard-leases.js';
import {
  type AllocationReading,
  type FailureDetectorState,
  findSilentMembers,
  hasRegisterLostState,
  INITIAL_FAILURE_DETECTOR_STATE,
  type LeaseTiming,
  observeMembers,
} from './failure-detector.js';

/** State of a member. Times are elapsed ms by its own clock. */
export interface Membership {
  readonly id: string;
  readonly name: string;
  /** Number of shards that this member is configured with. */
  readonly shardCount: number;
  readonly detector: FailureDetectorState;
  readonly held: ReadonlyMap<number, FencingToken>;
  /** Era in which `held` was granted. */
  readonly heldIn: string | undefined;
  /** Time until which `held` is valid. */
  readonly until: number;
  /** Shards that are still granted, but no longer worked on: released with the next write. */
  readonly ceasing: ReadonlySet<number>;
}

/** A new era, which begins when the register has lost its state. */
export interface NewEra {
  readonly name: string;
  /**
   * Wall clock (ms since 1970). No token is granted below it, so that tokens also increase if no member remembers the
   * last one, and beyond those of processes that held everything without a register. Nothing else depends on it.
   */
  readonly startedAt: number;
}

/** What a member wants to write, and which shards it must stop working on once that is written. */
export interface AllocationProposal {
  readonly allocation: ShardAllocation;
  readonly ceasing: ReadonlySet<number>;
}

export function createMembership(id: string, name: string, shardCount: number): Membership {
  return {
    id,
    name,
    shardCount,
    detector: INITIAL_FAILURE_DETECTOR_STATE,
    held: new Map(),
    heldIn: undefined,
    until: -Infinity,
    ceasing: new Set(),
  };
}

/** Leases that are valid at `now`. */
export function findValidLeases({ held, until }: Membership, now: number): ReadonlyMap<number, FencingToken> {
  return now < until ? held : new Map();
}

/** The member after a read of the register that ended at `now`. */
export function observeRegister(
  member: Membership,
  reading: AllocationReading,
  now: number,
  timing: LeaseTiming,
): Membership {
  return { ...member, detector: observeMembers(member.detector, reading, now, timing) };
}

/**
 * What the member writes after a read: its heartbeat, the removal of dead members, the shards that it releases and
 * those that it takes. `before` and `member` are its state before and after `observeRegister`.
 */
export function proposeAllocation(
  before: Membership,
  member: Membership,
  reading: AllocationReading,
  now: number,
  timing: LeaseTiming,
  newEra: NewEra,
): AllocationProposal {
  const isRegisterLost = hasRegisterLostState(before.detector, reading) || hasOtherShardCount(member, reading);
  const current =
    isRegisterLost || reading.allocation === undefined
      ? createAllocation(member.shardCount, newEra.name, newEra.startedAt)
      : reading.allocation;
  const dead = isRegisterLost ? [] : findSilentMembers(member.detector, now, timing).filter((id) => id !== member.id);
  const living = removeMembers(reclaimLeases(raiseLastToken(current, member, reading), member, now), new Set(dead));
  const isUnsettled = !living.settled && (isRegisterLost || now - member.detector.eraSince < timing.lapseMs);
  const joined = upsertMember(
    { ...living, settled: !isUnsettled },
    { id: member.id, name: member.name, beat: reading.revision },
  );
  return rebalance(releaseCeasedShards(joined, member), member.id, newEra.startedAt);
}

/**
 * Living members that are configured with another number of shards: they and this member exclude each other. Once all
 * of them are silent, the register counts as lost.
 */
export function findConflictingMembers(
  member: Membership,
  reading: AllocationReading,
  now: number,
  timing: LeaseTiming,
): readonly MemberEntry[] {
  if (!hasOtherShardCount(member, reading)) return [];
  const dead = new Set(findSilentMembers(member.detector, now, timing));
  return reading.allocation!.members.filter(({ id }) => !dead.has(id));
}

function hasOtherShardCount({ shardCount }: Membership, { allocation }: AllocationReading): boolean {
  return allocation !== undefined && allocation.grants.length !== shardCount;
}

/** The member after its proposal was written as `revision`; `sentAt` was measured before sending. */
export function applyWrittenProposal(
  member: Membership,
  { allocation, ceasing }: AllocationProposal,
  revision: number,
  sentAt: number,
  { validMs }: LeaseTiming,
): Membership {
  const owned = listOwnedShards(allocation, member.id).filter((shard) => !ceasing.has(shard));
  const held = new Map(owned.map((shard) => [shard, allocation.grants[shard]!.token]));
  // The era of a register that lost its state is observed from the next read on.
  const detector = allocation.era === member.detector.era ? { ...member.detector, revision } : member.detector;
  const highToken = Math.max(detector.highToken, allocation.lastToken);
  return {
    ...member,
    detector: { ...detector, highToken },
    held,
    heldIn: allocation.era,
    until: sentAt + validMs,
    ceasing,
  };
}

/** Tokens never decrease: not below any that was seen, also after the register lost its state. */
function raiseLastToken(
  allocation: ShardAllocation,
  { detector }: Membership,
  { revision }: AllocationReading,
): ShardAllocation {
  return { ...allocation, lastToken: Math.max(allocation.lastToken, detector.highToken, revision) };
}

/** In a new era a member first claims what it holds: no other member can have it until the lease has expired. */
function reclaimLeases(allocation: ShardAllocation, member: Membership, now: number): ShardAllocation {
  if (allocation.settled || member.heldIn === allocation.era) return allocation;
  const held = findValidLeases(member, now);
  const claim = (grant: ShardGrant | undefined, shard: number): ShardGrant | undefined => {
    const token = held.get(shard);
    return grant ?? (token === undefined ? undefined : { owner: member.id, token });
  };
  return { ...allocation, grants: allocation.grants.map(claim) };
}

function upsertMember(allocation: ShardAllocation, entry: MemberEntry): ShardAllocation {
  const present = allocation.members.some(({ id }) => id === entry.id);
  const members = present
    ? allocation.members.map((each) => (each.id === entry.id ? entry : each))
    : [...allocation.members, entry];
  return { ...allocation, members };
}

function releaseCeasedShards(allocation: ShardAllocation, { id, ceasing }: Membership): ShardAllocation {
  if (ceasing.size === 0) return allocation;
  return {
    ...allocation,
    grants: allocation.grants.map((grant, shard) => (grant?.owner === id && ceasing.has(shard) ? undefined : grant)),
  };
}

/** Takes free shards up to the quota, or marks shards above it for release. */
function rebalance(allocation: ShardAllocation, id: string, now: number): AllocationProposal {
  const mine = listOwnedShards(allocation, id);
  const quota = computeQuota(allocation, id);
  const ceasing = new Set(mine.slice(quota));
  let available = allocation.settled ? Math.max(0, quota - mine.length) : 0;
  if (available === 0) return { allocation, ceasing };
  const token = Math.max(allocation.lastToken + 1, now);
  const grants = allocation.grants.map((grant) => grant ?? (available-- > 0 ? { owner: id, token } : undefined));
  return { allocation: { ...allocation, lastToken: token, grants }, ceasing };
}
