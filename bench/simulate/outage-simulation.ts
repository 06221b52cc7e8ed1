import { randomNumbers } from '../../test/support/random-numbers.js';
import { SimulatedLeases } from './simulated-leases.js';
import { ShardQueue } from './shard-queue.js';
import { VirtualTime } from './virtual-time.js';

/** A cluster under steady load. */
export interface ClusterLoad {
  readonly projectors: number;
  readonly shares: number;
  /** Records per second that arrive, and that one projector can process. */
  readonly rate: number;
  readonly capacity: number;
  /** Time (ms) from the lease of a shard to its first commit. */
  readonly takeOverMs: number;
}

/** Failures at once, and how long (ms) an engine is unreachable. */
export interface OutageCause {
  readonly killed?: number;
  /** Cleanly stopped projectors. */
  readonly left?: number;
  readonly logAwayMs?: number;
  readonly readStoreAwayMs?: number;
  readonly leasesAwayMs?: number;
}

export interface OutageImpact {
  /** Time (ms) for which senders were refused. */
  readonly refusedMs: number;
  /** Time (ms) until every shard had a working owner again. */
  readonly unownedMs: number;
  readonly worstLagMs: number;
  /**
   * Time (ms) from the failure until nothing waited for more than a second; undefined: not within the simulated time.
   */
  readonly freshAgainMs: number | undefined;
  readonly mostWaiting: number;
  readonly accepted: number;
  readonly projected: number;
  /** At the end of the simulation. */
  readonly waiting: number;
}

const STEP_MS = 100;
/** Time until the initial shards are assigned. */
const SETTLING_MS = 15_000;
const FRESH_MS = 1_000;

/** Simulates a failure in a running cluster. Deterministic for a seed. */
export function simulateOutage(running: ClusterLoad, loss: OutageCause, watchedMs: number, seed = 1): OutageImpact {
  const run = new OutageSimulation(running, loss, seed);
  return run.run(watchedMs);
}

class OutageSimulation {
  private readonly time = new VirtualTime();
  private readonly chance: () => number;
  private readonly leases: SimulatedLeases;
  private readonly queues: readonly ShardQueue[];
  /** Last lease of each shard, and its start. */
  private readonly leased: { readonly token: number; readonly since: number }[] = [];
  private readonly lossAt: number;
  private refused = 0;
  private refusedMs = 0;
  private unownedUntil = 0;
  private staleUntil = 0;
  private worstLagMs = 0;
  private mostWaiting = 0;

  constructor(
    private readonly running: ClusterLoad,
    private readonly loss: OutageCause,
    seed: number,
  ) {
    this.chance = randomNumbers(seed);
    this.leases = new SimulatedLeases(this.time, this.chance, running.shares);
    this.queues = Array.from({ length: running.shares }, () => new ShardQueue());
    for (let n = 0; n < running.projectors; n++) this.leases.join(`projector-${n}`);
    // At a random time between two lease renewals.
    this.lossAt = SETTLING_MS + this.chance() * 1_000;
  }

  run(watchedMs: number): OutageImpact {
    this.time.schedule(this.lossAt, () => this.applyLoss());
    this.step();
    const end = this.lossAt + watchedMs;
    this.time.runUntil(end);
    const sum = (of: (queue: ShardQueue) => number): number =>
      this.queues.reduce((total, queue) => total + of(queue), 0);
    return {
      refusedMs: this.refusedMs,
      unownedMs: Math.max(0, this.unownedUntil - this.lossAt),
      worstLagMs: this.worstLagMs,
      freshAgainMs: this.staleUntil >= end - STEP_MS ? undefined : Math.max(0, this.staleUntil - this.lossAt),
      mostWaiting: this.mostWaiting,
      accepted: sum(({ accepted }) => accepted),
      projected: sum(({ projected }) => projected),
      waiting: sum(({ waiting }) => waiting),
    };
  }

  private applyLoss(): void {
    const { killed = 0, left = 0, leasesAwayMs = 0 } = this.loss;
    const gone = this.leases.living.slice(0, killed + left);
    gone.forEach((id, n) => (n < killed ? this.leases.kill(id) : this.leases.leave(id)));
    if (leasesAwayMs > 0) this.leases.setRegisterUnavailable(true);
    this.time.schedule(leasesAwayMs, () => this.leases.setRegisterUnavailable(false));
  }

  private isUnavailable(ms = 0): boolean {
    return this.time.now >= this.lossAt && this.time.now < this.lossAt + ms;
  }

  private step(): void {
    this.time.schedule(STEP_MS, () => this.step());
    this.ingest();
    this.projectAll();
    if (this.time.now >= this.lossAt) this.recordLag();
  }

  /** Senders buffer refused telemetry, and send it within a second after the log is back. */
  private ingest(): void {
    const arriving = (this.running.rate * STEP_MS) / 1000;
    if (this.isUnavailable(this.loss.logAwayMs)) {
      this.refused += arriving;
      this.refusedMs += STEP_MS;
      return;
    }
    const returning = Math.min(this.refused, (this.refused * STEP_MS) / 1000 + arriving);
    this.refused -= returning;
    for (const queue of this.queues) queue.accept(this.time.now, (arriving + returning) / this.running.shares);
  }

  private projectAll(): void {
    const halted = this.isUnavailable(this.loss.logAwayMs) || this.isUnavailable(this.loss.readStoreAwayMs);
    const owned = new Set<number>();
    for (const id of this.leases.living) {
      const ready = this.findReadyShards(id);
      for (const share of ready) owned.add(share);
      if (!halted) this.projectQueues(ready.map((share) => this.queues[share]));
    }
    if (owned.size < this.running.shares && this.time.now > this.lossAt) this.unownedUntil = this.time.now;
  }

  private findReadyShards(id: string): number[] {
    const ready: number[] = [];
    for (const [share, token] of this.leases.ownedShards(id)) {
      if (this.leased[share]?.token !== token) this.leased[share] = { token, since: this.time.now };
      if (this.time.now - this.leased[share].since >= this.running.takeOverMs) ready.push(share);
    }
    return ready;
  }

  /** One thread: shards use the capacity that others do not need. */
  private projectQueues(queues: readonly ShardQueue[]): void {
    let left = (this.running.capacity * STEP_MS) / 1000;
    let busy = queues.filter(({ isEmpty }) => !isEmpty);
    while (left > 1e-6 && busy.length > 0) {
      const each = left / busy.length;
      for (const queue of busy) left -= queue.project(each);
      busy = busy.filter(({ isEmpty }) => !isEmpty);
    }
  }

  private recordLag(): void {
    const lag = Math.max(...this.queues.map((queue) => queue.lag(this.time.now)));
    this.worstLagMs = Math.max(this.worstLagMs, lag);
    this.mostWaiting = Math.max(
      this.mostWaiting,
      this.queues.reduce((sum, { waiting }) => sum + waiting, 0),
    );
    if (lag > FRESH_MS) this.staleUntil = this.time.now;
  }
}
