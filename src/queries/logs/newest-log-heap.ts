/** Sort key of log records. */
export interface LogSortKey {
  readonly timeUs: number;
  /** Remaining nanoseconds (0–999). */
  readonly timeNs: number;
  readonly revision: number;
  readonly ordinal: number;
}

/** The same for every row of a block. */
export interface LogSortColumns {
  /** Index of the block in the search. */
  readonly block: number;
  /** Times in µs after `baseUs`. */
  readonly times: Uint32Array | Float64Array;
  readonly baseUs: number;
  readonly timeNs: Uint16Array;
  readonly revision: Uint32Array;
  readonly ordinal: Uint32Array;
}

const INITIAL_CAPACITY = 64;
/** Slot of the upper bound. */
const BOUND_SLOT = 0;
const MAX_SORT_KEY: LogSortKey = { timeUs: Infinity, timeNs: 0, revision: 0, ordinal: 0 };

/**
 * Keeps the newest `k` of the offered log records that are older than `bound`, by time, revision and ordinal. A
 * min-heap (oldest on top) over slots of typed arrays: most offers are rejected after one comparison.
 */
export class NewestLogHeap {
  private timeUs = new Float64Array(INITIAL_CAPACITY);
  private timeNs = new Uint16Array(INITIAL_CAPACITY);
  private revision = new Uint32Array(INITIAL_CAPACITY);
  private ordinal = new Uint32Array(INITIAL_CAPACITY);
  private block = new Uint32Array(INITIAL_CAPACITY);
  private row = new Uint16Array(INITIAL_CAPACITY);
  /** Slots. */
  private heap = new Uint32Array(INITIAL_CAPACITY);
  private count = 0;
  /** Slot that holds the record being offered. */
  private spare = 1;

  constructor(
    private readonly k: number,
    bound: LogSortKey = MAX_SORT_KEY,
  ) {
    this.timeUs[BOUND_SLOT] = bound.timeUs;
    this.timeNs[BOUND_SLOT] = bound.timeNs;
    this.revision[BOUND_SLOT] = bound.revision;
    this.ordinal[BOUND_SLOT] = bound.ordinal;
  }

  /** False if records of this µs or older can no longer be accepted. */
  accepts(timeUs: number): boolean {
    return this.count < this.k || (this.k > 0 && timeUs >= this.timeUs[this.heap[0]]);
  }

  /** Offers these rows of one block. */
  offer(rows: Uint16Array, columns: LogSortColumns): void {
    for (let i = 0; i < rows.length; i++) {
      const timeUs = columns.baseUs + columns.times[rows[i]];
      if (timeUs > this.timeUs[BOUND_SLOT] || !this.accepts(timeUs)) continue;
      this.loadSpare(rows[i], columns);
      if (this.isOlder(this.spare, BOUND_SLOT)) this.insertSpare();
    }
  }

  /** The oldest record in the heap. */
  get oldest(): LogSortKey {
    const slot = this.heap[0];
    return {
      timeUs: this.timeUs[slot],
      timeNs: this.timeNs[slot],
      revision: this.revision[slot],
      ordinal: this.ordinal[slot],
    };
  }

  /** Empties the heap and returns all but the `skip` newest records, newest first. */
  drainAfter(skip: number): { block: number; row: number }[] {
    const records: { block: number; row: number }[] = [];
    while (this.count > skip) {
      const slot = this.heap[0];
      records.push({ block: this.block[slot], row: this.row[slot] });
      this.heap[0] = this.heap[--this.count];
      this.siftDown();
    }
    return records.reverse();
  }

  private loadSpare(row: number, { block, times, baseUs, timeNs, revision, ordinal }: LogSortColumns): void {
    this.timeUs[this.spare] = baseUs + times[row];
    this.timeNs[this.spare] = timeNs[row];
    this.revision[this.spare] = revision[row];
    this.ordinal[this.spare] = ordinal[row];
    this.block[this.spare] = block;
    this.row[this.spare] = row;
  }

  private insertSpare(): void {
    if (this.count < this.k) {
      this.heap[this.count] = this.spare;
      this.siftUp(this.count++);
      this.spare = this.count + 1;
      this.reserve();
    } else if (this.isOlder(this.heap[0], this.spare)) {
      [this.heap[0], this.spare] = [this.spare, this.heap[0]];
      this.siftDown();
    }
  }

  private isOlder(a: number, b: number): boolean {
    if (this.timeUs[a] !== this.timeUs[b]) return this.timeUs[a] < this.timeUs[b];
    if (this.timeNs[a] !== this.timeNs[b]) return this.timeNs[a] < this.timeNs[b];
    if (this.revision[a] !== this.revision[b]) return this.revision[a] < this.revision[b];
    return this.ordinal[a] < this.ordinal[b];
  }

  private siftUp(from: number): void {
    const { heap } = this;
    for (let at = from; at > 0;) {
      const parent = (at - 1) >>> 1;
      if (!this.isOlder(heap[at], heap[parent])) return;
      [heap[at], heap[parent]] = [heap[parent], heap[at]];
      at = parent;
    }
  }

  private siftDown(): void {
    const { heap } = this;
    let at = 0;
    for (let child = 1; child < this.count; child = at * 2 + 1) {
      if (child + 1 < this.count && this.isOlder(heap[child + 1], heap[child])) child++;
      if (!this.isOlder(heap[child], heap[at])) return;
      [heap[at], heap[child]] = [heap[child], heap[at]];
      at = child;
    }
  }

  private reserve(): void {
    if (this.spare < this.block.length) return;
    this.timeUs = doubleCapacity(this.timeUs);
    this.timeNs = doubleCapacity(this.timeNs);
    this.revision = doubleCapacity(this.revision);
    this.ordinal = doubleCapacity(this.ordinal);
    this.block = doubleCapacity(this.block);
    this.row = doubleCapacity(this.row);
    this.heap = doubleCapacity(this.heap);
  }
}

function doubleCapacity<A extends Float64Array | Uint32Array | Uint16Array>(column: A): A {
  const larger = new (column.constructor as new (length: number) => A)(column.length * 2);
  larger.set(column);
  return larger;
}
