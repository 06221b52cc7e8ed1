import { type Charged, FairExecutor } from '../../scheduling/fair-executor.js';
import type { WorkShare } from '../../scheduling/fair-queue.js';
import { type MonotonicClock, QueryTurns, TimeSlice } from './cooperative-scheduler.js';
import { type LargeQueryPermit, type MemoryUse, type QueryMemoryPool, QueryMemoryTaken } from './query-memory.js';

export interface QueryLimits {
  /**
   * Queries of one owner that run at the same time, of one Grid three quarters of them; further ones wait. Default 64.
   */
  readonly maxConcurrent?: number;
  /**
   * Queries that wait until they may run. When all places are taken, the newest query of the owner with most waiting
   * queries fails with `overloaded`. Default 1,024.
   */
  readonly maxWaiting?: number;
  /**
   * Time limit of a query in ms, without and with the wait for its start; it then fails with `unavailable`. Default 25
   * s, below the timeout of the API.
   */
  readonly timeoutMs?: number;
  /** Default: `performance.now()`. */
  readonly clock?: MonotonicClock;
  /** The turns of the thread, shared by all of its queries. Default: turns of its own. */
  readonly turns?: QueryTurns;
  /** Memory that these queries share with others of the thread. Default: each has the largest amount for itself. */
  readonly memory?: QueryMemoryPool;
  /** What for they take it. Default: queries that people ask. */
  readonly memoryUse?: MemoryUse;
}

const MAX_CONCURRENT_QUERIES = 64;
const MAX_WAITING_QUERIES = 1_024;
const QUERY_TIMEOUT_MS = 25_000;

/** Queries of all owners that run at the same time, as a multiple of those of one. */
export const SLOTS_FACTOR = 2;

/** Part of an owner's queries that one Grid may run at the same time, so that those of its other Grids begin at once. */
const GRID_PART = 3 / 4;

type Outcome<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: unknown };

/** Whose turns queries of the service itself take: those of alerts and live diagnostics, for all Grids. */
const SERVICE_OWNER = '';

/**
 * Runs queries concurrently on one thread, up to a limit for each owner, and gives each its own TimeSlice. A query that
 * lacks memory gives its slot back, and begins again without a slot once it has memory: there is memory for few, and those
 * in slots may take what small ones need beside them.
 */
export class QueryConcurrencyLimiter {
  private readonly turns: QueryTurns;
  private readonly openPermit: (share: WorkShare) => LargeQueryPermit | undefined;
  private readonly executor: FairExecutor;
  /** Separate, so that alerts and live documents find a slot however many queries run. */
  private readonly serviceExecutor: FairExecutor;
  private readonly timeoutMs: number;
  private readonly clock: MonotonicClock;

  constructor({
    maxConcurrent = MAX_CONCURRENT_QUERIES,
    maxWaiting = MAX_WAITING_QUERIES,
    timeoutMs = QUERY_TIMEOUT_MS,
    clock = () => performance.now(),
    turns = new QueryTurns(),
    memory,
    memoryUse = 'query',
  }: QueryLimits) {
    this.turns = turns;
    this.openPermit = (share) => memory?.open(share, memoryUse);
    this.executor = new FairExecutor({
      slots: SLOTS_FACTOR * maxConcurrent,
      slotsPerOwner: maxConcurrent,
      slotsPerGrid: Math.ceil(maxConcurrent * GRID_PART),
      maxWaiting,
    });
    this.serviceExecutor = new FairExecutor({ slots: maxConcurrent, maxWaiting });
    this.timeoutMs = timeoutMs;
    this.clock = clock;
  }

  /**
   * Runs a query of a Grid in the turns of the Grid's owner. Rejects with the reason of `signal` once that is aborted: at
   * once while the query waits, else at its next yield.
   */
  async run<T>(gridId: string, query: (timeSlice: TimeSlice) => Promise<T>, signal?: AbortSignal): Promise<T> {
    return this.runInTurn(this.executor, await this.turns.findShare(gridId), query, signal);
  }

  /** Runs a query that the service itself needs for a Grid; all of them together count as one owner. */
  runForService<T>(gridId: string, query: (timeSlice: TimeSlice) => Promise<T>): Promise<T> {
    return this.runInTurn(this.serviceExecutor, { ownerId: SERVICE_OWNER, gridId }, query);
  }

  private async runInTurn<T>(
    executor: FairExecutor,
    share: WorkShare,
    query: (timeSlice: TimeSlice) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    const deadline = this.clock() + this.timeoutMs;
    const permit = this.openPermit(share);
    const attempt = async (): Promise<Charged<Outcome<T>>> => {
      await this.turns.waitForTurn(share);
      const timeSlice = new TimeSlice(this.turns, share, this.clock, deadline, permit, signal);
      return runSlices(timeSlice, query).finally(() => permit?.release());
    };
    const first = await executor.run(share, attempt, this.timeoutMs, signal);
    if (permit === undefined || first.ok || !(first.error instanceof QueryMemoryTaken)) return unwrap(first);
    await permit.wait(Math.max(0, deadline - this.clock()), signal);
    const { result, costMs } = await attempt();
    executor.charge(share, costMs);
    return unwrap(result);
  }
}

/** A query that fails is charged like any other, by the time that it ran, and not for its waits between slices. */
async function runSlices<T>(
  timeSlice: TimeSlice,
  query: (timeSlice: TimeSlice) => Promise<T>,
): Promise<Charged<Outcome<T>>> {
  const result = await query(timeSlice).then(
    (value): Outcome<T> => ({ ok: true, value }),
    (error: unknown): Outcome<T> => ({ ok: false, error }),
  );
  return { result, costMs: timeSlice.end() };
}

function unwrap<T>(outcome: Outcome<T>): T {
  if (outcome.ok) return outcome.value;
  throw outcome.error;
}

/** Limits concurrency. Waiting tasks start in FIFO order. */
export class Semaphore {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly max: number) {}

  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.running < this.max) this.running++;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      return await task();
    } finally {
      // Hand the slot over directly, so that no new task can take it first.
      const next = this.waiting.shift();
      if (next === undefined) this.running--;
      else next();
    }
  }
}
