import type { FencingToken } from './leases.js';

export interface Seat {
  readonly id: string;
  readonly name: string;
  /** Another one with each sign of life within an era: the revision on which the member wrote. */
  readonly beat: number;
}

export interface Grant {
  readonly owner: string;
  readonly token: FencingToken;
}

/** What all members share: one value of one register, so that every step is a comparison and a replacement of the whole. */
export interface Allocation {
  /** Another one each time that the register was found empty, or older than it had been. */
  readonly era: string;
  /** False until everything granted in an earlier era has lapsed; until then nobody takes what is free. */
  readonly settled: boolean;
  readonly lastToken: FencingToken;
  readonly seats: readonly Seat[];
  /** By share; undefined: free. */
  readonly grants: readonly (Grant | undefined)[];
}

/** An allocation of so many shares, in which nobody has anything. */
export function founded(shares: number, era: string, lastToken: FencingToken, settled = false): Allocation {
  return { era, settled, lastToken, seats: [], grants: new Array<undefined>(shares).fill(undefined) };
}

/** Shares of a member, in order. */
export function owned({ grants }: Pick<Allocation, 'grants'>, id: string): number[] {
  return grants.flatMap((grant, share) => (grant?.owner === id ? [share] : []));
}

/** The allocation without these members; what they had is free. */
export function without(allocation: Allocation, ids: ReadonlySet<string>): Allocation {
  if (ids.size === 0) return allocation;
  return {
    ...allocation,
    seats: allocation.seats.filter(({ id }) => !ids.has(id)),
    grants: allocation.grants.map((grant) => (grant !== undefined && ids.has(grant.owner) ? undefined : grant)),
  };
}

/**
 * How many shares a member may have: the number that everybody has, and one of the odd ones if not all of these are with others.
 * The quotas of all members together are never less than all shares.
 */
export function quotaOf(allocation: Allocation, id: string): number {
  const everybody = Math.floor(allocation.grants.length / allocation.seats.length);
  const odd = allocation.grants.length % allocation.seats.length;
  const richer = allocation.seats.filter((seat) => seat.id !== id && owned(allocation, seat.id).length > everybody);
  return richer.length < odd ? everybody + 1 : everybody;
}
