import { accessCollections } from '../read-models/access.js';
import type { BlockPlace } from '../read-models/blocks/block.js';
import type { ShelfDocument } from '../read-models/blocks/shelf-document.js';
import { eq } from '../read-models/filter.js';
import { logCollections, LOGS_PROJECTION } from '../read-models/logs.js';
import { activeVersion } from '../read-models/projections.js';
import { spanCollections, TRACES_PROJECTION } from '../read-models/spans.js';
import type { Collection, ReadModelReader } from '../read-models/store.js';

/** How old a Grid's telemetry is, and may become. */
export interface TelemetryAge {
  readonly gridId: string;
  /** Null: the service's default. 0: for ever. */
  readonly retentionDays: number | null;
  /** Time (ms) of the oldest span or log record in the read models, rounded down; absent where there is none. */
  readonly oldestMs?: number;
  /** Everything before this time (ms) has left the read models; 0: nothing has. */
  readonly expiredBefore: number;
}

/** The same for every Grid there is. */
export async function telemetryAges(store: ReadModelReader): Promise<TelemetryAge[]> {
  const version = await activeVersion(store, 'access');
  const grids = version === undefined ? [] : await store.find(accessCollections(version).grids, {});
  return Promise.all(grids.map(({ document }) => ageOf(store, document.gridId, document.retentionDays)));
}

async function ageOf(store: ReadModelReader, gridId: string, retentionDays: number | null): Promise<TelemetryAge> {
  const spans = spanCollections((await activeVersion(store, TRACES_PROJECTION)) ?? 0);
  const logs = logCollections((await activeVersion(store, LOGS_PROJECTION)) ?? 0);
  const oldestUs = Math.min(await oldest(store, spans.blocks, 'minStartUs', gridId), await oldest(store, logs.blocks, 'minTimeUs', gridId));
  const marks = await Promise.all([spans.catalogs, logs.catalogs].map((catalogs) => store.get(catalogs, gridId)));
  const expiredBefore = Math.min(...marks.map((mark) => (mark as ShelfDocument | undefined)?.expiredBefore ?? 0));
  return { gridId, retentionDays, expiredBefore, ...(oldestUs === Infinity ? {} : { oldestMs: Math.floor(oldestUs / 1000) }) };
}

/** The smallest value of a field over all blocks of a Grid, Infinity where it has none. */
async function oldest<D extends BlockPlace, F extends keyof D & string>(store: ReadModelReader, blocks: Collection<D>, field: F, gridId: string): Promise<number> {
  const [first] = await store.find(blocks, { filter: eq('gridId', gridId), sort: [{ field }], limit: 1 });
  return first === undefined ? Infinity : Number(first.document[field]);
}
