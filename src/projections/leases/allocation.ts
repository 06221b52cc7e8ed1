import type { FencingToken } from './leases.js';

/** As many as two hex digits name. */
export const PARTITIONS = 256;

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
  /** By partition; undefined: free. */
  readonly grants: readonly (Grant | undefined)[];
}

/** An allocation in which nobody has anything. */
export function founded(era: string, lastToken: FencingToken, settled = false): Allocation {
  return { era, settled, lastToken, seats: [], grants: new Array<undefined>(PARTITIONS).fill(undefined) };
}

/** Partitions of a member, in order. */
export function owned({ grants }: Pick<Allocation, 'grants'>, id: string): number[] {
  return grants.flatMap((grant, partition) => (grant?.owner === id ? [partition] : []));
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
 * How many partitions a member may have: the number that everybody has, and one of the odd ones if not all of these are with others.
 * The quotas of all members together are never less than all partitions.
 */
export function quotaOf(allocation: Allocation, id: string): number {
  const everybody = Math.floor(PARTITIONS / allocation.seats.length);
  const odd = PARTITIONS % allocation.seats.length;
  const richer = allocation.seats.filter((seat) => seat.id !== id && owned(allocation, seat.id).length > everybody);
  return richer.length < odd ? everybody + 1 : everybody;
}
