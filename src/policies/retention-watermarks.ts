import type { TelemetryAge } from '../queries/telemetry/telemetry-age-queries.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * Up to when (ms) the Grid's telemetry expires now; undefined: nothing does. Always on a whole hour, at least an hour
 * after the mark before, and only when there is something older.
 */
export function computeExpiryWatermark(age: TelemetryAge, defaultDays: number, now: number): number | undefined {
  const before = computeRetentionLimit(age, defaultDays, now);
  if (before === undefined || before <= age.expiredBefore) return undefined;
  return age.oldestMs !== undefined && age.oldestMs < before ? before : undefined;
}

/**
 * Up to which log time (ms) events may leave; undefined: none. A day later than the read models, and never while these
 * still refer to such events: a record may stand up to ten minutes after the log time of its event.
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
