import type { TimeSlice } from './cooperative-scheduler.js';

/** Items sorted at once, and merged between two looks at the clock. */
const SORT_CHUNK = 2_048;

/** The items in order, as `Array.prototype.sort` would have them, giving way meanwhile: traces may have spans without end. */
export async function sortCooperatively<T>(
  items: readonly T[],
  compare: (a: T, b: T) => number,
  turn: TimeSlice,
): Promise<T[]> {
  let runs: T[][] = [];
  for (let from = 0; from < items.length; from += SORT_CHUNK) {
    await turn.yieldIfDue();
    runs.push(items.slice(from, from + SORT_CHUNK).sort(compare));
  }
  while (runs.length > 1) {
    const longer: T[][] = [];
    for (let i = 0; i < runs.length; i += 2)
      longer.push(i + 1 < runs.length ? await mergeSorted(runs[i], runs[i + 1], compare, turn) : runs[i]);
    runs = longer;
  }
  return runs[0] ?? [];
}

/** Of equal items those of `a` go first. */
async function mergeSorted<T>(
  a: readonly T[],
  b: readonly T[],
  compare: (a: T, b: T) => number,
  turn: TimeSlice,
): Promise<T[]> {
  const both: T[] = [];
  for (let i = 0, j = 0; i < a.length || j < b.length;) {
    if (both.length % SORT_CHUNK === 0) await turn.yieldIfDue();
    both.push(j === b.length || (i < a.length && compare(a[i], b[j]) <= 0) ? a[i++] : b[j++]);
  }
  return both;
}

/** Values looked at between two looks at the clock. */
const SELECTION_CHUNK = 4_096;

/**
 * Indices of the `k` largest of the first `count` values, largest first, of equal ones the last first. So a longer
 * selection starts with a shorter one. A heap of k, filled from the end: where values mostly grow, as times do,
 * almost all are passed by after one comparison.
 */
export async function selectLargestIndexes(
  values: Float64Array,
  count: number,
  k: number,
  turn: TimeSlice,
): Promise<Uint32Array> {
  const heap = new Uint32Array(Math.min(k, count));
  for (let i = 0; i < heap.length; i++) heap[i] = count - 1 - i;
  await forEachChunk(heap.length >>> 1, turn, (from, to) => heapify(values, heap, from, to));
  await forEachChunk(heap.length === 0 ? 0 : count - heap.length, turn, (from, to) =>
    replaceSmaller(values, heap, from, to),
  );
  await forEachChunk(heap.length, turn, (from, to) => sortTail(values, heap, from, to));
  return heap;
}

/** Calls `work` with ranges that cover [0, count), the last one first, and gives way before each. */
async function forEachChunk(count: number, turn: TimeSlice, work: (from: number, to: number) => void): Promise<void> {
  for (let to = count; to > 0; to -= SELECTION_CHUNK) {
    await turn.yieldIfDue();
    work(Math.max(0, to - SELECTION_CHUNK), to);
  }
}

/** Makes heaps of what lies below these nodes. */
function heapify(values: Float64Array, heap: Uint32Array, from: number, to: number): void {
  for (let i = to - 1; i >= from; i--) siftDown(values, heap, i, heap.length);
}

/** Lets these values take the places of smaller ones. */
function replaceSmaller(values: Float64Array, heap: Uint32Array, from: number, to: number): void {
  for (let i = to - 1; i >= from; i--) {
    if (values[i] <= values[heap[0]]) continue;
    heap[0] = i;
    siftDown(values, heap, 0, heap.length);
  }
}

/** Moves the smallest of the heap [0, to) to its end, and so on down to `from`. */
function sortTail(values: Float64Array, heap: Uint32Array, from: number, to: number): void {
  for (let end = to - 1; end >= from; end--) {
    [heap[0], heap[end]] = [heap[end], heap[0]];
    siftDown(values, heap, 0, end);
  }
}

/** Keeps the one that goes first (smallest value, of equal ones the smaller index) on top. */
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
