import { HindsightError } from '../../errors.js';
import { FairQueue, type WorkShare } from '../../scheduling/fair-queue.js';
import { type LargeQueryPermit, QueryMemory } from './query-memory.js';

/** How long (ms) a query runs before it yields. */
const SLICE_MS = 10;
/** Factor applied to the slice while other queries wait: the next one waits for the rest of a slice. */
const BUSY_FACTOR = 0.3;

/** Monotonic milliseconds. */
export type MonotonicClock = () => number;

class TimeLimitError extends HindsightError {
  constructor() {
    super('unavailable', 'The query exceeded its time limit. Narrow it, or retry later.');
  }
}

/**
 * One query's execution time on a thread that runs many queries. Loops over blocks, traces or records yield in each
 * iteration, so that a large query does not block the others.
 */
export class TimeSlice {
  private sliceMs = SLICE_MS;
  private startedAt: number;
  private usedMs = 0;

  constructor(
    private readonly turns: QueryTurns,
    private readonly share: WorkShare,
    private readonly clock: MonotonicClock,
    private deadline: number,
    private readonly permit?: LargeQueryPermit,
    private readonly signal?: AbortSignal,
  ) {
    this.startedAt = clock();
  }

  /** Memory for one attempt to answer the query; what earlier ones have counted is garbage by then. */
  openMemory(): QueryMemory {
    return new QueryMemory(this.permit?.maxBytes, this.permit);
  }

  /**
   * Call and await this after each unit of work, which should take at most a few ms; it usually returns at once.
   * Throws `unavailable` when the query has exceeded its time limit, and the reason of its signal once that is aborted.
   */
  yieldIfDue(): Promise<void> | undefined {
    const now = this.clock();
    this.signal?.throwIfAborted();
    if (now >= this.deadline) throw new TimeLimitError();
    const sliceMs = this.turns.isBusy ? this.sliceMs * BUSY_FACTOR : this.sliceMs;
    return now - this.startedAt < sliceMs ? undefined : this.waitForNextSlice();
  }

  /**
   * Runs a task that may take at most this part of the time that remains until the time limit. Resolves to undefined if it
   * has taken longer: the rest of the query goes on.
   */
  async runPart<T>(part: number, task: () => Promise<T>): Promise<T | undefined> {
    const end = this.deadline;
    const now = this.clock();
    this.deadline = now + (end - now) * part;
    try {
      return await task();
    } catch (error) {
      if (error instanceof TimeLimitError) return undefined;
      throw error;
    } finally {
      this.deadline = end;
    }
  }

  /**
   * Doubles the slice length. A query that restarts after compaction thus eventually finishes between two
   * compactions.
   */
  doubleLength(): void {
    this.sliceMs *= 2;
  }

  /**
   * Charges the time since the last yield. Called when the query has ended; returns the time (ms) that it ran in all.
   */
  end(): number {
    const ms = this.clock() - this.startedAt;
    this.turns.charge(this.share, ms);
    this.usedMs += ms;
    return this.usedMs;
  }

  private async waitForNextSlice(): Promise<void> {
    this.end();
    await this.turns.waitForTurn(this.share);
    this.startedAt = this.clock();
  }
}

/** Finds the user who created a Grid; resolves to the id of the Grid itself if unknown. Never rejects. */
export type FindGridOwner = (gridId: string) => Promise<string>;

/**
 * The turns of all queries of one thread, by owner, then by Grid, charged by the time that they ran. One query starts or
 * continues per event loop iteration, so that those that arrive meanwhile take part in the next choice.
 */
export class QueryTurns {
  private readonly queue = new FairQueue<WaitingQuery>();

  /** By default each Grid is its own owner. */
  constructor(private readonly findOwner: FindGridOwner = (gridId) => Promise.resolve(gridId)) {}

  async findShare(gridId: string): Promise<WorkShare> {
    return { ownerId: await this.findOwner(gridId), gridId };
  }

  /** Whether queries wait for their turn. */
  get isBusy(): boolean {
    return this.queue.size > 0;
  }

  waitForTurn(share: WorkShare): Promise<void> {
    return new Promise((resolve) => {
      this.queue.push(share, { resume: resolve });
      if (this.queue.size === 1) setImmediate(this.resumeNext);
    });
  }

  charge(share: WorkShare, ms: number): void {
    this.queue.charge(share, ms);
  }

  private readonly resumeNext = (): void => {
    this.queue.shift()?.item.resume();
    if (this.queue.size > 0) setImmediate(this.resumeNext);
  };
}

interface WaitingQuery {
  readonly resume: () => void;
}

