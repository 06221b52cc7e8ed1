/** How long, and how many at once, may wait for memory before they are turned away. */
export interface WaitingRoom {
  readonly maxWaiting: number;
  readonly maxWaitMs: number;
}

interface Waiter {
  readonly bytes: number;
  readonly settle: (granted: boolean) => void;
  readonly timer: NodeJS.Timeout;
}

/**
 * Bytes that all requests together may hold. Who finds none free waits in a first-come first-served line:
 * a large request is not starved by small ones.
 */
export class MemoryBudget {
  private free: number;
  private line: Waiter[] = [];

  constructor(
    readonly totalBytes: number,
    private readonly room: WaitingRoom,
  ) {
    this.free = totalBytes;
  }

  get freeBytes(): number {
    return this.free;
  }

  /** A lease of so many bytes; undefined when they did not become free in time. */
  async lease(bytes: number): Promise<Lease | undefined> {
    const lease = new Lease(this);
    return lease.tryGrow(bytes) || (await lease.grow(bytes)) ? lease : undefined;
  }

  /** @internal Called by leases. */
  take(bytes: number): boolean {
    if (this.line.length > 0 || bytes > this.free) return false;
    this.free -= bytes;
    return true;
  }

  /** @internal Called by leases. */
  wait(bytes: number): Promise<boolean> {
    if (bytes > this.totalBytes || this.line.length >= this.room.maxWaiting) return Promise.resolve(false);
    return new Promise((settle) => {
      const timer = setTimeout(() => this.giveUp(waiter), this.room.maxWaitMs);
      const waiter: Waiter = { bytes, settle, timer };
      this.line.push(waiter);
    });
  }

  /** @internal Called by leases. */
  giveBack(bytes: number): void {
    this.free += bytes;
    this.serveLine();
  }

  private giveUp(waiter: Waiter): void {
    this.line = this.line.filter((other) => other !== waiter);
    waiter.settle(false);
    this.serveLine();
  }

  private serveLine(): void {
    for (let next = this.line[0]; next !== undefined && next.bytes <= this.free; next = this.line[0]) {
      this.line.shift();
      clearTimeout(next.timer);
      this.free -= next.bytes;
      next.settle(true);
    }
  }
}

/** The share of the budget that one request holds. Whoever got it MUST release it; releasing twice is legal. */
export class Lease {
  private held = 0;

  constructor(private readonly budget: MemoryBudget) {}

  get bytes(): number {
    return this.held;
  }

  /** Bytes by which this lease could grow if it were alone. */
  get headroom(): number {
    return this.budget.totalBytes - this.held;
  }

  /** Takes more at once or not at all: false while others wait. */
  tryGrow(bytes: number): boolean {
    if (!this.budget.take(bytes)) return false;
    this.held += bytes;
    return true;
  }

  /** Takes more as soon as it is free; false when it did not become free in time. */
  async grow(bytes: number): Promise<boolean> {
    if (this.tryGrow(bytes)) return true;
    if (!(await this.budget.wait(bytes))) return false;
    this.held += bytes;
    return true;
  }

  shrinkTo(bytes: number): void {
    const surplus = this.held - bytes;
    if (surplus <= 0) return;
    this.held = bytes;
    this.budget.giveBack(surplus);
  }

  release(): void {
    this.shrinkTo(0);
  }
}
