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
 * Log time (ms since 1970) before which events may be deleted; undefined if none. A day later than the read models, and
 * never while these still refer to such events: a record may be up to ten minutes newer than the log time of its event.
 */
export function computeTruncationWatermark(age: TelemetryAge, defaultDays: number, now: number): number | undefined {
  const limit = computeRetentionLimit(age, defaultDays, now);
  if (limit === undefined) return undefined;
  const before = limit - DAY_MS;
  return age.oldestMs === undefined || age.oldestMs >= before + HOUR_MS ? before : undefined;
}

function computeRetentionLimit({ retentionDays }: TelemetryAge, defaultDays: number, now: number): number | undefined {
  const days = retentionDays ?? defaultDays;
  return days > 0 ? Math.floor((now - days * DAY_MS) / HOUR_MS) * HOUR_MS : undefined;
}
