import type { ShardAllocation } from '../../src/projections/sharding/shard-allocation.js';
import { removeMembers } from '../../src/projections/sharding/shard-allocation.js';
import {
  findValidLeases,
  observeRegister,
  createMembership,
  proposeAllocation,
  applyWrittenProposal,
  type Membership,
} from '../../src/projections/sharding/cluster-membership.js';
import { LEASE_TIMING } from '../../src/projections/sharding/failure-detector.js';
import type { VirtualTime } from './virtual-time.js';

/** Maximum latency (ms) of a read or write of the register. */
const MAX_REGISTER_LATENCY_MS = 10;

interface Member {
  state: Membership;
  isGone: boolean;
}

/**
 * Members that share leases by the rules of the product (`membership.ts`) over one register, in virtual time. Members
 * die and leave; the register may be unreachable. Clocks are correct and writes arrive; other failures are covered by
 * the tests of the leases.
 */
export class SimulatedLeases {
  readonly #members = new Map<string, Member>();
  #register: { allocation: ShardAllocation | undefined; revision: number } = { allocation: undefined, revision: 0 };
  #isAway = false;

  constructor(
    private readonly time: VirtualTime,
    private readonly chance: () => number,
    private readonly shares: number,
  ) {}

  get living(): string[] {
    return [...this.#members].filter(([, { isGone }]) => !isGone).map(([id]) => id);
  }

  join(id: string): void {
    this.#members.set(id, { state: createMembership(id, id, this.shares), isGone: false });
    this.time.schedule(this.chance() * LEASE_TIMING.beatMs, () => this.#beat(id));
  }

  /** Like kill -9, or a lost machine. */
  kill(id: string): void {
    this.#members.get(id)!.isGone = true;
  }

  /** Clean stop: releases all leases. */
  leave(id: string): void {
    this.kill(id);
    const { allocation, revision } = this.#register;
    if (allocation !== undefined)
      this.#register = { allocation: removeMembers(allocation, new Set([id])), revision: revision + 1 };
  }

  /** Whether the register is unreachable. */
  setRegisterUnavailable(isAway: boolean): void {
    this.#isAway = isAway;
  }

  /** Shards that the member may work on now. */
  ownedShards(id: string): ReadonlyMap<number, number> {
    const { state, isGone } = this.#members.get(id)!;
    return isGone ? new Map() : findValidLeases(state, this.time.now);
  }

  #beat(id: string): void {
    const member = this.#members.get(id)!;
    if (member.isGone) return;
    this.time.schedule(LEASE_TIMING.beatMs * (0.9 + this.chance() / 10), () => this.#beat(id));
    if (!this.#isAway) this.#renew(id, member);
  }

  #renew(id: string, member: Member): void {
    const snapshot = this.#register;
    const now = this.time.now;
    const state = observeRegister(member.state, snapshot, now, LEASE_TIMING);
    const proposed = proposeAllocation(member.state, state, snapshot, now, LEASE_TIMING, {
      name: `${id} ${now}`,
      startedAt: now,
    });
    member.state = state;
    this.time.schedule(this.chance() * MAX_REGISTER_LATENCY_MS, () => {
      if (this.#isAway || member.isGone) return;
      if (this.#register.revision !== snapshot.revision) return this.#renew(id, member);
      this.#register = { allocation: proposed.allocation, revision: snapshot.revision + 1 };
      member.state = applyWrittenProposal(member.state, proposed, snapshot.revision + 1, now, LEASE_TIMING);
    });
  }
}