/** Items that are sorted or merged between two yields. */
const SORT_CHUNK = 2_048;

/** Sorts like `Array.prototype.sort`, but yields in between: traces may have any number of spans. */
export async function sortCooperatively<T>(
  items: readonly T[],
  compare: (a: T, b: T) => number,
  timeSlice: TimeSlice,
): Promise<T[]> {
  let runs: T[][] = [];
  for (let from = 0; from < items.length; from += SORT_CHUNK) {
    await timeSlice.yieldIfDue();
    runs.push(items.slice(from, from + SORT_CHUNK).sort(compare));
  }
  while (runs.length > 1) {
    const longer: T[][] = [];
    for (let i = 0; i < runs.length; i += 2)
      longer.push(i + 1 < runs.length ? await mergeSorted(runs[i], runs[i + 1], compare, timeSlice) : runs[i]);
    runs = longer;
  }
  return runs[0] ?? [];
}

/** Stable: equal items of `a` come first. */
async function mergeSorted<T>(
  a: readonly T[],
  b: readonly T[],
  compare: (a: T, b: T) => number,
  timeSlice: TimeSlice,
): Promise<T[]> {
  const merged: T[] = [];
  for (let i = 0, j = 0; i < a.length || j < b.length;) {
    if (merged.length % SORT_CHUNK === 0) await timeSlice.yieldIfDue();
    merged.push(j === b.length || (i < a.length && compare(a[i], b[j]) <= 0) ? a[i++] : b[j++]);
  }
  return merged;
}

/** Values processed between two yields. */
const SELECTION_CHUNK = 4_096;

/**
 * Indices of the `k` largest of the first `count` values, largest first; of equal values the last index first. The
 * result for a smaller k is a prefix of the result for a larger k. Uses a heap of size k, filled from the end: times
 * mostly ascend, so most values are skipped after one comparison.
 */
export async function selectLargestIndexes(
  values: Float64Array,
  count: number,
  k: number,
  timeSlice: TimeSlice,
): Promise<Uint32Array> {
  const heap = new Uint32Array(Math.min(k, count));
  for (let i = 0; i < heap.length; i++) heap[i] = count - 1 - i;
  await forEachChunk(heap.length >>> 1, timeSlice, (from, to) => heapify(values, heap, from, to));
  await forEachChunk(heap.length === 0 ? 0 : count - heap.length, timeSlice, (from, to) =>
    replaceSmaller(values, heap, from, to),
  );
  await forEachChunk(heap.length, timeSlice, (from, to) => sortTail(values, heap, from, to));
  return heap;
}

/** Calls `work` with ranges that cover [0, count), the last one first, and yields before each. */
async function forEachChunk(
  count: number,
  timeSlice: TimeSlice,
  task: (from: number, to: number) => void,
): Promise<void> {
  for (let to = count; to > 0; to -= SELECTION_CHUNK) {
    await timeSlice.yieldIfDue();
    task(Math.max(0, to - SELECTION_CHUNK), to);
  }
}

/** Establishes the heap property below these nodes. */
function heapify(values: Float64Array, heap: Uint32Array, from: number, to: number): void {
  for (let i = to - 1; i >= from; i--) siftDown(values, heap, i, heap.length);
}

/** Replaces the heap's smallest values by larger ones from this range. */
function replaceSmaller(values: Float64Array, heap: Uint32Array, from: number, to: number): void {
  for (let i = to - 1; i >= from; i--) {
    if (values[i] <= values[heap[0]]) continue;
    heap[0] = i;
    siftDown(values, heap, 0, heap.length);
  }
}

/** Moves the smallest value of the heap [0, to) to its end, repeatedly, down to `from`. */
function sortTail(values: Float64Array, heap: Uint32Array, from: number, to: number): void {
  for (let end = to - 1; end >= from; end--) {
    [heap[0], heap[end]] = [heap[end], heap[0]];
    siftDown(values, heap, 0, end);
  }
}

/** Restores the heap property below `from`: the smallest value (of equal ones the smaller index) is on top. */
function siftDown(values: Float64Array, heap: Uint32Array, from: number, end: number): void {
  const moved = heap[from];
  let at = from;
  for (let child = at * 2 + 1; child < end; child = at * 2 + 1) {
    if (child + 1 < end && isBefore(values, heap[child + 1], heap[child])) child++;
    if (!isBefore(values, heap[child], moved)) break;
    heap[at] = heap[child];
    at = child;
  }
  heap[at] = moved;
}

function isBefore(values: Float64Array, a: number, b: number): boolean {
  return values[a] < values[b] || (values[a] === values[b] && a < b);
}
