import { readProjectionPosition } from '../../projections/projection.js';
import { type AccessRecords, readAccessRecords } from '../../queries/administration/access-queries.js';
import { findExpiryMarks } from '../../queries/telemetry/telemetry-age-queries.js';
import type { ReaderForGrid } from '../../read-models/sharding/shard-readers.js';
import type { ReadModelReader } from '../../read-models/read-model-store.js';
import type { Position } from '../../streams/event-store.js';

export interface AccessSnapshot extends AccessRecords {
  readonly position: Position;
  readonly expiryMarks: readonly { readonly gridId: string; readonly before: number }[];
}

const TELEMETRY_PROJECTIONS = ['traces', 'logs', 'metrics'];

/**
 * All Grids, keys, members and expiry marks, as of `position` or later: that of the projection which is furthest behind.
 * Undefined before the first commit of one of them, and as long as a former version of the program wrote the records.
 * The marks lack withdrawals whose rebuild is not completed.
 */
export async function readAccessSnapshot(
  store: ReadModelReader,
  readerOf: ReaderForGrid,
): Promise<AccessSnapshot | undefined> {
  // The positions first: documents may contain later events, but never lack one.
  const access = await readProjectionPosition(store, 'access');
  const records = await readAccessRecords(store);
  if (records === undefined) return undefined;
  const readers = new Set(records.grids.map(({ gridId }) => readerOf(gridId)));
  const position = oldest([access, ...(await readTelemetryPositions(readers))]);
  return position === undefined ? undefined : { position, ...records, expiryMarks: await findExpiryMarks(readers) };
}

async function readTelemetryPositions(readers: Iterable<ReadModelReader>): Promise<(Position | undefined)[]> {
  const positions: (Position | undefined)[] = [];
  for (const reader of readers)
    for (const name of TELEMETRY_PROJECTIONS) positions.push(await readProjectionPosition(reader, name));
  return positions;
}

/** Undefined if one of them is. */
function oldest(positions: readonly (Position | undefined)[]): Position | undefined {
  const known = positions.filter((position) => position !== undefined).sort();
  return known.length < positions.length ? undefined : known[0];
}
