import { WithdrawnMarks } from '../projections/telemetry/withdrawn-marks.js';
import type { EventReader } from '../streams/event-store.js';
import { readIntactEvents } from '../streams/intact-events.js';
import { TELEMETRY_EXPIRED_TYPE, type TelemetryExpired } from '../streams/events/telemetry-events.js';
import { retentionStream } from '../streams/stream-names.js';

/** Time (ms since 1970) before which telemetry of a Grid has expired. */
interface ExpiryMark {
  readonly gridId: string;
  readonly before: number;
}

/**
 * The marks of a snapshot of the read models, with those of Grids of which one was ever taken back as the log has them:
 * until a rebuild is completed, read models hold the mark from before. Damaged events are left out.
 */
export async function applyWithdrawals(
  marks: readonly ExpiryMark[],
  log: Pick<EventReader, 'readStream'>,
): Promise<readonly ExpiryMark[]> {
  const withdrawn = new WithdrawnMarks(log);
  await withdrawn.load();
  const folded = new Map<string, number>();
  for (const gridId of withdrawn.gridIds) folded.set(gridId, await foldMark(gridId, withdrawn, log));
  const others = marks.filter(({ gridId }) => !folded.has(gridId));
  return [...others, ...[...folded].map(([gridId, before]) => ({ gridId, before }))];
}

async function foldMark(
  gridId: string,
  withdrawn: WithdrawnMarks,
  log: Pick<EventReader, 'readStream'>,
): Promise<number> {
  const events = await readIntactEvents(log, retentionStream(gridId));
  return events
    .filter(({ type }) => type === TELEMETRY_EXPIRED_TYPE)
    .map(({ position, data }) => withdrawn.limit(gridId, position, (data as TelemetryExpired).before))
    .reduce((most, before) => Math.max(most, before), 0);
}
