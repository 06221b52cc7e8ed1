const NS_PER_MS = 1_000_000n;
const MINUTE_MS = 60_000;

/** A minute of the last hour that a test has for itself: what happens in it is told in ms from its start. */
export class Minute {
  private readonly startMs: number;

  /** `number`: 0 to 49, oldest first. `nowMs` is any moment of the test run, the same for all of its minutes. */
  constructor(number: number, nowMs: number) {
    this.startMs = Math.floor(nowMs / MINUTE_MS) * MINUTE_MS + (number - 55) * MINUTE_MS;
  }

  /** ns since 1970. */
  ns(ms: number, beyondNs = 0): bigint {
    return BigInt(this.startMs + ms) * NS_PER_MS + BigInt(beyondNs);
  }

  iso(ms: number): string {
    return new Date(this.startMs + ms).toISOString();
  }

  /** From one moment up to another, without arguments all of the minute. */
  range(fromMs = 0, toMs = MINUTE_MS): { readonly rangeStart: string; readonly rangeEnd: string } {
    return { rangeStart: this.iso(fromMs), rangeEnd: this.iso(toMs) };
  }
}
