import type { Turn } from '../giving-way.js';

/** Values looked at between two looks at the clock. */
const CHUNK = 4_096;

/**
 * Indices of the `k` largest of the first `count` values, largest first, of equal ones the last first. So a longer
 * selection starts with a shorter one. A heap of k, filled from the end: where values mostly grow, as times do,
 * almost all are passed by after one comparison.
 */
export async function largest(values: Float64Array, count: number, k: number, turn: Turn): Promise<Uint32Array> {
  const heap = new Uint32Array(Math.min(k, count));
  for (let i = 0; i < heap.length; i++) heap[i] = count - 1 - i;
  await inChunks(heap.length >>> 1, turn, (from, to) => order(values, heap, from, to));
  await inChunks(heap.length === 0 ? 0 : count - heap.length, turn, (from, to) => takeLarger(values, heap, from, to));
  await inChunks(heap.length, turn, (from, to) => sortTail(values, heap, from, to));
  return heap;
}

/** Calls `work` with ranges that cover [0, count), the last one first, and gives way before each. */
async function inChunks(count: number, turn: Turn, work: (from: number, to: number) => void): Promise<void> {
  for (let to = count; to > 0; to -= CHUNK) {
    await turn.giveWay();
    work(Math.max(0, to - CHUNK), to);
  }
}

/** Makes heaps of what lies below these nodes. */
function order(values: Float64Array, heap: Uint32Array, from: number, to: number): void {
  for (let i = to - 1; i >= from; i--) siftDown(values, heap, i, heap.length);
}

/** Lets these values take the places of smaller ones. */
function takeLarger(values: Float64Array, heap: Uint32Array, from: number, to: number): void {
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
    if (child + 1 < end && goesBefore(values, heap[child + 1], heap[child])) child++;
    if (!goesBefore(values, heap[child], moved)) break;
    heap[at] = heap[child];
    at = child;
  }
  heap[at] = moved;
}

function goesBefore(values: Float64Array, a: number, b: number): boolean {
  return values[a] < values[b] || (values[a] === values[b] && a < b);
}
