import { setTimeout as pause } from 'node:timers/promises';
import { decodeAllocation, listOwnedShards, type ShardAllocation } from './shard-allocation.js';
import type { SharedRegister } from './shared-register.js';
import { LEASE_TIMING } from './failure-detector.js';

/** One that has a seat, as seen by somebody who has none. */
export interface ShardOwner {
  /** For people: where it runs. */
  readonly name: string;
  readonly shares: readonly number[];
  /** Whether it gave a sign of life while it was watched. */
  readonly isAlive: boolean;
}

export interface ShardOwnership {
  /** Into how many shares the Grids are divided. */
  readonly count: number;
  readonly keepers: readonly ShardOwner[];
  /** Shares that nobody has. */
  readonly free: readonly number[];
}

/** Members beat once a second, and may be late by a try or two. */
const OBSERVATION_MS = 2.5 * LEASE_TIMING.beatMs;

/** Watches the register for a while, without taking a seat; undefined where nobody ever took one. Rejects with `unavailable` where it cannot be read. */
export async function observeShardOwnership(
  register: Pick<SharedRegister, 'read'>,
  watchedMs = OBSERVATION_MS,
): Promise<ShardOwnership | undefined> {
  const before = await readAllocation(register);
  if (before === undefined) return undefined;
  await pause(watchedMs);
  const now = (await readAllocation(register)) ?? before;
  const beats = new Map(before.seats.map(({ id, beat }) => [id, beat]));
  const keepers = now.seats.map(({ id, name, beat }) => ({
    name,
    shares: listOwnedShards(now, id),
    isAlive: beats.get(id) !== beat,
  }));
  return {
    count: now.grants.length,
    keepers,
    free: now.grants.flatMap((grant, share) => (grant === undefined ? [share] : [])),
  };
}

async function readAllocation(register: Pick<SharedRegister, 'read'>): Promise<ShardAllocation | undefined> {
  const { value } = await register.read();
  return value === undefined ? undefined : decodeAllocation(value);
}
