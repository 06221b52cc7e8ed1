/**
 * Measures how much of a span other intervals cover. Times are ns from the start of the span, whole numbers below 2^53:
 * sums are exact. Made once and used for every span, so that nothing is allocated for any.
 */
export class CoveredTime {
  /** By their starts, the last one first. */
  private starts = new Float64Array(64);
  private ends = new Float64Array(64);
  private count = 0;
  private duration = 0;

  /** Begins a span of this duration. */
  begin(duration: number): void {
    this.count = 0;
    this.duration = duration;
  }

  /** What lies outside the span does not count. */
  add(start: number, end: number): void {
    const from = Math.max(0, start);
    const to = Math.min(this.duration, end);
    if (from >= to) return;
    if (this.count === this.starts.length) this.grow();
    // Children come from the one that starts last: few are moved.
    let at = this.count++;
    for (; at > 0 && this.starts[at - 1] < from; at--) {
      this.starts[at] = this.starts[at - 1];
      this.ends[at] = this.ends[at - 1];
    }
    this.starts[at] = from;
    this.ends[at] = to;
  }

  /** Length of the union of all intervals. */
  total(): number {
    let until = 0;
    let sum = 0;
    for (let i = this.count - 1; i >= 0; i--) {
      if (this.ends[i] <= until) continue;
      sum += this.ends[i] - Math.max(until, this.starts[i]);
      until = this.ends[i];
    }
    return sum;
  }

  private grow(): void {
    const { starts, ends } = this;
    this.starts = new Float64Array(starts.length * 2);
    this.ends = new Float64Array(starts.length * 2);
    this.starts.set(starts);
    this.ends.set(ends);
  }
}
