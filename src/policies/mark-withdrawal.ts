import { HindsightError } from '../errors.js';
import type { TelemetryAge } from '../queries/telemetry/telemetry-age-queries.js';
import type { EventStore } from '../streams/event-store.js';
import type { RetentionMarkWithdrawn } from '../streams/events/retention-events.js';
import { WITHDRAWN_MARKS_STREAM } from '../streams/stream-names.js';
import { computeRetentionLimit } from './retention-watermarks.js';

export interface MarkWithdrawalParts {
  readonly events: Pick<EventStore, 'append'>;
  readonly readTelemetryAges: () => Promise<readonly TelemetryAge[]>;
  /** RETENTION_DAYS, for Grids without their own setting; 0: unlimited. */
  readonly defaultDays: number;
  readonly newId: () => string;
}

/** A mark that was taken back. Times in ms since 1970. */
export interface WithdrawnMark {
  readonly gridId: string;
  readonly from: number;
  /** 0: nothing has expired any more. */
  readonly to: number;
}

/**
 * Takes the expiry mark of a Grid back to where its retention puts it by now. What is still in the log returns with the
 * next rebuild of the read models. Rejects with `not-found` for an unknown Grid, with `invalid-request` if the mark is
 * not later than the retention allows.
 * @param now the time that retention trusts, ms since 1970
 */
export async function withdrawMark(
  { events, readTelemetryAges, defaultDays, newId }: MarkWithdrawalParts,
  gridId: string,
  actor: string,
  now: number,
): Promise<WithdrawnMark> {
  const age = (await readTelemetryAges()).find((each) => each.gridId === gridId);
  if (age === undefined) throw new HindsightError('not-found', 'There is no such Grid.');
  const from = age.refusedBefore;
  const to = computeRetentionLimit(age, defaultDays, now) ?? 0;
  if (to >= from) throw createNothingToWithdrawError(from);
  const event: RetentionMarkWithdrawn = {
    type: 'RetentionMarkWithdrawn.v1',
    data: { gridId, before: to, actor, at: now },
  };
  await events.append(WITHDRAWN_MARKS_STREAM, 'any', [{ id: newId(), ...event }]);
  return { gridId, from, to };
}

function createNothingToWithdrawError(mark: number): HindsightError {
  const fact =
    mark === 0
      ? 'Nothing has expired in this Grid'
      : `The expiry mark ${new Date(mark).toISOString()} is not later than the retention of the Grid allows`;
  return new HindsightError(
    'invalid-request',
    `${fact}: there is nothing to take back\n  → for older telemetry, set a longer retention first: hindsight grids set <grid> --retention-days <days>`,
  );
}
