import { MINUTE_MS } from '../../diagnostics/time-windows.js';
import { accessCollections } from '../../read-models/documents/access-documents.js';
import type { BlockLocation } from '../../read-models/blocks/block.js';
import {
  type BlockCompactionDocument,
  logCollections,
  LOGS_PROJECTION,
  spanCollections,
  TRACES_PROJECTION,
} from '../../read-models/documents/block-documents.js';
import { eq } from '../../read-models/document-filter.js';
import { readActiveVersion } from '../../read-models/documents/projection-documents.js';
import { metricRollupCollections, METRICS_PROJECTION } from '../../read-models/documents/rollup-documents.js';
import type { ReaderForGrid } from '../../read-models/sharding/shard-readers.js';
import type { Collection, ReadModelReader } from '../../read-models/read-model-store.js';
import { Semaphore } from '../scheduling/query-concurrency-limiter.js';

/** How old a Grid's telemetry is, and may become. */
export interface TelemetryAge {
  readonly gridId: string;
  /** Null: the service's default. 0: for ever. */
  readonly retentionDays: number | null;
  /** Time (ms) of the oldest span, log record or minute with data points in the read models, rounded down; absent where there is none. */
  readonly oldestMs?: number;
  /** Everything before this time (ms) has left the read models; 0: nothing has. */
  readonly expiredBefore: number;
}

/** Grids that are asked about at once: a store elsewhere would have to answer thousands within the time of one answer. */
const MAX_CONCURRENT_GRIDS = 8;

/** The same for every Grid there is. */
export async function findTelemetryAges(
  store: ReadModelReader,
  readerOf: ReaderForGrid = () => store,
): Promise<TelemetryAge[]> {
  const version = await readActiveVersion(store, 'access');
  const grids = version === undefined ? [] : await store.find(accessCollections(version).grids, {});
  const asking = new Semaphore(MAX_CONCURRENT_GRIDS);
  return Promise.all(
    grids.map(({ document: { gridId, retentionDays } }) =>
      asking.run(() => computeTelemetryAge(readerOf(gridId), gridId, retentionDays)),
    ),
  );
}

async function computeTelemetryAge(
  store: ReadModelReader,
  gridId: string,
  retentionDays: number | null,
): Promise<TelemetryAge> {
  const spans = spanCollections((await readActiveVersion(store, TRACES_PROJECTION)) ?? 0);
  const logs = logCollections((await readActiveVersion(store, LOGS_PROJECTION)) ?? 0);
  const points = metricRollupCollections((await readActiveVersion(store, METRICS_PROJECTION)) ?? 0);
  const oldestMs = Math.min(
    (await findSmallest(store, spans.blocks, 'minStartUs', gridId)) / 1000,
    (await findSmallest(store, logs.blocks, 'minTimeUs', gridId)) / 1000,
    (await findSmallest(store, points.minutes, 'minute', gridId)) * MINUTE_MS,
  );
  const marks = await Promise.all(
    [spans.catalogs, logs.catalogs, points.catalogs].map((catalogs) =>
      store.get(catalogs as Collection<RetentionWatermark>, gridId),
    ),
  );
  const expiredBefore = Math.min(...marks.map((mark) => mark?.expiredBefore ?? 0));
  return { gridId, retentionDays, expiredBefore, ...(oldestMs === Infinity ? {} : { oldestMs: Math.floor(oldestMs) }) };
}

/** What all catalogues tell. */
type RetentionWatermark = Pick<BlockCompactionDocument, 'expiredBefore'>;

/** The smallest value of a field over all documents of a Grid, Infinity where it has none. */
async function findSmallest<D extends Pick<BlockLocation, 'gridId'>, F extends keyof D & string>(
  store: ReadModelReader,
  blocks: Collection<D>,
  field: F,
  gridId: string,
): Promise<number> {
  const [first] = await store.find(blocks, { filter: eq('gridId', gridId), sort: [{ field }], limit: 1 });
  return first === undefined ? Infinity : Number(first.document[field]);
}
