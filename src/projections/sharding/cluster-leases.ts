import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { BehaviorSubject, type Observable } from 'rxjs';
import type { Health } from '../../component.js';
import type { Logger } from '../../self-telemetry/logger.js';
import {
  decodeAllocation,
  encodeAllocation,
  listOwnedShards,
  removeMembers,
  type ShardAllocation,
} from './shard-allocation.js';
import type { FencingToken, LeasedShards, LeaseMember, ShardLeases } from './shard-leases.js';
import {
  applyWrittenProposal,
  createMembership,
  findConflictingMembers,
  findValidLeases,
  type Membership,
  observeRegister,
  proposeAllocation,
} from './cluster-membership.js';
import type { SharedRegister } from './shared-register.js';
import { type AllocationReading, LEASE_TIMING, type LeaseTiming } from './failure-detector.js';
import { uptime } from 'node:os';

/** How often a write is retried at once because another member wrote meanwhile. */
const MAX_WRITE_ATTEMPTS = 8;

export interface LeaseOptions {
  /** Where the member runs, for log output and reports. */
  readonly name: string;
  /** Number of shards; all members MUST use the same. */
  readonly shardCount: number;
  readonly timing?: LeaseTiming;
}

/**
 * Leases through a register that all members share: each reads it once per heartbeat, proposes a change, and owns what
 * the register accepted.
 */
export class ClusterLeases implements ShardLeases {
  readonly #held = new BehaviorSubject<LeasedShards>(new Map());
  readonly #members = new BehaviorSubject<readonly LeaseMember[]>([]);
  readonly #closing = new AbortController();
  #membership: Membership;
  #renewing: Promise<void> | undefined;
  #expiryTimer: NodeJS.Timeout | undefined;
  #failure: string | undefined;

  readonly #timing: LeaseTiming;

  /** `close` leaves the register open. */
  constructor(
    private readonly register: SharedRegister,
    { name, shardCount, timing = LEASE_TIMING }: LeaseOptions,
    private readonly log: Logger,
  ) {
    this.#membership = createMembership(randomUUID(), name, shardCount);
    this.#timing = timing;
  }

  get held(): Observable<LeasedShards> {
    return this.#held;
  }

  get members(): Observable<readonly LeaseMember[]> {
    return this.#members;
  }

  join(): void {
    if (!this.#closing.signal.aborted) this.#renewing ??= this.#renewLoop();
  }

  fencingToken(shard: number): FencingToken | undefined {
    if (this.#closing.signal.aborted) return undefined;
    return findValidLeases(this.#membership, readMonotonicMs()).get(shard);
  }

  check(): Promise<Health> {
    return Promise.resolve(this.#health());
  }

  async close(): Promise<void> {
    const first = !this.#closing.signal.aborted;
    this.#closing.abort();
    this.#publishLeases();
    await this.#renewing;
    if (first && this.#renewing !== undefined) await this.#leave();
    this.#held.complete();
    this.#members.complete();
  }

  #health(): Health {
    if (this.#closing.signal.aborted) return { ok: false, reason: 'the leases are closed' };
    const failure = this.#failure ?? 'this process has not joined yet';
    if (readMonotonicMs() >= this.#membership.until) return { ok: false, reason: `no lease is valid: ${failure}` };
    return this.#failure === undefined ? { ok: true } : { ok: true, degraded: `leases are not renewed: ${failure}` };
  }

  async #renewLoop(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      await this.#renew();
      // With jitter, so that members do not keep writing at the same moment.
      await delay(this.#timing.beatMs * (0.9 + Math.random() / 10), undefined, { signal }).catch(() => undefined);
    }
  }

  async #renew(): Promise<void> {
    try {
      for (let attempt = 0; attempt < MAX_WRITE_ATTEMPTS && !this.#closing.signal.aborted; attempt++) {
        if (await this.#tryRenew()) return;
        await delay(Math.random() * 5 * 2 ** attempt);
      }
    } catch (error) {
      this.#recordFailure(error instanceof Error ? error.message : String(error));
    }
  }

  /** False if another member wrote between the read and the write. */
  async #tryRenew(): Promise<boolean> {
    const reading = await this.#readAllocation();
    const before = this.#membership;
    const now = readMonotonicMs();
    this.#membership = observeRegister(before, reading, now, this.#timing);
    this.#assertSameShardCount(reading, now);
    const proposed = proposeAllocation(before, this.#membership, reading, now, this.#timing, {
      name: randomUUID(),
      startedAt: Date.now(),
    });
    const revision = await this.register.write(encodeAllocation(proposed.allocation), reading.revision);
    if (revision === undefined) return false;
    this.#membership = applyWrittenProposal(this.#membership, proposed, revision, now, this.#timing);
    this.#failure = undefined;
    this.#publish(proposed.allocation);
    return true;
  }

  #assertSameShardCount(reading: AllocationReading, now: number): void {
    const conflicting = findConflictingMembers(this.#membership, reading, now, this.#timing);
    if (conflicting.length === 0) return;
    const names = conflicting.map(({ name }) => name).join(', ');
    throw new Error(
      `${names} divide the Grids into ${reading.allocation!.grants.length} shards, and this process into ${this.#membership.shardCount}`,
    );
  }

  async #readAllocation(): Promise<AllocationReading> {
    const { value, revision } = await this.register.read();
    return { allocation: value === undefined ? undefined : decodeAllocation(value), revision };
  }

  #publish(allocation: ShardAllocation): void {
    this.#members.next(
      allocation.members.map(({ id, name }) => ({ id, name, shardCount: listOwnedShards(allocation, id).length })),
    );
    this.#publishLeases();
  }

  /** Publishes the valid leases now, and again when they expire, whatever happens to the register until then. */
  #publishLeases(): void {
    const now = readMonotonicMs();
    const held: LeasedShards = this.#closing.signal.aborted ? new Map() : findValidLeases(this.#membership, now);
    if (!areLeasesEqual(held, this.#held.value)) this.#held.next(held);
    clearTimeout(this.#expiryTimer);
    if (held.size > 0) this.#expiryTimer = setTimeout(() => this.#publishLeases(), this.#membership.until - now + 1);
  }

  /** Logs a failure once, not with every heartbeat. */
  #recordFailure(failure: string): void {
    if (failure !== this.#failure) this.log.warn('Cannot renew shard leases; retrying', { reason: failure });
    this.#failure = failure;
  }

  async #leave(): Promise<void> {
    try {
      for (let attempt = 0; attempt < MAX_WRITE_ATTEMPTS; attempt++) {
        const { allocation, revision } = await this.#readAllocation();
        if (allocation === undefined) return;
        const remaining = removeMembers(allocation, new Set([this.#membership.id]));
        if ((await this.register.write(encodeAllocation(remaining), revision)) !== undefined) return;
      }
    } catch (error) {
      // The other members will detect the failure after the lease timeout.
      this.log.warn('Cannot release shard leases; other processes take over when they expire', { error });
    }
  }
}

function areLeasesEqual(a: LeasedShards, b: LeasedShards): boolean {
  return a.size === b.size && [...a].every(([shard, token]) => b.get(shard) === token);
}

const startedAt = performance.now() - uptime() * 1_000;

/**
 * Elapsed ms since an arbitrary moment. Includes time that the machine was suspended, which `performance.now` does not.
 */
export function readMonotonicMs(): number {
  return Math.max(performance.now(), startedAt + uptime() * 1_000);
}
