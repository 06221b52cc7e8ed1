import { HindsightError } from '../errors.js';
import type { TelemetryAge } from '../queries/telemetry/telemetry-age-queries.js';
import type { EventStore } from '../streams/event-store.js';
import type { RetentionMarkWithdrawn } from '../streams/events/retention-events.js';
import { RETENTION_WITHDRAWALS_STREAM } from '../streams/stream-names.js';
import { computeRetentionLimit } from './retention-watermarks.js';

export interface WatermarkWithdrawalParts {
  readonly events: Pick<EventStore, 'append'>;
  readonly readTelemetryAges: () => Promise<readonly TelemetryAge[]>;
  /** RETENTION_DAYS, for Grids without their own setting; 0: unlimited. */
  readonly defaultDays: number;
  readonly newId: () => string;
}

/** A watermark that was moved back. Times in ms since 1970. */
export interface WithdrawnWatermark {
  readonly gridId: string;
  readonly from: number;
  /** 0: nothing has expired any more. */
  readonly to: number;
}

/**
 * Moves the retention watermark of a Grid back to what its current retention requires. What is still in the log returns
 * with the next rebuild of the read models. Rejects with `not-found` for an unknown Grid, with `invalid-request` if the
 * watermark is not later than the retention allows.
 * @param now the time that retention trusts, ms since 1970
 */
export async function withdrawWatermark(
  { events, readTelemetryAges, defaultDays, newId }: WatermarkWithdrawalParts,
  gridId: string,
  actor: string,
  now: number,
): Promise<WithdrawnWatermark> {
  const age = (await readTelemetryAges()).find((each) => each.gridId === gridId);
  if (age === undefined) throw new HindsightError('not-found', 'There is no such Grid.');
  const from = age.refusedBefore;
  const to = computeRetentionLimit(age, defaultDays, now) ?? 0;
  if (to >= from) throw createNothingToWithdrawError(from);
  const event: RetentionMarkWithdrawn = {
    type: 'RetentionMarkWithdrawn.v1',
    data: { gridId, before: to, actor, at: now },
  };
  await events.append(RETENTION_WITHDRAWALS_STREAM, 'any', [{ id: newId(), ...event }]);
  return { gridId, from, to };
}

function createNothingToWithdrawError(watermark: number): HindsightError {
  const fact =
    watermark === 0
      ? 'Nothing has expired in this Grid'
      : `The retention watermark ${new Date(watermark).toISOString()} is not later than the retention of the Grid requires`;
  return new HindsightError(
    'invalid-request',
    `${fact}: the watermark cannot be moved back\n  → for older telemetry, set a longer retention first: hindsight grids set <grid> --retention-days <days>`,
  );
}
