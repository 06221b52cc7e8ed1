import type { Turn } from '../giving-way.js';

/** Values looked at between two looks at the clock, less one. */
const BREATH = 0xfff;

/**
 * Indices of the `k` largest of the first `count` values, largest first, of equal ones the last first. So a longer
 * selection starts with a shorter one. A heap of k, filled from the end: where values mostly grow, as times do,
 * almost all are passed by after one comparison.
 */
export async function largest(values: Float64Array, count: number, k: number, turn: Turn): Promise<Uint32Array> {
  const heap = new Uint32Array(Math.min(k, count));
  for (let i = 0; i < heap.length; i++) heap[i] = count - 1 - i;
  for (let i = (heap.length >>> 1) - 1; i >= 0; i--) {
    if ((i & BREATH) === 0) await turn.giveWay();
    siftDown(values, heap, i, heap.length);
  }
  for (let i = count - heap.length - 1; heap.length > 0 && i >= 0; i--) {
    if ((i & BREATH) === 0) await turn.giveWay();
    if (values[i] <= values[heap[0]]) continue;
    heap[0] = i;
    siftDown(values, heap, 0, heap.length);
  }
  for (let end = heap.length - 1; end > 0; end--) {
    if ((end & BREATH) === 0) await turn.giveWay();
    [heap[0], heap[end]] = [heap[end], heap[0]];
    siftDown(values, heap, 0, end);
  }
  return heap;
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
