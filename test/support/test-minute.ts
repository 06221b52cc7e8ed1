const NS_PER_MS = 1_000_000n;
const MINUTE_MS = 60_000;

/** A minute of the last hour reserved for one test; times are offsets (ms) from its start. */
export class Minute {
  private readonly startMs: number;

  /** @param number 0 to 49, oldest first @param nowMs a time during the test run, the same for all its minutes */
  constructor(number: number, nowMs: number) {
    this.startMs = Math.floor(nowMs / MINUTE_MS) * MINUTE_MS + (number - 55) * MINUTE_MS;
  }

  /** Nanoseconds since 1970. */
  ns(ms: number, beyondNs = 0): bigint {
    return BigInt(this.startMs + ms) * NS_PER_MS + BigInt(beyondNs);
  }

  iso(ms: number): string {
    return new Date(this.startMs + ms).toISOString();
  }

  /** A range within the minute; without arguments the whole minute. */
  range(fromMs = 0, toMs = MINUTE_MS): { readonly rangeStart: string; readonly rangeEnd: string } {
    return { rangeStart: this.iso(fromMs), rangeEnd: this.iso(toMs) };
  }
}
