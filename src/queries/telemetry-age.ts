import { MINUTE_MS } from '../diagnostics/timeframe.js';
import { accessCollections } from '../read-models/access.js';
import type { BlockPlace } from '../read-models/blocks/block.js';
import type { ShelfDocument } from '../read-models/blocks/shelf-document.js';
import { eq } from '../read-models/filter.js';
import { logCollections, LOGS_PROJECTION } from '../read-models/logs.js';
import { activeVersion } from '../read-models/projections.js';
import { metricRollups, METRICS_PROJECTION } from '../read-models/rollups.js';
import { spanCollections, TRACES_PROJECTION } from '../read-models/spans.js';
import type { ReaderOf } from '../read-models/shares/readers-by-grid.js';
import type { Collection, ReadModelReader } from '../read-models/store.js';
import { FewAtOnce } from './few-at-once.js';

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
const MOST_AT_ONCE = 8;

/** The same for every Grid there is. */
export async function telemetryAges(store: ReadModelReader, readerOf: ReaderOf = () => store): Promise<TelemetryAge[]> {
  const version = await activeVersion(store, 'access');
  const grids = version === undefined ? [] : await store.find(accessCollections(version).grids, {});
  const asking = new FewAtOnce(MOST_AT_ONCE);
  return Promise.all(grids.map(({ document: { gridId, retentionDays } }) => asking.run(() => ageOf(readerOf(gridId), gridId, retentionDays))));
}

async function ageOf(store: ReadModelReader, gridId: string, retentionDays: number | null): Promise<TelemetryAge> {
  const spans = spanCollections((await activeVersion(store, TRACES_PROJECTION)) ?? 0);
  const logs = logCollections((await activeVersion(store, LOGS_PROJECTION)) ?? 0);
  const points = metricRollups((await activeVersion(store, METRICS_PROJECTION)) ?? 0);
  const oldestMs = Math.min(
    (await oldest(store, spans.blocks, 'minStartUs', gridId)) / 1000,
    (await oldest(store, logs.blocks, 'minTimeUs', gridId)) / 1000,
    (await oldest(store, points.minutes, 'minute', gridId)) * MINUTE_MS,
  );
  const marks = await Promise.all([spans.catalogs, logs.catalogs, points.catalogs].map((catalogs) => store.get(catalogs as Collection<Marked>, gridId)));
  const expiredBefore = Math.min(...marks.map((mark) => mark?.expiredBefore ?? 0));
  return { gridId, retentionDays, expiredBefore, ...(oldestMs === Infinity ? {} : { oldestMs: Math.floor(oldestMs) }) };
}

/** What all catalogues tell. */
type Marked = Pick<ShelfDocument, 'expiredBefore'>;

/** The smallest value of a field over all documents of a Grid, Infinity where it has none. */
async function oldest<D extends Pick<BlockPlace, 'gridId'>, F extends keyof D & string>(store: ReadModelReader, blocks: Collection<D>, field: F, gridId: string): Promise<number> {
  const [first] = await store.find(blocks, { filter: eq('gridId', gridId), sort: [{ field }], limit: 1 });
  return first === undefined ? Infinity : Number(first.document[field]);
}
