import type { TelemetryExpired } from '../streams/events/telemetry-events.js';
import type { TelemetryAge } from '../queries/telemetry/telemetry-age-queries.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * Time (ms since 1970) before which the Grid's telemetry expires now; undefined if none does. Always a whole hour, at
 * least an hour after the previous watermark, and only if older telemetry exists.
 */
export function computeExpiryWatermark(age: TelemetryAge, defaultDays: number, now: number): number | undefined {
  const before = computeRetentionLimit(age, defaultDays, now);
  if (before === undefined || before <= age.expiredBefore) return undefined;
  return age.oldestMs !== undefined && age.oldestMs < before ? before : undefined;
}

/**
 * Log time (ms since 1970) before which events may be deleted; undefined if none. What a mark has expired stays in the
 * log for a day, so that the mark can be taken back. Nothing is deleted while read models still refer to it: a record
 * may be up to ten minutes newer than the log time of its event.
 * @param marks the newest expiry marks of the Grid, oldest first
 */
export function computeTruncationWatermark(
  age: TelemetryAge,
  defaultDays: number,
  now: number,
  marks: readonly Pick<TelemetryExpired, 'before' | 'at'>[],
): number | undefined {
  const limit = computeRetentionLimit(age, defaultDays, now);
  if (limit === undefined) return undefined;
  const before = Math.min(limit - DAY_MS, findSettledMark(marks, now));
  if (before <= 0) return undefined;
  return age.oldestMs === undefined || age.oldestMs >= before + HOUR_MS ? before : undefined;
}

/** The newest mark that took effect at least a day ago; Infinity if that holds for all, 0 if for none. */
function findSettledMark(marks: readonly Pick<TelemetryExpired, 'before' | 'at'>[], now: number): number {
  const settled = marks.filter(({ at }) => at <= now - DAY_MS);
  return settled.length === marks.length ? Infinity : Math.max(0, ...settled.map(({ before }) => before));
}

export function computeRetentionLimit(
  { retentionDays }: TelemetryAge,
  defaultDays: number,
  now: number,
): number | undefined {
  const days = retentionDays ?? defaultDays;
  return days > 0 ? Math.floor((now - days * DAY_MS) / HOUR_MS) * HOUR_MS : undefined;
}
