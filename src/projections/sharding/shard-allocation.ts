import type { FencingToken } from './shard-leases.js';
import { HindsightError } from '../../errors.js';

export interface MemberEntry {
  readonly id: string;
  readonly name: string;
  /** Another one with each sign of life within an era: the revision on which the member wrote. */
  readonly beat: number;
}

export interface ShardGrant {
  readonly owner: string;
  readonly token: FencingToken;
}

/** What all members share: one value of one register, so that every step is a comparison and a replacement of the whole. */
export interface ShardAllocation {
  /** Another one each time that the register was found empty, or older than it had been. */
  readonly era: string;
  /** False until everything granted in an earlier era has lapsed; until then nobody takes what is free. */
  readonly settled: boolean;
  readonly lastToken: FencingToken;
  readonly seats: readonly MemberEntry[];
  /** By share; undefined: free. */
  readonly grants: readonly (ShardGrant | undefined)[];
}

/** An allocation of so many shares, in which nobody has anything. */
export function createAllocation(
  shares: number,
  era: string,
  lastToken: FencingToken,
  settled = false,
): ShardAllocation {
  return { era, settled, lastToken, seats: [], grants: new Array<undefined>(shares).fill(undefined) };
}

/** Shares of a member, in order. */
export function listOwnedShards({ grants }: Pick<ShardAllocation, 'grants'>, id: string): number[] {
  return grants.flatMap((grant, share) => (grant?.owner === id ? [share] : []));
}

/** The allocation without these members; what they had is free. */
export function removeMembers(allocation: ShardAllocation, ids: ReadonlySet<string>): ShardAllocation {
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
export function computeQuota(allocation: ShardAllocation, id: string): number {
  const everybody = Math.floor(allocation.grants.length / allocation.seats.length);
  const odd = allocation.grants.length % allocation.seats.length;
  const richer = allocation.seats.filter(
    (seat) => seat.id !== id && listOwnedShards(allocation, seat.id).length > everybody,
  );
  return richer.length < odd ? everybody + 1 : everybody;
}

const ALLOCATION_FORMAT = 1;

/** Owners by their index among the seats, -1 for none: the ids of 256 shares would be most of the value. */
interface EncodedAllocation {
  readonly format: number;
  readonly era: string;
  readonly settled: boolean;
  readonly lastToken: number;
  readonly seats: readonly MemberEntry[];
  readonly owners: readonly number[];
  readonly tokens: readonly number[];
}

export function encodeAllocation({ era, settled, lastToken, seats, grants }: ShardAllocation): string {
  const index = new Map(seats.map(({ id }, i) => [id, i]));
  const owners = grants.map((grant) => (grant === undefined ? -1 : (index.get(grant.owner) ?? -1)));
  const tokens = grants.map((grant) => grant?.token ?? 0);
  return JSON.stringify({
    format: ALLOCATION_FORMAT,
    era,
    settled,
    lastToken,
    seats,
    owners,
    tokens,
  } satisfies EncodedAllocation);
}

/** Throws `unavailable` for what this version did not write: better no leases than two kinds of them. */
export function decodeAllocation(text: string): ShardAllocation {
  const { era, settled, lastToken, seats, owners, tokens } = parseEncodedAllocation(text);
  const grants = owners.map((owner, share): ShardGrant | undefined =>
    owner < 0 ? undefined : { owner: seats[owner].id, token: tokens[share] },
  );
  return { era, settled, lastToken, seats, grants };
}

function parseEncodedAllocation(text: string): EncodedAllocation {
  const value = parseJson(text) as Partial<EncodedAllocation> | null | undefined;
  const whole =
    value?.format === ALLOCATION_FORMAT &&
    Array.isArray(value.seats) &&
    Array.isArray(value.owners) &&
    value.owners.length > 0 &&
    value.tokens?.length === value.owners.length &&
    value.owners.every((owner) => owner < value.seats!.length);
  if (!whole)
    throw new HindsightError('unavailable', 'the allocation of shares was written by another version, or is damaged');
  return value as EncodedAllocation;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // Told by the caller, like anything else that is no allocation.
    return undefined;
  }
}
