import { WithdrawnWatermarks } from '../projections/telemetry/withdrawn-watermarks.js';
import type { EventReader } from '../streams/event-store.js';
import { readIntactEvents } from '../streams/intact-events.js';
import { TELEMETRY_EXPIRED_TYPE, type TelemetryExpired } from '../streams/events/telemetry-events.js';
import { retentionStream } from '../streams/stream-names.js';

/** Time (ms since 1970) before which telemetry of a Grid has expired. */
interface RetentionWatermark {
  readonly gridId: string;
  readonly before: number;
}

/**
 * The watermarks of a snapshot of the read models. For Grids with a withdrawal they are read from the log: until a
 * rebuild is completed, read models contain the watermark from before it. Damaged events are left out.
 */
export async function applyWithdrawals(
  watermarks: readonly RetentionWatermark[],
  log: Pick<EventReader, 'readStream'>,
): Promise<readonly RetentionWatermark[]> {
  const withdrawn = new WithdrawnWatermarks(log);
  await withdrawn.load();
  const folded = new Map<string, number>();
  for (const gridId of withdrawn.gridIds) folded.set(gridId, await foldWatermark(gridId, withdrawn, log));
  const others = watermarks.filter(({ gridId }) => !folded.has(gridId));
  return [...others, ...[...folded].map(([gridId, before]) => ({ gridId, before }))];
}

async function foldWatermark(
  gridId: string,
  withdrawn: WithdrawnWatermarks,
  log: Pick<EventReader, 'readStream'>,
): Promise<number> {
  const events = await readIntactEvents(log, retentionStream(gridId));
  return events
    .filter(({ type }) => type === TELEMETRY_EXPIRED_TYPE)
    .map(({ position, data }) => withdrawn.limit(gridId, position, (data as TelemetryExpired).before))
    .reduce((most, before) => Math.max(most, before), 0);
}
