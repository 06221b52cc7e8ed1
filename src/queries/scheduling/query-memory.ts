import { HindsightError } from '../../errors.js';
import { Counters } from '../../scheduling/counters.js';
import type { QueuedWork, WorkShare } from '../../scheduling/fair-queue.js';
import { FairWaiting } from '../../scheduling/fair-waiting.js';

const MIB = 1024 * 1024;

/** Memory that the groups of one query may take at most. */
export const MAX_QUERY_BYTES = 96 * MIB;
/** What each query may take without asking: most need less, and never wait for memory. */
export const SMALL_QUERY_BYTES = MIB;
/**
 * What each evaluation of a rule may take without asking: a part of all, at most so much. Rules must not wait for what people
 * ask.
 */
const EVALUATION_PART = 1 / 16;
const MAX_SMALL_EVALUATION_BYTES = 8 * MIB;

/** Large queries that wait for memory. */
const MAX_WAITING_QUERIES = 1_024;
const WAITED_TOO_LONG = 'Other queries use the memory that this one needs. Retry later.';

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

  /** @param permit told what the query uses; default: none is needed */
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
    this.permit?.take(this.used);
  }
}

/** What for memory is taken: a query that somebody asks, or the evaluation of a rule. */
export type MemoryUse = 'query' | 'evaluation';

export interface QueryMemoryLimits {
  /** For all queries together. */
  readonly totalBytes: number;
  /** Queries that run at the same time at most, without those that have got a permit after a wait. */
  readonly queries: number;
  /** Evaluations of rules that run at the same time at most, counted in the same way. */
  readonly evaluations: number;
  /** Large queries that wait at the same time; beyond, see FairWaiting. Default 1,024. */
  readonly maxWaiting?: number;
  /** Called with the bytes that large queries may use from now on, in steps. */
  readonly onUsed?: (bytes: number) => void;
}

/**
 * The memory that all queries of a thread share. A query that needs more than a small part takes one of few permits for
 * large ones, or waits for it, in the turns of owners and Grids, by the time for which they held one. Evaluations of rules
 * have a larger part for themselves; one that needs more comes before all queries, but not twice in a row.
 */
export class QueryMemoryPool {
  /** What one query may take. */
  readonly maxQueryBytes: number;
  /** What all queries without a permit may take together. */
  readonly smallBytes: number;
  private readonly smallBytesOf: Readonly<Record<MemoryUse, number>>;
  private readonly permits: number;
  /** Queries of one owner: where there are several permits, others find one at once. */
  private readonly permitsOfOwner: number;
  private readonly waiting: Readonly<Record<MemoryUse, FairWaiting>>;
  private readonly heldByOwner = new Counters();
  private held = 0;
  private latest: MemoryUse = 'query';
  private usedBytes = 0;

  constructor(private readonly limits: QueryMemoryLimits) {
    const { totalBytes, queries, evaluations, maxWaiting = MAX_WAITING_QUERIES } = limits;
    const evaluation = Math.min(MAX_SMALL_EVALUATION_BYTES, Math.floor(totalBytes * EVALUATION_PART));
    this.smallBytesOf = { query: SMALL_QUERY_BYTES, evaluation: Math.max(SMALL_QUERY_BYTES, evaluation) };
    this.smallBytes = queries * this.smallBytesOf.query + evaluations * this.smallBytesOf.evaluation;
    const forLarge = Math.max(SMALL_QUERY_BYTES, totalBytes - this.smallBytes);
    this.maxQueryBytes = Math.min(MAX_QUERY_BYTES, forLarge);
    this.permits = Math.min(queries, Math.floor(forLarge / this.maxQueryBytes));
    this.permitsOfOwner = Math.ceil(this.permits / 2);
    this.waiting = {
      query: new FairWaiting(maxWaiting, WAITED_TOO_LONG),
      evaluation: new FairWaiting(maxWaiting, WAITED_TOO_LONG),
    };
  }

  open(share: WorkShare, use: MemoryUse = 'query'): LargeQueryPermit {
    return new LargeQueryPermit(this, share, use, this.smallBytesOf[use]);
  }

