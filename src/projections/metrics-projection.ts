import { metricSeriesCollections } from '../read-models/documents/metric-series-documents.js';
import {
  metricRollupCollections,
  METRICS_PROJECTION,
  METRICS_VERSION,
  requestRollupCollections,
} from '../read-models/documents/rollup-documents.js';
import type { DocumentChange, ReadModelReader } from '../read-models/read-model-store.js';
import type { RecordedEvent } from '../streams/event-store.js';
import type { TelemetryReceived } from '../streams/events/telemetry-events.js';
import { createMetricColumns, type MetricColumns } from '../telemetry/columns/metric-batch-columns.js';
import { decodeMetrics } from '../telemetry/otlp/decoding/metric-decoder.js';
import type { Projection } from './projection.js';
import type { CountedRequest } from './telemetry/deduplication/request-journal.js';
import { MetricRollupProjection, SERIES_CACHE_BYTES } from './telemetry/rollups/metric-rollup-projection.js';
import { ROLLUP_BUFFER_BYTES } from './telemetry/rollups/rollup-buffer.js';
import { rollupContents } from './telemetry/rollups/rollup-format.js';
import { selectRowsByGrid, type EventRows } from './telemetry/telemetry-batch.js';
import type { SignalFold } from './telemetry/telemetry-fold.js';

/** Rollups of metric series, and the state of each series that is needed to recognise its points and compute deltas. */
export const metricsProjection: Projection = {
  name: METRICS_PROJECTION,
  schema: METRICS_VERSION,
  contents: (version) => {
    const { sources, grids } = metricSeriesCollections(version);
    return [
      ...rollupContents(metricRollupCollections(version)),
      ...rollupContents(requestRollupCollections(version)),
      { kind: 'documents', collection: sources },
      { kind: 'documents', collection: grids },
    ];
  },
};

/** Folds requests with data points. `memory`: see TracesFold. */
export class MetricsFold implements SignalFold {
  readonly signal = 'metrics';
  private readonly columns: MetricColumns = createMetricColumns();
  private eventRows: EventRows[] = [];
  private readonly rollups: MetricRollupProjection;

  constructor(version: number, store: ReadModelReader, memory = 1) {
    this.rollups = new MetricRollupProjection(
      version,
      store,
      SERIES_CACHE_BYTES * memory,
      ROLLUP_BUFFER_BYTES * memory,
    );
  }

  restore(): Promise<void> {
    return this.rollups.restore();
  }

  reset(): void {
    this.columns.clear();
    this.eventRows = [];
  }

  addRequest(
    body: Uint8Array,
    { revision, recordedAt, data }: RecordedEvent<TelemetryReceived>,
    request: CountedRequest,
  ): void {
    const { columns } = this;
    const from = columns.count;
    decodeMetrics(body, revision, data.rejected, columns);
    const { gridId, receivedAt } = data;
    const to = columns.count;
    this.eventRows.push({ gridId, from, to, recordedAt, receivedAt, keys: [], request, event: -1 });
    columns.keys.clear();
  }

  async fold(): Promise<DocumentChange[]> {
    const { columns, eventRows, rollups } = this;
    if (eventRows.length === 0) return [];
    const floorUs = (gridId: string): number => rollups.floorUs(gridId);
    const rows = selectRowsByGrid(eventRows, (row, { gridId }) => columns.timeUs[row] >= floorUs(gridId));
    return rollups.foldBatch({ columns, eventRows, rows, floorUs });
  }

  expire(gridId: string, before: number): Promise<DocumentChange[]> {
    return this.rollups.expire(gridId, before);
  }
}
