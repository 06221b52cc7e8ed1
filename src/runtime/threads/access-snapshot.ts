import { readProjectionPosition } from '../../projections/projection.js';
import { type AccessRecords, readAccessRecords } from '../../queries/administration/access-queries.js';
import { Semaphore } from '../../queries/scheduling/query-concurrency-limiter.js';
import { findRetentionWatermarks, MAX_CONCURRENT_STORES } from '../../queries/telemetry/telemetry-age-queries.js';
import type { ReaderForGrid } from '../../read-models/sharding/shard-readers.js';
import type { ReadModelReader } from '../../read-models/read-model-store.js';
import type { Position } from '../../streams/event-store.js';

export interface AccessSnapshot extends AccessRecords {
  readonly position: Position;
  /** The same for Grids, keys and members alone: at or after `position`. */
  readonly accessPosition: Position;
  readonly retentionWatermarks: readonly { readonly gridId: string; readonly before: number }[];
}

const TELEMETRY_PROJECTIONS = ['traces', 'logs', 'metrics'];

/**
 * All Grids, keys, members and retention watermarks, as of `position` or later: that of the projection which is
 * furthest behind. Undefined before the first commit of one of them, and as long as a former version of the program
 * wrote the records. The watermarks lack withdrawals whose rebuild is not completed.
 */
export async function readAccessSnapshot(
  store: ReadModelReader,
  getReader: ReaderForGrid,
): Promise<AccessSnapshot | undefined> {
  // The positions first: documents may contain later events, but never lack one.
  const access = await readProjectionPosition(store, 'access');
  const records = await readAccessRecords(store);
  if (records === undefined || access === undefined) return undefined;
  const readers = new Set(records.grids.map(({ gridId }) => getReader(gridId)));
  const position = oldest([access, ...(await readTelemetryPositions(readers))]);
  if (position === undefined) return undefined;
  return { position, accessPosition: access, ...records, retentionWatermarks: await findRetentionWatermarks(readers) };
}

async function readTelemetryPositions(readers: Iterable<ReadModelReader>): Promise<(Position | undefined)[]> {
  const semaphore = new Semaphore(MAX_CONCURRENT_STORES);
  const read = (reader: ReadModelReader): Promise<(Position | undefined)[]> =>
    Promise.all(TELEMETRY_PROJECTIONS.map((name) => readProjectionPosition(reader, name)));
  return (await Promise.all([...readers].map((reader) => semaphore.run(() => read(reader))))).flat();
}

/** Undefined if one of them is. */
function oldest(positions: readonly (Position | undefined)[]): Position | undefined {
  const known = positions.filter((position) => position !== undefined).sort();
  return known.length < positions.length ? undefined : known[0];
}
