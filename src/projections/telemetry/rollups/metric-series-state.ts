import type { StoredBuckets } from '../../../read-models/documents/metric-series-documents.js';
import type { HistogramBuckets } from '../../../telemetry/metric-distributions.js';

/** Lists that a list is compared with, newest first: series that are sent together stand together. */
const MAX_COMPARED_LISTS = 4;

/** Lists of numbers, most of them once. What is in it depends on the lists and their order alone. */
export class NumberListInterner {
  readonly lists: (readonly number[])[] = [];

  /** Index of a list with these numbers. */
  intern(numbers: readonly number[]): number {
    const { lists } = this;
    for (let i = lists.length - 1; i >= Math.max(0, lists.length - MAX_COMPARED_LISTS); i--)
      if (areEqual(lists[i], numbers)) return i;
    return lists.push(numbers) - 1;
  }
}

function areEqual(a: readonly number[], b: readonly number[]): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  for (let i = a.length - 1; i >= 0; i--) if (a[i] !== b[i]) return false;
  return true;
}

const DUPLICATE_WINDOW_US = 15 * 60_000_000;

/** Times of a series' points in the 15 minutes before its newest, at most `bound` of them: a point of a known time is a repetition. */
export class RecentPointTimes {
  /** Ascending. */
  readonly times: number[];

  constructor(times: readonly number[] = []) {
    this.times = [...times];
  }

  get count(): number {
    return this.times.length;
  }

  /** 0 before the first. */
  get newestUs(): number {
    return this.times.at(-1) ?? 0;
  }

  /** False for a time that is known. One from longer ago is never known. */
  add(timeUs: number, bound: number): boolean {
    const { times } = this;
    const at = this.findIndex(timeUs);
    if (times[at] === timeUs) return false;
    if (timeUs <= this.newestUs - DUPLICATE_WINDOW_US) return true;
    times.splice(at, 0, timeUs);
    const oldest = this.newestUs - DUPLICATE_WINDOW_US;
    const first = times.findIndex((time) => time > oldest);
    times.splice(0, Math.max(first, times.length - bound));
    return true;
  }

  /** Index of the first time that is not before this one. */
  private findIndex(timeUs: number): number {
    const { times } = this;
    if (timeUs > this.newestUs) return times.length;
    let low = 0;
    let high = times.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (times[middle] < timeUs) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Lists of times, most of them once. */
export class TimeListInterner extends NumberListInterner {
  /** As MetricSourceDocument has them. */
  encode(): number[][] {
    return this.lists.map((times) =>
      times.map((_, i) => (i === 0 ? times[times.length - 1] : times[times.length - i] - times[times.length - 1 - i])),
    );
  }
}

/** Ascending times of a stored list. */
export function decodeTimes([newestUs, ...ages]: readonly number[]): number[] {
  let timeUs = newestUs;
  return [newestUs, ...ages.map((age) => (timeUs -= age))].reverse();
}

/** What a histogram takes in memory beside its numbers, about; and one of these. */
const BUCKETS_BYTES = 200;

const NUMBER_BYTES = 8;

/** `bounds`: those of the source, to which its own are added. */
export function toStoredBuckets(buckets: HistogramBuckets, bounds: NumberListInterner): StoredBuckets {
  if (buckets.kind === 'exponential') return buckets;
  return { kind: 'explicit', bounds: bounds.intern(buckets.bounds), counts: buckets.counts };
}

export function fromStoredBuckets(
  stored: StoredBuckets | undefined,
  bounds: readonly (readonly number[])[] = [],
): HistogramBuckets | undefined {
  return stored?.kind === 'explicit'
    ? { kind: 'explicit', bounds: bounds[stored.bounds], counts: stored.counts }
    : stored;
}

/** Memory that it takes, about. */
export function estimateBucketBytes(buckets: HistogramBuckets | undefined): number {
  if (buckets === undefined) return 0;
  const numbers =
    buckets.kind === 'explicit'
      ? buckets.bounds.length + buckets.counts.length
      : buckets.positive.counts.length + buckets.negative.counts.length;
  return BUCKETS_BYTES + NUMBER_BYTES * numbers;
}
