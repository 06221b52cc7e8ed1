import { type Charged, FairExecutor } from '../../scheduling/fair-executor.js';
import type { WorkShare } from '../../scheduling/fair-queue.js';
import { type MonotonicClock, QueryTurns, TimeSlice } from './cooperative-scheduler.js';
import { type QueryMemoryPool, QueryMemoryTaken } from './query-memory.js';

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

/** Runs queries concurrently on one thread, up to a limit for each owner, and gives each its own TimeSlice. */
export class QueryConcurrencyLimiter {
  private readonly turns: QueryTurns;
  private readonly memory: QueryMemoryPool | undefined;
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
  }: QueryLimits) {
    this.turns = turns;
    this.memory = memory;
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

  /** Runs a query of a Grid in the turns of the Grid's owner. */
  async run<T>(gridId: string, query: (timeSlice: TimeSlice) => Promise<T>): Promise<T> {
    return this.runInTurn(this.executor, await this.turns.findShare(gridId), query);
  }

  /** Runs a query that the service itself needs for a Grid; all of them together count as one owner. */
  runForService<T>(gridId: string, query: (timeSlice: TimeSlice) => Promise<T>): Promise<T> {
    return this.runInTurn(this.serviceExecutor, { ownerId: SERVICE_OWNER, gridId }, query);
  }

  private async runInTurn<T>(
    executor: FairExecutor,
    share: WorkShare,
    query: (timeSlice: TimeSlice) => Promise<T>,
  ): Promise<T> {
    const deadline = this.clock() + this.timeoutMs;
    // A query that fails is charged like any other, by the time that it ran, and not for its waits between slices.
    const runSlices = async (): Promise<Charged<Outcome<T>>> => {
      await this.turns.waitForTurn(share);
      const permit = this.memory?.open(share);
      const timeSlice = new TimeSlice(this.turns, share, this.clock, deadline, permit);
      const result = await repeatWithMemory(timeSlice, query)
        .then(
          (value): Outcome<T> => ({ ok: true, value }),
          (error: unknown): Outcome<T> => ({ ok: false, error }),
        )
        .finally(() => permit?.release());
      return { result, costMs: timeSlice.end() };
    };
    const outcome = await executor.run(share, runSlices, this.timeoutMs);
    if (outcome.ok) return outcome.value;
    throw outcome.error;
  }
}

/** Begins a query again that lacked memory, once it has it. */
async function repeatWithMemory<T>(timeSlice: TimeSlice, query: (timeSlice: TimeSlice) => Promise<T>): Promise<T> {
  try {
    return await query(timeSlice);
  } catch (error) {
    if (!(error instanceof QueryMemoryTaken)) throw error;
  }
  await timeSlice.waitForMemory();
  return query(timeSlice);
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
