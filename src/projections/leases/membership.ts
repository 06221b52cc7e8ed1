import { type Allocation, founded, type Grant, owned, quotaOf, type Seat, without } from './allocation.js';
import type { FencingToken } from './leases.js';
import type { LeaseTiming } from './timing.js';
import { hasForgotten, type Look, NOTHING_SEEN, observed, silent, type Watch } from './watch.js';

/** What a member knows and has. Times are elapsed ms by its own clock. */
export interface Membership {
  readonly id: string;
  readonly name: string;
  /** How many shares there are to its knowledge. */
  readonly shares: number;
  readonly watch: Watch;
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
export interface Proposal {
  readonly allocation: Allocation;
  readonly ceasing: ReadonlySet<number>;
}

export function newcomer(id: string, name: string, shares: number): Membership {
  return { id, name, shares, watch: NOTHING_SEEN, held: new Map(), heldIn: undefined, until: -Infinity, ceasing: new Set() };
}

/** What the member may work on at `now`. */
export function holdings({ held, until }: Membership, now: number): ReadonlyMap<number, FencingToken> {
  return now < until ? held : new Map();
}

/** The member after a look that ended at `now`. */
export function looked(member: Membership, look: Look, now: number, timing: LeaseTiming): Membership {
  return { ...member, watch: observed(member.watch, look, now, timing) };
}

/**
 * What the member writes on what it saw: that it lives, who is dead, what it gives back and what it takes. `member` is the one after
 * the look (`looked`), `before` the one before it.
 */
export function proposal(before: Membership, member: Membership, look: Look, now: number, timing: LeaseTiming, newEra: NewEra): Proposal {
  const forgotten = hasForgotten(before.watch, look) || isOfOthers(member, look);
  const found = forgotten || look.allocation === undefined ? founded(member.shares, newEra.name, newEra.startedAt) : look.allocation;
  const dead = forgotten ? [] : silent(member.watch, now, timing).filter((id) => id !== member.id);
  const living = without(reclaimed(withTokens(found, member, look), member, now), new Set(dead));
  const quiet = !living.settled && (forgotten || now - member.watch.eraSince < timing.lapseMs);
  const seated = withSeat({ ...living, settled: !quiet }, { id: member.id, name: member.name, beat: look.revision });
  return balanced(given(seated, member), member.id, newEra.startedAt);
}

/**
 * Members of which anybody lives who divide by another number of shares than this one: they and this one exclude each other. Once
 * all are silent, the register is as good as forgotten.
 */
export function opponents(member: Membership, look: Look, now: number, timing: LeaseTiming): readonly Seat[] {
  if (!isOfOthers(member, look)) return [];
  const dead = new Set(silent(member.watch, now, timing));
  return look.allocation!.seats.filter(({ id }) => !dead.has(id));
}

function isOfOthers({ shares }: Membership, { allocation }: Look): boolean {
  return allocation !== undefined && allocation.grants.length !== shares;
}

/** The member after its proposal was written, as `revision`; `sentAt` is from before it was sent. */
export function written(member: Membership, { allocation, ceasing }: Proposal, revision: number, sentAt: number, { validMs }: LeaseTiming): Membership {
  const kept = owned(allocation, member.id).filter((share) => !ceasing.has(share));
  const held = new Map(kept.map((share) => [share, allocation.grants[share]!.token]));
  // The era of a register that forgot is watched from the next look on.
  const watch = allocation.era === member.watch.era ? { ...member.watch, revision } : member.watch;
  const highToken = Math.max(watch.highToken, allocation.lastToken);
  return { ...member, watch: { ...watch, highToken }, held, heldIn: allocation.era, until: sentAt + validMs, ceasing };
}

/** Tokens never fall: not below what anybody saw, also after the register has forgotten. */
function withTokens(allocation: Allocation, { watch }: Membership, { revision }: Look): Allocation {
  return { ...allocation, lastToken: Math.max(allocation.lastToken, watch.highToken, revision) };
}

/** In a new era a member says first what it holds: nobody else can have it until its lease has lapsed. */
function reclaimed(allocation: Allocation, member: Membership, now: number): Allocation {
  if (allocation.settled || member.heldIn === allocation.era) return allocation;
  const held = holdings(member, now);
  const claim = (grant: Grant | undefined, share: number): Grant | undefined => {
    const token = held.get(share);
    return grant ?? (token === undefined ? undefined : { owner: member.id, token });
  };
  return { ...allocation, grants: allocation.grants.map(claim) };
}

function withSeat(allocation: Allocation, seat: Seat): Allocation {
  const present = allocation.seats.some(({ id }) => id === seat.id);
  const seats = present ? allocation.seats.map((each) => (each.id === seat.id ? seat : each)) : [...allocation.seats, seat];
  return { ...allocation, seats };
}

function given(allocation: Allocation, { id, ceasing }: Membership): Allocation {
  if (ceasing.size === 0) return allocation;
  return { ...allocation, grants: allocation.grants.map((grant, share) => (grant?.owner === id && ceasing.has(share) ? undefined : grant)) };
}

/** Takes what is free up to the quota, or names what is above it. */
function balanced(allocation: Allocation, id: string, now: number): Proposal {
  const mine = owned(allocation, id);
  const quota = quotaOf(allocation, id);
  const ceasing = new Set(mine.slice(quota));
  let room = allocation.settled ? Math.max(0, quota - mine.length) : 0;
  if (room === 0) return { allocation, ceasing };
  const token = Math.max(allocation.lastToken + 1, now);
  const grants = allocation.grants.map((grant) => grant ?? (room-- > 0 ? { owner: id, token } : undefined));
  return { allocation: { ...allocation, lastToken: token, grants }, ceasing };
}
