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
import { readActiveVersion, recentRequestsCollection } from '../../read-models/documents/projection-documents.js';
import { metricRollupCollections, METRICS_PROJECTION } from '../../read-models/documents/rollup-documents.js';
import type { ReaderForGrid } from '../../read-models/sharding/shard-readers.js';
import type { Collection, ReadModelReader } from '../../read-models/read-model-store.js';
import { Semaphore } from '../scheduling/query-concurrency-limiter.js';

/** Age and retention of a Grid's telemetry. */
export interface TelemetryAge {
  readonly gridId: string;
  /** Null: the default of the service. 0: unlimited. */
  readonly retentionDays: number | null;
  /**
   * Time (ms since 1970) of the oldest span, log record or minute with data points in the read models, rounded down;
   * absent if there is none.
   */
  readonly oldestMs?: number;
  /** Everything before this time (ms since 1970) has been removed from the read models; 0 if nothing has. */
  readonly expiredBefore: number;
  /** The same for at least one signal; such telemetry is refused. Later only while a read model is being rebuilt. */
  readonly refusedBefore: number;
}

/** Limits concurrent reads: a remote store would otherwise receive thousands at once. */
const MAX_CONCURRENT_GRIDS = 8;

/** Telemetry age of every Grid. */
export async function findTelemetryAges(
  store: ReadModelReader,
  getReader: ReaderForGrid = () => store,
): Promise<TelemetryAge[]> {
  const version = await readActiveVersion(store, 'access');
  const grids = version === undefined ? [] : await store.find(accessCollections(version).grids, {});
  const semaphore = new Semaphore(MAX_CONCURRENT_GRIDS);
  return Promise.all(
    grids.map(({ document: { gridId, retentionDays } }) =>
      semaphore.run(() => computeTelemetryAge(getReader(gridId), gridId, retentionDays)),
    ),
  );
}

/** Log time (ms since 1970) of the newest telemetry that was projected, over all Grids; undefined if there is none. */
export async function findNewestLogTime(
  store: ReadModelReader,
  getReader: ReaderForGrid = () => store,
): Promise<number | undefined> {
  const version = await readActiveVersion(store, 'access');
  const grids = version === undefined ? [] : await store.find(accessCollections(version).grids, {});
  let newest: number | undefined;
  for (const reader of new Set(grids.map(({ document }) => getReader(document.gridId))))
    for (const { document } of await reader.find(recentRequestsCollection('live'), {}))
      newest = Math.max(newest ?? 0, document.at);
  return newest;
}

/**
 * Time (ms since 1970) before which telemetry of the Grid has expired, of some signal at least: telemetry from before
 * it is not stored any more. 0: nothing has expired.
 */
export async function findRetentionWatermark(store: ReadModelReader, gridId: string): Promise<number> {
  return Math.max(...(await readRetentionWatermarks(store, gridId)));
}

/** Stores that are read at the same time: one trip after the other takes too long where there are many shards. */
export const MAX_CONCURRENT_STORES = 16;

/** Watermarks of all Grids in these stores, see findRetentionWatermark; a Grid without telemetry has none. */
export async function findRetentionWatermarks(
  stores: Iterable<ReadModelReader>,
): Promise<{ readonly gridId: string; readonly before: number }[]> {
  const semaphore = new Semaphore(MAX_CONCURRENT_STORES);
  const found = await Promise.all([...stores].map((store) => semaphore.run(() => readAllRetentionWatermarks(store))));
  const watermarks = new Map<string, number>();
  for (const { gridId, before } of found.flat()) watermarks.set(gridId, Math.max(watermarks.get(gridId) ?? 0, before));
  return [...watermarks].map(([gridId, before]) => ({ gridId, before }));
}

/** Watermarks of spans, log records and data points of all Grids. */
async function readAllRetentionWatermarks(store: ReadModelReader): Promise<{ gridId: string; before: number }[]> {
  const catalogs = await readCatalogCollections(store);
  const watermarks = await Promise.all(catalogs.map((collection) => store.find(collection, {})));
  return watermarks.flat().map(({ id, document }) => ({ gridId: id, before: document.expiredBefore ?? 0 }));
}

/** Watermarks of spans, log records and data points. */
async function readRetentionWatermarks(store: ReadModelReader, gridId: string): Promise<number[]> {
  const catalogs = await readCatalogCollections(store);
  const watermarks = await Promise.all(catalogs.map((collection) => store.get(collection, gridId)));
  return watermarks.map((watermark) => watermark?.expiredBefore ?? 0);
}

/** Of spans, log records and data points; one document for each Grid, under its id. */
async function readCatalogCollections(store: ReadModelReader): Promise<Collection<RetentionWatermark>[]> {
  const [traces, logs, metrics] = await Promise.all(
    [TRACES_PROJECTION, LOGS_PROJECTION, METRICS_PROJECTION].map((name) => readActiveVersion(store, name)),
  );
  const catalogs = [
    spanCollections(traces ?? 0).catalogs,
    logCollections(logs ?? 0).catalogs,
    metricRollupCollections(metrics ?? 0).catalogs,
  ];
  return catalogs.map((collection) => collection as Collection<RetentionWatermark>);
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
  const watermarks = await readRetentionWatermarks(store, gridId);
  const [expiredBefore, refusedBefore] = [Math.min(...watermarks), Math.max(...watermarks)];
  return {
    gridId,
    retentionDays,
    expiredBefore,
    refusedBefore,
    ...(oldestMs === Infinity ? {} : { oldestMs: Math.floor(oldestMs) }),
  };
}

/** The field that all catalogue documents share; absent until something has expired. */
type RetentionWatermark = Partial<Pick<BlockCompactionDocument, 'expiredBefore'>>;

/** Smallest value of a field over all documents of a Grid; Infinity if it has none. */
async function findSmallest<D extends Pick<BlockLocation, 'gridId'>, F extends keyof D & string>(
  store: ReadModelReader,
  blocks: Collection<D>,
  field: F,
  gridId: string,
): Promise<number> {
  const [document] = await store.find(blocks, { filter: eq('gridId', gridId), sort: [{ field }], limit: 1 });
  return document === undefined ? Infinity : Number(document.document[field]);
}
