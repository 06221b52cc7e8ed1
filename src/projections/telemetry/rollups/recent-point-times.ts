const DUPLICATE_WINDOW_NS = 15 * 60_000_000_000;

/** Times are kept in ns since the start of the period of the newest: a period is short enough for exact numbers. */
const PERIOD_US = 30 * 86_400_000_000;

/** Lists that a new list is compared with, newest first: series that are sent together are adjacent. */
const MAX_COMPARED_LISTS = 4;

/** A time in whole nanoseconds: µs since 1970, and ns from 0 to 999. */
export interface PointTime {
  readonly timeUs: number;
  readonly timeNs: number;
}

/** Whether `a` is after `b`. */
export function isAfter(a: PointTime, b: PointTime): boolean {
  return a.timeUs > b.timeUs || (a.timeUs === b.timeUs && a.timeNs > b.timeNs);
}

/**
 * Times of the points of a series in the 15 minutes before its newest, at most `bound` of them. A point with a known
 * time is a repetition.
 */
export class RecentPointTimes {
  private originUs = 0;
  /** Ns since `originUs`, ascending. */
  private offsets: number[] = [];

  get count(): number {
    return this.offsets.length;
  }

  /** 0 before the first point. */
  get newest(): PointTime {
    const newest = this.offsets.at(-1) ?? 0;
    const micros = Math.floor(newest / 1000);
    return { timeUs: this.originUs + micros, timeNs: newest - micros * 1000 };
  }

  /** Returns false for a known time. Times older than the window are never known. */
  add(time: PointTime, bound: number): boolean {
    if (isAfter(time, this.newest)) this.moveOrigin(Math.floor(time.timeUs / PERIOD_US) * PERIOD_US);
    const { offsets } = this;
    const offset = (time.timeUs - this.originUs) * 1000 + time.timeNs;
    const at = findIndex(offsets, offset);
    if (offsets[at] === offset) return false;
    const last = offsets.at(-1);
    if (last !== undefined && offset <= last - DUPLICATE_WINDOW_NS) return true;
    offsets.splice(at, 0, offset);
    const oldest = offsets[offsets.length - 1] - DUPLICATE_WINDOW_NS;
    const first = offsets.findIndex((each) => each > oldest);
    offsets.splice(0, Math.max(first, offsets.length - bound));
    return true;
  }

  isSame({ originUs, offsets }: RecentPointTimes): boolean {
    if (originUs !== this.originUs || offsets.length !== this.offsets.length) return false;
    for (let i = offsets.length - 1; i >= 0; i--) if (offsets[i] !== this.offsets[i]) return false;
    return true;
  }

  /** In the form of MetricSourceDocument. */
  encode(): number[] {
    const { offsets } = this;
    const { timeUs, timeNs } = this.newest;
    const ages = offsets.slice(1).map((_, i) => offsets[offsets.length - 1 - i] - offsets[offsets.length - 2 - i]);
    return [timeUs, timeNs, ...ages];
  }

  /** Restores an encoded list. */
  static decode([timeUs, timeNs, ...ages]: readonly number[]): RecentPointTimes {
    const times = new RecentPointTimes();
    times.originUs = Math.floor(timeUs / PERIOD_US) * PERIOD_US;
    let offset = (timeUs - times.originUs) * 1000 + timeNs;
    times.offsets = [offset, ...ages.map((age) => (offset -= age))].reverse();
    return times;
  }

  private moveOrigin(originUs: number): void {
    if (originUs === this.originUs) return;
    const change = (originUs - this.originUs) * 1000;
    const oldest = -DUPLICATE_WINDOW_NS;
    this.offsets = this.offsets.map((offset) => offset - change).filter((offset) => offset > oldest);
    this.originUs = originUs;
  }
}

/** Index of the first of the ascending numbers that is not below this one. */
function findIndex(numbers: readonly number[], number: number): number {
  let low = 0;
  let high = numbers.length;
  if (high === 0 || number > numbers[high - 1]) return high;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (numbers[middle] < number) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Lists of times, mostly deduplicated. The content depends on the lists and their order only. */
export class TimeListInterner {
  private readonly lists: RecentPointTimes[] = [];

  /** Index of a list with these times. */
  intern(times: RecentPointTimes): number {
    const { lists } = this;
    for (let i = lists.length - 1; i >= Math.max(0, lists.length - MAX_COMPARED_LISTS); i--)
      if (lists[i] === times || lists[i].isSame(times)) return i;
    return lists.push(times) - 1;
  }

  /** In the form of MetricSourceDocument. */
  encode(): number[][] {
    return this.lists.map((times) => times.encode());
  }
}
