import { setTimeout as pause } from 'node:timers/promises';
import { decodeAllocation, listOwnedShards, type ShardAllocation } from './shard-allocation.js';
import type { SharedRegister } from './shared-register.js';
import { LEASE_TIMING } from './failure-detector.js';

/** A member of the cluster, as seen by an observer outside. */
export interface ShardOwner {
  /** Where it runs, for display. */
  readonly name: string;
  readonly shards: readonly number[];
  /** Whether it sent a heartbeat during the observation. */
  readonly isAlive: boolean;
}

export interface ShardOwnership {
  /** Number of shards of the installation. */
  readonly count: number;
  readonly owners: readonly ShardOwner[];
  /** Shards without an owner. */
  readonly free: readonly number[];
}

/** Members send a heartbeat once a second, and may be late by a retry or two. */
const OBSERVATION_MS = 2.5 * LEASE_TIMING.beatMs;

/**
 * Observes the register for `observationMs` without joining; undefined if no member ever joined. Rejects with `unavailable`
 * if the register cannot be read.
 */
export async function observeShardOwnership(
  register: Pick<SharedRegister, 'read'>,
  observationMs = OBSERVATION_MS,
): Promise<ShardOwnership | undefined> {
  const before = await readAllocation(register);
  if (before === undefined) return undefined;
  await pause(observationMs);
  const now = (await readAllocation(register)) ?? before;
  const beats = new Map(before.members.map(({ id, beat }) => [id, beat]));
  const owners = now.members.map(({ id, name, beat }) => ({
    name,
    shards: listOwnedShards(now, id),
    isAlive: beats.get(id) !== beat,
  }));
  return {
    count: now.grants.length,
    owners: owners,
    free: now.grants.flatMap((grant, shard) => (grant === undefined ? [shard] : [])),
  };
}

async function readAllocation(register: Pick<SharedRegister, 'read'>): Promise<ShardAllocation | undefined> {
  const { value } = await register.read();
  return value === undefined ? undefined : decodeAllocation(value);
}
