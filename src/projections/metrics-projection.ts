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
import { pointHourCollection } from '../read-models/documents/record-account-documents.js';
import type { Projection } from './projection.js';
import type { CountedRequest } from './telemetry/deduplication/request-journal.js';
import { MetricRollupProjection, SERIES_CACHE_BYTES } from './telemetry/rollups/metric-rollup-projection.js';
import { ROLLUP_BUFFER_BYTES } from './telemetry/rollups/rollup-buffer.js';
import { rollupContents } from './telemetry/rollups/rollup-format.js';
import { RecordAccounts, recordAccountContent } from './telemetry/record-accounts.js';
import { createDroppedRecords, selectRowsByGrid, type EventRows } from './telemetry/telemetry-batch.js';
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
      { kind: 'documents', collection: pointHourCollection(version) },
      recordAccountContent('metrics', version),
    ];
  },
};

/** Folds requests with data points. `memory`: see TracesFold. */
export class MetricsFold implements SignalFold {
  readonly signal = 'metrics';
  readonly accounts: RecordAccounts;
  private readonly columns: MetricColumns = createMetricColumns();
  private eventRows: EventRows[] = [];
  private readonly rollups: MetricRollupProjection;

  constructor(version: number, store: ReadModelReader, memory = 1) {
    this.accounts = new RecordAccounts('metrics', version, store);
    this.rollups = new MetricRollupProjection(
      version,
      store,
      SERIES_CACHE_BYTES * memory,
      ROLLUP_BUFFER_BYTES * memory,
    );
  }

  async restore(): Promise<void> {
    await this.accounts.restore();
    await this.rollups.restore();
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
    const withoutValue = decodeMetrics(body, revision, data.rejected, columns);
    const { gridId, receivedAt } = data;
    const to = columns.count;
    const dropped = { ...createDroppedRecords(), withoutValue };
    this.eventRows.push({ gridId, from, to, recordedAt, receivedAt, keys: [], request, event: -1, dropped });
    columns.keys.clear();
  }

  async fold(): Promise<DocumentChange[]> {
    const { accounts, columns, eventRows, rollups } = this;
    if (eventRows.length === 0) return accounts.takeChanges();
    const floorUs = (gridId: string): number => rollups.floorUs(gridId);
    const rows = selectRowsByGrid(eventRows, (row, { gridId, dropped }) => {
      if (columns.timeUs[row] >= floorUs(gridId)) return true;
      dropped.expired++;
      return false;
    });
    const changes = await rollups.foldBatch({ columns, eventRows, rows, floorUs });
    const counted = await rollups.pointHours.take();
    accounts.addRows(eventRows);
    for (const [gridId, points] of counted.points) accounts.add(gridId, 'searchable', points);
    return [...changes, ...counted.changes, ...accounts.takeChanges()];
  }

  releaseMemory(): void {
    this.rollups.releaseMemory();
  }

  async expire(gridId: string, before: number): Promise<DocumentChange[]> {
    const changes = await this.rollups.expire(gridId, before);
    const expired = await this.rollups.pointHours.expire(gridId, before);
    this.accounts.expire(gridId, expired.points);
    return [...changes, ...expired.changes, ...this.accounts.takeChanges()];
  }
}
