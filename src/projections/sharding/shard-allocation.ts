import type { FencingToken } from './shard-leases.js';
import { HindsightError } from '../../errors.js';

export interface MemberEntry {
  readonly id: string;
  readonly name: string;
  /** Changes with every heartbeat within an era: the revision on which the member wrote. */
  readonly beat: number;
}

export interface ShardGrant {
  readonly owner: string;
  readonly token: FencingToken;
}

/** State that all members share: one value of one register, so that every step is a compare-and-swap of the whole. */
export interface ShardAllocation {
  /** Changes each time the register was found empty or older than before. */
  readonly era: string;
  /** False until everything granted in an earlier era has expired; until then no member takes free shards. */
  readonly settled: boolean;
  readonly lastToken: FencingToken;
  readonly members: readonly MemberEntry[];
  /** By shard; undefined: free. */
  readonly grants: readonly (ShardGrant | undefined)[];
}

/** An allocation without members, in which all shards are free. */
export function createAllocation(
  shardCount: number,
  era: string,
  lastToken: FencingToken,
  settled = false,
): ShardAllocation {
  return { era, settled, lastToken, members: [], grants: new Array<undefined>(shardCount).fill(undefined) };
}

/** Shards of a member, in ascending order. */
export function listOwnedShards({ grants }: Pick<ShardAllocation, 'grants'>, id: string): number[] {
  return grants.flatMap((grant, shard) => (grant?.owner === id ? [shard] : []));
}

/** The allocation without these members; their shards become free. */
export function removeMembers(allocation: ShardAllocation, ids: ReadonlySet<string>): ShardAllocation {
  if (ids.size === 0) return allocation;
  return {
    ...allocation,
    members: allocation.members.filter(({ id }) => !ids.has(id)),
    grants: allocation.grants.map((grant) => (grant !== undefined && ids.has(grant.owner) ? undefined : grant)),
  };
}

/**
 * Shards that a member may own: the same number for all, plus one of the remainder unless enough other members have one
 * more. The quotas of all members add up to at least all shards.
 */
export function computeQuota(allocation: ShardAllocation, id: string): number {
  const base = Math.floor(allocation.grants.length / allocation.members.length);
  const remainder = allocation.grants.length % allocation.members.length;
  const membersAboveBase = allocation.members.filter(
    (member) => member.id !== id && listOwnedShards(allocation, member.id).length > base,
  );
  return membersAboveBase.length < remainder ? base + 1 : base;
}

const ALLOCATION_FORMAT = 1;

/** Owners by their index in `seats`, -1 for none: the ids of 256 shards would be most of the value. */
interface EncodedAllocation {
  readonly format: number;
  readonly era: string;
  readonly settled: boolean;
  readonly lastToken: number;
  readonly seats: readonly MemberEntry[];
  readonly owners: readonly number[];
  readonly tokens: readonly number[];
}

export function encodeAllocation({ era, settled, lastToken, members: seats, grants }: ShardAllocation): string {
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

/** Throws `unavailable` for a value that this version did not write: no leases are better than two kinds of them. */
export function decodeAllocation(text: string): ShardAllocation {
  const { era, settled, lastToken, seats, owners, tokens } = parseEncodedAllocation(text);
  const grants = owners.map((owner, shard): ShardGrant | undefined =>
    owner < 0 ? undefined : { owner: seats[owner].id, token: tokens[shard] },
  );
  return { era, settled, lastToken, members: seats, grants };
}

function parseEncodedAllocation(text: string): EncodedAllocation {
  const value = parseJson(text) as Partial<EncodedAllocation> | null | undefined;
  const isValid =
    value?.format === ALLOCATION_FORMAT &&
    Array.isArray(value.seats) &&
    Array.isArray(value.owners) &&
    value.owners.length > 0 &&
    value.tokens?.length === value.owners.length &&
    value.owners.every((owner) => owner < value.seats!.length);
  if (!isValid)
    throw new HindsightError(
      'unavailable',
      'The shard allocation was written by an incompatible version or is damaged',
    );
  return value as EncodedAllocation;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // The caller reports it like any other invalid allocation.
    return undefined;
  }
}
