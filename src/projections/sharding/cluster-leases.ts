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

/** How often a write is tried again at once because others wrote meanwhile. */
const MAX_WRITE_ATTEMPTS = 8;

export interface LeaseOptions {
  /** For people: where the member runs. */
  readonly name: string;
  /** How many there are; all members MUST say the same. */
  readonly shares: number;
  readonly timing?: LeaseTiming;
}

/** Leases by a register that all members share: each looks once a beat, proposes, and has what the register took. */
export class ClusterLeases implements ShardLeases {
  readonly #held = new BehaviorSubject<LeasedShards>(new Map());
  readonly #members = new BehaviorSubject<readonly LeaseMember[]>([]);
  readonly #closing = new AbortController();
  #membership: Membership;
  #keeping: Promise<void> | undefined;
  #lapse: NodeJS.Timeout | undefined;
  #failure: string | undefined;

  readonly #timing: LeaseTiming;

  /** Closes nothing but itself. */
  constructor(
    private readonly register: SharedRegister,
    { name, shares, timing = LEASE_TIMING }: LeaseOptions,
    private readonly log: Logger,
  ) {
    this.#membership = createMembership(randomUUID(), name, shares);
    this.#timing = timing;
  }

  get held(): Observable<LeasedShards> {
    return this.#held;
  }

  get members(): Observable<readonly LeaseMember[]> {
    return this.#members;
  }

  join(): void {
    if (!this.#closing.signal.aborted) this.#keeping ??= this.#renewLoop();
  }

  fencingToken(share: number): FencingToken | undefined {
    if (this.#closing.signal.aborted) return undefined;
    return findValidLeases(this.#membership, readMonotonicMs()).get(share);
  }

  check(): Promise<Health> {
    return Promise.resolve(this.#health());
  }

  async close(): Promise<void> {
    const first = !this.#closing.signal.aborted;
    this.#closing.abort();
    this.#publishLeases();
    await this.#keeping;
    if (first && this.#keeping !== undefined) await this.#leave();
    this.#held.complete();
    this.#members.complete();
  }

  #health(): Health {
    if (this.#closing.signal.aborted) return { ok: false, reason: 'the leases are closed' };
    const failure = this.#failure ?? 'no seat has been taken yet';
    if (readMonotonicMs() >= this.#membership.until) return { ok: false, reason: `no lease is valid: ${failure}` };
    return this.#failure === undefined ? { ok: true } : { ok: true, degraded: `leases are not renewed: ${failure}` };
  }

  async #renewLoop(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      await this.#renew();
      // Uneven, so that members do not keep writing at the same moment.
      await delay(this.#timing.beatMs * (0.9 + Math.random() / 10), undefined, { signal }).catch(() => undefined);
    }
  }

  async #renew(): Promise<void> {
    try {
      for (let tries = 0; tries < MAX_WRITE_ATTEMPTS && !this.#closing.signal.aborted; tries++) {
        if (await this.#tryRenew()) return;
        await delay(Math.random() * 5 * 2 ** tries);
      }
    } catch (error) {
      this.#recordFailure(error instanceof Error ? error.message : String(error));
    }
  }

  /** False where another wrote between the look and the write. */
  async #tryRenew(): Promise<boolean> {
    const look = await this.#readAllocation();
    const before = this.#membership;
    const now = readMonotonicMs();
    this.#membership = observeRegister(before, look, now, this.#timing);
    this.#assertSameShardCount(look, now);
    const proposed = proposeAllocation(before, this.#membership, look, now, this.#timing, {
      name: randomUUID(),
      startedAt: Date.now(),
    });
    const revision = await this.register.write(encodeAllocation(proposed.allocation), look.revision);
    if (revision === undefined) return false;
    this.#membership = applyWrittenProposal(this.#membership, proposed, revision, now, this.#timing);
    this.#failure = undefined;
    this.#publish(proposed.allocation);
    return true;
  }

  #assertSameShardCount(look: AllocationReading, now: number): void {
    const others = findConflictingMembers(this.#membership, look, now, this.#timing);
    if (others.length === 0) return;
    const names = others.map(({ name }) => name).join(', ');
    throw new Error(
      `${names} divide the Grids into ${look.allocation!.grants.length} shares, and this process into ${this.#membership.shares}`,
    );
  }

  async #readAllocation(): Promise<AllocationReading> {
    const { value, revision } = await this.register.read();
    return { allocation: value === undefined ? undefined : decodeAllocation(value), revision };
  }

  #publish(allocation: ShardAllocation): void {
    this.#members.next(
      allocation.seats.map(({ id, name }) => ({ id, name, shares: listOwnedShards(allocation, id).length })),
    );
    this.#publishLeases();
  }

  /** Told now, and again when the leases lapse, whatever the register does until then. */
  #publishLeases(): void {
    const now = readMonotonicMs();
    const held: LeasedShards = this.#closing.signal.aborted ? new Map() : findValidLeases(this.#membership, now);
    if (!areLeasesEqual(held, this.#held.value)) this.#held.next(held);
    clearTimeout(this.#lapse);
    if (held.size > 0) this.#lapse = setTimeout(() => this.#publishLeases(), this.#membership.until - now + 1);
  }

  /** Told once, not with each beat. */
  #recordFailure(failure: string): void {
    if (failure !== this.#failure) this.log.warn('leases of shares cannot be renewed', { reason: failure });
    this.#failure = failure;
  }

  async #leave(): Promise<void> {
    try {
      for (let tries = 0; tries < MAX_WRITE_ATTEMPTS; tries++) {
        const { allocation, revision } = await this.#readAllocation();
        if (allocation === undefined) return;
        const left = removeMembers(allocation, new Set([this.#membership.id]));
        if ((await this.register.write(encodeAllocation(left), revision)) !== undefined) return;
      }
    } catch (error) {
      // Then the others find out by themselves.
      this.log.warn('leases of shares could not be given back', { error });
    }
  }
}

function areLeasesEqual(one: LeasedShards, other: LeasedShards): boolean {
  return one.size === other.size && [...one].every(([share, token]) => other.get(share) === token);
}

const startedAt = performance.now() - uptime() * 1_000;

/** Elapsed ms since some moment. Counts the time that the machine slept, for which `performance.now` stands still. */
export function readMonotonicMs(): number {
  return Math.max(performance.now(), startedAt + uptime() * 1_000);
}
