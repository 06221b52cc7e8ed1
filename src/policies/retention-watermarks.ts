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
 * Log time (ms since 1970) before which events may be deleted; undefined if none. What a watermark has expired stays in
 * the log for a day, so that the watermark can be taken back. Nothing is deleted while read models still refer to it: a
 * record may be up to ten minutes newer than the log time of its event.
 * @param watermarks the newest retention watermarks of the Grid, oldest first
 */
export function computeTruncationWatermark(
  age: TelemetryAge,
  defaultDays: number,
  now: number,
  watermarks: readonly Pick<TelemetryExpired, 'before' | 'at'>[],
): number | undefined {
  const limit = computeRetentionLimit(age, defaultDays, now);
  if (limit === undefined) return undefined;
  const before = Math.min(limit - DAY_MS, findSettledWatermark(watermarks, now));
  if (before <= 0) return undefined;
  return age.oldestMs === undefined || age.oldestMs >= before + HOUR_MS ? before : undefined;
}

/** The newest watermark that took effect at least a day ago; Infinity if that holds for all, 0 if for none. */
function findSettledWatermark(watermarks: readonly Pick<TelemetryExpired, 'before' | 'at'>[], now: number): number {
  const settled = watermarks.filter(({ at }) => at <= now - DAY_MS);
  return settled.length === watermarks.length ? Infinity : Math.max(0, ...settled.map(({ before }) => before));
}

export function computeRetentionLimit(
  { retentionDays }: TelemetryAge,
  defaultDays: number,
  now: number,
): number | undefined {
  const days = retentionDays ?? defaultDays;
  return days > 0 ? Math.floor((now - days * DAY_MS) / HOUR_MS) * HOUR_MS : undefined;
}
