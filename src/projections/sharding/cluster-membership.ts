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

/** What a member knows and has. Times are elapsed ms by its own clock. */
export interface Membership {
  readonly id: string;
  readonly name: string;
  /** How many shares there are to its knowledge. */
  readonly shares: number;
  readonly watch: FailureDetectorState;
  readonly held: ReadonlyMap<number, FencingToken>;
  /** The era in which `held` was granted. */
  readonly heldIn: string | undefined;
  /** Up to when `held` is valid. */
  readonly until: number;
  /** Granted still, but not worked on any more: free with the next write. */
  readonly ceasing: ReadonlySet<number>;
}

/** What begins where the register has forgotten. */
export interface NewEra {
  readonly name: string;
  /**
   * The wall clock (ms since 1970). No token is granted below it, so that they also rise where nobody is left who remembers the
   * last one, and past those of processes that held everything without a register. Nothing else depends on it.
   */
  readonly startedAt: number;
}

/** What a member would write, and what it is to stop working on once that is written. */
export interface AllocationProposal {
  readonly allocation: ShardAllocation;
  readonly ceasing: ReadonlySet<number>;
}

export function createMembership(id: string, name: string, shares: number): Membership {
  return {
    id,
    name,
    shares,
    watch: INITIAL_FAILURE_DETECTOR_STATE,
    held: new Map(),
    heldIn: undefined,
    until: -Infinity,
    ceasing: new Set(),
  };
}

/** What the member may work on at `now`. */
export function findValidLeases({ held, until }: Membership, now: number): ReadonlyMap<number, FencingToken> {
  return now < until ? held : new Map();
}

/** The member after a look that ended at `now`. */
export function observeRegister(
  member: Membership,
  look: AllocationReading,
  now: number,
  timing: LeaseTiming,
): Membership {
  return { ...member, watch: observeMembers(member.watch, look, now, timing) };
}

/**
 * What the member writes on what it saw: that it lives, who is dead, what it gives back and what it takes. `member` is the one after
 * the look (`looked`), `before` the one before it.
 */
export function proposeAllocation(
  before: Membership,
  member: Membership,
  look: AllocationReading,
  now: number,
  timing: LeaseTiming,
  newEra: NewEra,
): AllocationProposal {
  const forgotten = hasRegisterLostState(before.watch, look) || hasOtherShardCount(member, look);
  const found =
    forgotten || look.allocation === undefined
      ? createAllocation(member.shares, newEra.name, newEra.startedAt)
      : look.allocation;
  const dead = forgotten ? [] : findSilentMembers(member.watch, now, timing).filter((id) => id !== member.id);
  const living = removeMembers(reclaimLeases(raiseLastToken(found, member, look), member, now), new Set(dead));
  const quiet = !living.settled && (forgotten || now - member.watch.eraSince < timing.lapseMs);
  const seated = upsertMember(
    { ...living, settled: !quiet },
    { id: member.id, name: member.name, beat: look.revision },
  );
  return rebalance(releaseCeasedShards(seated, member), member.id, newEra.startedAt);
}

/**
 * Members of which anybody lives who divide by another number of shares than this one: they and this one exclude each other. Once
 * all are silent, the register is as good as forgotten.
 */
export function findConflictingMembers(
  member: Membership,
  look: AllocationReading,
  now: number,
  timing: LeaseTiming,
): readonly MemberEntry[] {
  if (!hasOtherShardCount(member, look)) return [];
  const dead = new Set(findSilentMembers(member.watch, now, timing));
  return look.allocation!.seats.filter(({ id }) => !dead.has(id));
}

function hasOtherShardCount({ shares }: Membership, { allocation }: AllocationReading): boolean {
  return allocation !== undefined && allocation.grants.length !== shares;
}

/** The member after its proposal was written, as `revision`; `sentAt` is from before it was sent. */
export function applyWrittenProposal(
  member: Membership,
  { allocation, ceasing }: AllocationProposal,
  revision: number,
  sentAt: number,
  { validMs }: LeaseTiming,
): Membership {
  const kept = listOwnedShards(allocation, member.id).filter((share) => !ceasing.has(share));
  const held = new Map(kept.map((share) => [share, allocation.grants[share]!.token]));
  // The era of a register that forgot is watched from the next look on.
  const watch = allocation.era === member.watch.era ? { ...member.watch, revision } : member.watch;
  const highToken = Math.max(watch.highToken, allocation.lastToken);
  return { ...member, watch: { ...watch, highToken }, held, heldIn: allocation.era, until: sentAt + validMs, ceasing };
}

/** Tokens never fall: not below what anybody saw, also after the register has forgotten. */
function raiseLastToken(
  allocation: ShardAllocation,
  { watch }: Membership,
  { revision }: AllocationReading,
): ShardAllocation {
  return { ...allocation, lastToken: Math.max(allocation.lastToken, watch.highToken, revision) };
}

/** In a new era a member says first what it holds: nobody else can have it until its lease has lapsed. */
function reclaimLeases(allocation: ShardAllocation, member: Membership, now: number): ShardAllocation {
  if (allocation.settled || member.heldIn === allocation.era) return allocation;
  const held = findValidLeases(member, now);
  const claim = (grant: ShardGrant | undefined, share: number): ShardGrant | undefined => {
    const token = held.get(share);
    return grant ?? (token === undefined ? undefined : { owner: member.id, token });
  };
  return { ...allocation, grants: allocation.grants.map(claim) };
}

function upsertMember(allocation: ShardAllocation, seat: MemberEntry): ShardAllocation {
  const present = allocation.seats.some(({ id }) => id === seat.id);
  const seats = present
    ? allocation.seats.map((each) => (each.id === seat.id ? seat : each))
    : [...allocation.seats, seat];
  return { ...allocation, seats };
}

function releaseCeasedShards(allocation: ShardAllocation, { id, ceasing }: Membership): ShardAllocation {
  if (ceasing.size === 0) return allocation;
  return {
    ...allocation,
    grants: allocation.grants.map((grant, share) => (grant?.owner === id && ceasing.has(share) ? undefined : grant)),
  };
}

/** Takes what is free up to the quota, or names what is above it. */
function rebalance(allocation: ShardAllocation, id: string, now: number): AllocationProposal {
  const mine = listOwnedShards(allocation, id);
  const quota = computeQuota(allocation, id);
  const ceasing = new Set(mine.slice(quota));
  let room = allocation.settled ? Math.max(0, quota - mine.length) : 0;
  if (room === 0) return { allocation, ceasing };
  const token = Math.max(allocation.lastToken + 1, now);
  const grants = allocation.grants.map((grant) => grant ?? (room-- > 0 ? { owner: id, token } : undefined));
  return { allocation: { ...allocation, lastToken: token, grants }, ceasing };
}
