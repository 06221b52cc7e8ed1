import { HindsightError } from '../../errors.js';
import { FairQueue, type WorkShare } from '../../scheduling/fair-queue.js';

const MIB = 1024 * 1024;

/** Memory that the groups of one query may take at most. */
export const MAX_QUERY_BYTES = 96 * MIB;
/** What each query may take without asking: most need less, and never wait. */
export const SMALL_QUERY_BYTES = MIB;

/** Steps in which a large query says what it uses. */
const STEP_BYTES = 4 * MIB;

/** Thrown inside a query when others have taken the memory that it needs: it is to begin again once it has its turn. */
export class QueryMemoryTaken extends Error {
  constructor() {
    super('Other queries use the memory for large queries');
  }
}

/** Limits the memory of one query, whatever its groups and values are. */
export class QueryMemory {
  private used = 0;

  /** @param permit asked for once the query is no longer small; default: none is needed */
  constructor(
    private readonly maxBytes = MAX_QUERY_BYTES,
    private readonly permit?: LargeQueryPermit,
  ) {}

  /**
   * Counts bytes that the query takes from now on; negative ones are given back. Throws `invalid-request`, or
   * QueryMemoryTaken.
   */
  charge(bytes: number): void {
    this.used += bytes;
    if (this.used > this.maxBytes)
      throw new HindsightError(
        'invalid-request',
        `The query needs more than ${Math.floor(this.maxBytes / MIB)} MiB for its groups and values. Narrow it, group by fewer fields, or select fewer percentiles and distinct counts.`,
      );
    if (this.used > SMALL_QUERY_BYTES) this.permit?.take(this.used);
  }
}

export interface QueryMemoryLimits {
  /** For all queries together. */
  readonly totalBytes: number;
  /** Queries that run at the same time at most. */
  readonly queries: number;
  /** Called with the bytes that large queries may use from now on, in steps. */
  readonly onUsed?: (bytes: number) => void;
}

interface Waiting {
  readonly begin: () => void;
}

/**
 * The memory that all queries of a thread share. A query that needs more than a small part takes one of few permits for
 * large ones, or waits for it, in the turns of owners, by the time for which they held one.
 */
export class QueryMemoryPool {
  /** What one query may take. */
  readonly maxQueryBytes: number;
  private readonly permits: number;
  private held = 0;
  private usedBytes = 0;
  private readonly waiting = new FairQueue<Waiting>();

  constructor(private readonly limits: QueryMemoryLimits) {
    const forLarge = Math.max(SMALL_QUERY_BYTES, limits.totalBytes - limits.queries * SMALL_QUERY_BYTES);
    this.maxQueryBytes = Math.min(MAX_QUERY_BYTES, forLarge);
    this.permits = Math.floor(forLarge / this.maxQueryBytes);
  }

  open(share: WorkShare): LargeQueryPermit {
    return new LargeQueryPermit(this, share);
  }

  /** Whether there was a free permit that nobody waits for. */
  tryTake(): boolean {
    if (this.held >= this.permits || this.waiting.size > 0) return false;
    this.held++;
    return true;
  }

  /** Resolves to true with a permit, to false after `timeoutMs` without one. */
  wait(share: WorkShare, timeoutMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        if (this.waiting.remove(share, item)) resolve(false);
      }, timeoutMs).unref();
      const begin = (): void => {
        clearTimeout(timer);
        resolve(true);
      };
      const item = { begin };
      this.waiting.push(share, item);
      this.grantFree();
    });
  }

  /** Changes what large queries use. */
  addUsed(bytes: number): void {
    this.usedBytes += bytes;
    this.limits.onUsed?.(this.usedBytes);
  }

  /** Gives a permit back after it was held for this time. */
  release(share: WorkShare, heldMs: number): void {
    this.waiting.charge(share, heldMs);
    this.held--;
    this.grantFree();
  }

  private grantFree(): void {
    while (this.held < this.permits && this.waiting.size > 0) {
      this.held++;
      this.waiting.shift()!.item.begin();
    }
  }
}

/** The permit of one query, which holds it from the moment when it is no longer small until it ends. */
export class LargeQueryPermit {
  private heldSince: number | undefined;
  private usedBytes = 0;

  constructor(
    private readonly pool: QueryMemoryPool,
    private readonly share: WorkShare,
  ) {}

  get maxBytes(): number {
    return this.pool.maxQueryBytes;
  }

  /** For a query that uses `bytes` now. Throws QueryMemoryTaken if there is no permit. */
  take(bytes: number): void {
    if (this.heldSince === undefined) {
      if (!this.pool.tryTake()) throw new QueryMemoryTaken();
      this.heldSince = performance.now();
    }
    if (bytes > this.usedBytes)
      this.setUsed(Math.min(this.maxBytes, this.usedBytes + stepsFor(bytes - this.usedBytes)));
  }

  /** Rejects with `unavailable` after `timeoutMs`. */
  async wait(timeoutMs: number): Promise<void> {
    if (!(await this.pool.wait(this.share, timeoutMs)))
      throw new HindsightError('unavailable', 'Other queries use the memory that this one needs. Retry later.');
    this.heldSince = performance.now();
  }

  /** Call when the query has ended. Idempotent. */
  release(): void {
    if (this.heldSince === undefined) return;
    const heldMs = performance.now() - this.heldSince;
    this.heldSince = undefined;
    this.setUsed(0);
    this.pool.release(this.share, heldMs);
  }

  private setUsed(bytes: number): void {
    this.pool.addUsed(bytes - this.usedBytes);
    this.usedBytes = bytes;
  }
}

function stepsFor(bytes: number): number {
  return Math.ceil(bytes / STEP_BYTES) * STEP_BYTES;
}
