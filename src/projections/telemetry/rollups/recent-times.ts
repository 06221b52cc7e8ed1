import { NumberLists } from './number-lists.js';

const REMEMBERED_US = 15 * 60_000_000;

/** Times of a series' points in the 15 minutes before its newest, at most `bound` of them: a point of a known time is a repetition. */
export class RecentTimes {
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
    const at = this.placeOf(timeUs);
    if (times[at] === timeUs) return false;
    if (timeUs <= this.newestUs - REMEMBERED_US) return true;
    times.splice(at, 0, timeUs);
    const oldest = this.newestUs - REMEMBERED_US;
    const first = times.findIndex((time) => time > oldest);
    times.splice(0, Math.max(first, times.length - bound));
    return true;
  }

  /** Index of the first time that is not before this one. */
  private placeOf(timeUs: number): number {
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
export class TimeLists extends NumberLists {
  /** As MetricSourceDocument has them. */
  stored(): number[][] {
    return this.lists.map((times) => times.map((_, i) => (i === 0 ? times[times.length - 1] : times[times.length - i] - times[times.length - 1 - i])));
  }
}

/** Ascending times of a stored list. */
export function timesOf([newestUs, ...ages]: readonly number[]): number[] {
  let timeUs = newestUs;
  return [newestUs, ...ages.map((age) => (timeUs -= age))].reverse();
}
