/**
 * Times in columns are split: whole microseconds since 1970 as a double (exact up to the year 2255) and the remaining
 * 0–999 nanoseconds. A single double would currently be off by up to 128 ns.
 */

const US_PER_HI = 4_294_967; // 2^32 ns = 4,294,967 µs + 296 ns
const NS_PER_HI = 296;

/** Whole microseconds of an unsigned 64-bit nanosecond count given as two 32-bit halves. */
export function toUnixMicros(hi: number, lo: number): number {
  return hi * US_PER_HI + Math.floor((hi * NS_PER_HI + lo) / 1000);
}

/** Nanoseconds (0–999) beyond the whole microseconds of the same count. */
export function subMicrosecondNanos(hi: number, lo: number): number {
  return (hi * NS_PER_HI + lo) % 1000;
}

/** Nanoseconds since 1970 of a split time. */
export function toUnixNanos(micros: number, nanos: number): bigint {
  return BigInt(micros) * 1000n + BigInt(nanos);
}

/** ISO 8601 in UTC with milliseconds, rounded down. Years past 9999 are formatted with a sign and six digits. */
export function formatIsoMillis(nanos: bigint): string {
  return new Date(Number(nanos / 1_000_000n)).toISOString();
}
