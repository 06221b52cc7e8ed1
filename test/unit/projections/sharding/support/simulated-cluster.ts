import {
  decodeAllocation,
  encodeAllocation,
  type ShardAllocation,
} from '../../../../../src/projections/sharding/shard-allocation.js';
import {
  findValidLeases,
  observeRegister,
  type Membership,
  createMembership,
  type AllocationProposal,
  proposeAllocation,
  applyWrittenProposal,
} from '../../../../../src/projections/sharding/cluster-membership.js';
import { type AllocationReading, LEASE_TIMING } from '../../../../../src/projections/sharding/failure-detector.js';

/** Virtual ms between two moments at which everything is looked at. */
const TICK_MS = 50;
const LATEST_WRITE_MS = 3_000;

interface Write {
  readonly by: Member;
  readonly base: number;
  readonly proposed: AllocationProposal;
  readonly sentAt: number;
  readonly dueAt: number;
  readonly reported: boolean;
}

interface Member {
  state: Membership;
  /** What its clock shows at the start of the simulation, and how fast it runs. */
  readonly offset: number;
  readonly rate: number;
  nextBeatAt: number;
  paused: boolean;
  crashed: boolean;
  /** What came while it was paused, done when it continues. */
  readonly inbox: (() => void)[];
}

/** Members, a register and a network in virtual time. `chance` gives numbers from 0 to 1. */
export class SimulatedCluster {
  readonly #members: Member[] = [];
  #register: { text: string | undefined; revision: number } = { text: undefined, revision: 0 };
  #writes: Write[] = [];
  #away = false;
  #faulty = true;
  #now = 0;
  #ids = 0;

  constructor(
    private readonly chance: () => number,
    private readonly shards: number,
  ) {}

  get living(): readonly Member[] {
    return this.#members.filter(({ crashed }) => !crashed);
  }

  get allocation(): ShardAllocation | undefined {
    return this.#register.text === undefined ? undefined : decodeAllocation(this.#register.text);
  }

  join(): void {
    if (this.living.length >= 8) return;
    const id = `member-${this.#ids++}`;
    // Clocks show anything, and differ in speed by up to a tenth.
    const [offset, rate] = [this.chance() * 1e9, 0.955 + this.chance() * 0.09];
    this.#members.push({
      state: createMembership(id, id, this.shards),
      offset,
      rate,
      nextBeatAt: this.#now,
      paused: false,
      crashed: false,
      inbox: [],
    });
  }

  crash(which: number): void {
    this.#pick(which, (member) => (member.crashed = true));
  }

  pause(which: number): void {
    this.#pick(which, (member) => (member.paused = true));
  }

  resume(which: number): void {
    this.#pick(which, (member) => this.#goOn(member));
  }

  away(): void {
    this.#away = true;
  }

  back(): void {
    this.#away = false;
  }

  /** The register is empty, and what was on its way to it is gone with the connections. */
  loseStore(): void {
    this.#register = { text: undefined, revision: 0 };
    this.#writes = [];
  }

  /** No more faults: everybody continues, and what is sent arrives and is answered. */
  heal(): void {
    this.#away = false;
    this.#faulty = false;
    for (const member of this.living) this.#goOn(member);
  }

  /** Lets time pass; `look` is called at each moment. */
  run(ms: number, look: () => void): void {
    for (const end = this.#now + ms; this.#now < end; this.#now += TICK_MS) {
      for (const write of this.#writes.filter(({ dueAt }) => dueAt <= this.#now)) this.#arrive(write);
      for (const member of this.living) if (!member.paused && member.nextBeatAt <= this.#now) this.#beat(member);
      look();
    }
  }

  /** What a member may work on now, by its own clock. A halted process too: it may continue in the midst of its work. */
  holdingsOf(member: Member): ReadonlyMap<number, number> {
    return findValidLeases(member.state, clockOf(member, this.#now));
  }

  #pick(which: number, act: (member: Member) => void): void {
    const { living } = this;
    if (living.length > 0) act(living[which % living.length]);
  }

  #goOn(member: Member): void {
    member.paused = false;
    for (const deed of member.inbox.splice(0)) deed();
  }

  #beat(member: Member): void {
    member.nextBeatAt = this.#now + LEASE_TIMING.beatMs * (0.9 + this.chance() / 10);
    if (this.#away || this.#writes.some(({ by, reported: published }) => by === member && published)) return;
    const { text, revision } = this.#register;
    const look: AllocationReading = { allocation: text === undefined ? undefined : decodeAllocation(text), revision };
    const [before, now] = [member.state, clockOf(member, this.#now)];
    member.state = observeRegister(before, look, now, LEASE_TIMING);
    const proposed = proposeAllocation(before, member.state, look, now, LEASE_TIMING, {
      name: `era-${this.chance()}`,
      startedAt: this.#now,
    });
    const [late, published] = [this.#faulty && this.chance() < 0.1, !this.#faulty || this.chance() > 0.1];
    const dueAt = this.#now + this.chance() * (late ? LATEST_WRITE_MS : TICK_MS * 2);
    this.#writes.push({ by: member, base: revision, proposed, sentAt: now, dueAt, reported: published });
  }

  /** A write that arrives while the server is unavailable is lost. */
  #arrive(write: Write): void {
    this.#writes = this.#writes.filter((other) => other !== write);
    if (this.#away) return;
    // Who was overtaken looks again soon.
    if (this.#register.revision !== write.base) return void (write.by.nextBeatAt = this.#now + this.chance() * 200);
    this.#register = { text: encodeAllocation(write.proposed.allocation), revision: write.base + 1 };
    const { by, reported: published, proposed, sentAt } = write;
    const hear = (): void =>
      void (by.state = applyWrittenProposal(by.state, proposed, write.base + 1, sentAt, LEASE_TIMING));
    if (!published || by.crashed) return;
    if (by.paused) by.inbox.push(hear);
    else hear();
  }
}

function clockOf({ offset, rate }: Member, now: number): number {
  return offset + now * rate;
}
