const REMEMBERED_US = 15 * 60_000_000;

/** Times of a series' points in the 15 minutes before its newest, at most `bound` of them: a point of a known time is a repetition. */
export class RecentTimes {
  /** Ascending. */
  private readonly times: number[];

  constructor(newestUs: number, ages: readonly number[]) {
    let timeUs = newestUs;
    this.times = ages.map((age) => (timeUs -= age)).reverse();
  }

  /** False for a time that is known. One from longer ago is never known. */
  add(timeUs: number, bound: number): boolean {
    const { times } = this;
    const at = this.placeOf(timeUs);
    if (times[at] === timeUs) return false;
    const newest = times.at(-1) ?? timeUs;
    if (timeUs <= newest - REMEMBERED_US) return true;
    times.splice(at, 0, timeUs);
    const oldest = Math.max(timeUs, newest) - REMEMBERED_US;
    const first = times.findIndex((time) => time > oldest);
    times.splice(0, Math.max(first, times.length - bound));
    return true;
  }

  /** As StoredSeries has them. */
  ages(newestUs: number): number[] {
    let later = newestUs;
    return [...this.times].reverse().map((time) => {
      const age = later - time;
      later = time;
      return age;
    });
  }

  /** Index of the first time that is not before this one. */
  private placeOf(timeUs: number): number {
    let low = 0;
    let high = this.times.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.times[middle] < timeUs) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
