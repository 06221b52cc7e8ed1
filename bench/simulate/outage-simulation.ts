import { randomNumbers } from '../../test/support/random-numbers.js';
import { SimulatedLeases } from './simulated-leases.js';
import { ShardQueue } from './shard-queue.js';
import { VirtualTime } from './virtual-time.js';

/** A cluster in steady work. */
export interface ClusterLoad {
  readonly projectors: number;
  readonly shares: number;
  /** Records a second that come in, and that one projector gets through. */
  readonly rate: number;
  readonly capacity: number;
  /** From the lease of a share to its first commit. */
  readonly takeOverMs: number;
}

/** What is lost at once, and for how long (ms) an engine does not answer. */
export interface OutageCause {
  readonly killed?: number;
  /** Stopped in order. */
  readonly left?: number;
  readonly logAwayMs?: number;
  readonly readStoreAwayMs?: number;
  readonly leasesAwayMs?: number;
}

export interface OutageImpact {
  /** Senders were told to come back for so long. */
  readonly refusedMs: number;
  /** Until the last share had an owner again that could work. */
  readonly unownedMs: number;
  readonly worstLagMs: number;
  /** From the loss until nothing waited for longer than a second again; undefined: not within the time that was looked at. */
  readonly freshAgainMs: number | undefined;
  readonly mostWaiting: number;
  readonly accepted: number;
  readonly projected: number;
  /** At the end of what was watched. */
  readonly waiting: number;
}

const STEP_MS = 100;
/** Until the first shares are settled. */
const SETTLING_MS = 15_000;
const FRESH_MS = 1_000;

/** Lets a loss happen to a running cluster and watches for so long. The same seed has the same fate. */
export function simulateOutage(running: ClusterLoad, loss: OutageCause, watchedMs: number, seed = 1): OutageImpact {
  const run = new OutageSimulation(running, loss, seed);
  return run.run(watchedMs);
}

class OutageSimulation {
  private readonly time = new VirtualTime();
  private readonly chance: () => number;
  private readonly leases: SimulatedLeases;
  private readonly queues: readonly ShardQueue[];
  /** By share: its last lease, and since when. */
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
    // Anywhere between two beats.
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

  /** Senders keep what is refused, and bring it within the second after the log is back. */
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

  /** One thread: what one share does not need, the others have. */
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
