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

/** A question to the register, or a write, takes up to so long (ms). */
const MAX_REGISTER_LATENCY_MS = 10;

interface Member {
  state: Membership;
  isGone: boolean;
}

/**
 * Members that share by the product's own rules (`membership.ts`), over one register, in virtual time. Members die and leave; the
 * register can be away. Clocks are right, and what is written arrives: what else can go wrong is tried by the tests of the leases.
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

  /** As of kill -9, or a machine that is lost. */
  kill(id: string): void {
    this.#members.get(id)!.isGone = true;
  }

  /** In order: gives everything back. */
  leave(id: string): void {
    this.kill(id);
    const { allocation, revision } = this.#register;
    if (allocation !== undefined)
      this.#register = { allocation: removeMembers(allocation, new Set([id])), revision: revision + 1 };
  }

  /** True: nobody can read or write the register. */
  setRegisterUnavailable(isAway: boolean): void {
    this.#isAway = isAway;
  }

  /** Shares that the member may work on now. */
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
    const look = this.#register;
    const now = this.time.now;
    const state = observeRegister(member.state, look, now, LEASE_TIMING);
    const proposed = proposeAllocation(member.state, state, look, now, LEASE_TIMING, {
      name: `${id} ${now}`,
      startedAt: now,
    });
    member.state = state;
    this.time.schedule(this.chance() * MAX_REGISTER_LATENCY_MS, () => {
      if (this.#isAway || member.isGone) return;
      if (this.#register.revision !== look.revision) return this.#renew(id, member);
      this.#register = { allocation: proposed.allocation, revision: look.revision + 1 };
      member.state = applyWrittenProposal(member.state, proposed, look.revision + 1, now, LEASE_TIMING);
    });
  }
}