  /** Whether there was a free permit: those who wait may not have it then. */
  tryTake(share: WorkShare, use: MemoryUse): boolean {
    if (this.held >= this.permits || (use === 'query' && !this.isBelowLimit({ share }))) return false;
    this.waiting[use].beginAtOnce(share);
    this.hold(share, use);
    return true;
  }

  /** Resolves with a permit. Rejects without one like FairWaiting. */
  wait(share: WorkShare, use: MemoryUse, maxWaitMs: number, signal?: AbortSignal): Promise<void> {
    const turn = this.waiting[use].wait(share, { maxWaitMs, signal });
    this.grantFree();
    return turn;
  }

  /** Changes what large queries use. */
  addUsed(bytes: number): void {
    this.usedBytes += bytes;
    this.limits.onUsed?.(this.usedBytes);
  }

  /** Gives a permit back after it was held for this time. */
  release(share: WorkShare, use: MemoryUse, heldMs: number): void {
    this.waiting[use].charge(share, heldMs);
    this.held--;
    if (use === 'query') this.heldByOwner.decrease(share.ownerId);
    this.grantFree();
  }

  private hold({ ownerId }: WorkShare, use: MemoryUse): void {
    this.held++;
    if (use === 'query') this.heldByOwner.increase(ownerId);
    this.latest = use;
  }

  private readonly isBelowLimit = ({ share: { ownerId } }: Pick<QueuedWork<object>, 'share'>): boolean =>
    this.heldByOwner.of(ownerId) < this.permitsOfOwner;

  private grantFree(): void {
    while (this.held < this.permits && this.grantNext());
  }

  /** Whether somebody has got a permit. */
  private grantNext(): boolean {
    const order: readonly MemoryUse[] = this.latest === 'query' ? ['evaluation', 'query'] : ['query', 'evaluation'];
    return order.some((use) => {
      const share = this.waiting[use].admitNext(use === 'query' ? this.isBelowLimit : undefined);
      if (share !== undefined) this.hold(share, use);
      return share !== undefined;
    });
  }
}

/** The permit of one query, which holds it from the moment when it is no longer small until it ends. */
export class LargeQueryPermit {
  private heldSince: number | undefined;
  private usedBytes = 0;

  constructor(
    private readonly pool: QueryMemoryPool,
    private readonly share: WorkShare,
    private readonly use: MemoryUse,
    private readonly smallBytes: number,
  ) {}

  get maxBytes(): number {
    return this.pool.maxQueryBytes;
  }

  /** For a query that uses `bytes` now. Throws QueryMemoryTaken if it is not small and there is no permit. */
  take(bytes: number): void {
    if (bytes <= this.smallBytes) return;
    if (this.heldSince === undefined) {
      if (!this.pool.tryTake(this.share, this.use)) throw new QueryMemoryTaken();
      this.heldSince = performance.now();
    }
    if (bytes > this.usedBytes)
      this.setUsed(Math.min(this.maxBytes, this.usedBytes + stepsFor(bytes - this.usedBytes)));
  }

  /**
   * Only after QueryMemoryTaken. Rejects with `unavailable` after `maxWaitMs`, with `overloaded` if too many wait, and with
   * the reason of `signal` when that is aborted.
   */
  async wait(maxWaitMs: number, signal?: AbortSignal): Promise<void> {
    await this.pool.wait(this.share, this.use, maxWaitMs, signal);
    this.heldSince = performance.now();
  }

  /** Call when the query has ended, or lacked memory. Idempotent. */
  release(): void {
    if (this.heldSince === undefined) return;
    const heldMs = performance.now() - this.heldSince;
    this.heldSince = undefined;
    this.setUsed(0);
    this.pool.release(this.share, this.use, heldMs);
  }

  private setUsed(bytes: number): void {
    this.pool.addUsed(bytes - this.usedBytes);
    this.usedBytes = bytes;
  }
}

function stepsFor(bytes: number): number {
  return Math.ceil(bytes / STEP_BYTES) * STEP_BYTES;
}
