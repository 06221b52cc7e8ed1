import { metricSeries } from '../read-models/metric-series.js';
import { metricRollups, METRICS_PROJECTION, METRICS_VERSION } from '../read-models/rollups.js';
import type { Change, ReadModelReader } from '../read-models/store.js';
import type { RecordedEvent } from '../streams/event-store.js';
import type { TelemetryReceived } from '../streams/events/telemetry-events.js';
import { createMetricColumns, type MetricColumns } from '../telemetry/metric-columns.js';
import { decodeMetrics } from '../telemetry/otlp/metric-decoder.js';
import type { Projection } from './projection.js';
import type { CountedRequest } from './telemetry/request-journal.js';
import { MetricRollups, SERIES_BYTES } from './telemetry/rollups/metric-rollups.js';
import { ROLLUP_BYTES } from './telemetry/rollups/rollup-shelf.js';
import { rollupContents } from './telemetry/rollups/rollup-kind.js';
import { rowsByGrid, type Section } from './telemetry/sections.js';
import type { SignalFold } from './telemetry/telemetry-fold.js';

/** Rollups of metric series, and what is remembered of each to tell and to difference its points. */
export const metrics: Projection = {
  name: METRICS_PROJECTION,
  schema: METRICS_VERSION,
  contents: (version) => {
    const { sources, grids } = metricSeries(version);
    return [...rollupContents(metricRollups(version)), { kind: 'documents', collection: sources }, { kind: 'documents', collection: grids }];
  },
};

/** Folds requests with data points. `memory`: as of traces. */
export class MetricsFold implements SignalFold {
  readonly signal = 'metrics';
  private readonly columns: MetricColumns = createMetricColumns();
  private sections: Section[] = [];
  private readonly rollups: MetricRollups;

  constructor(version: number, store: ReadModelReader, memory = 1) {
    this.rollups = new MetricRollups(version, store, SERIES_BYTES * memory, ROLLUP_BYTES * memory);
  }

  restore(): Promise<void> {
    return this.rollups.restore();
  }

  begin(): void {
    this.columns.clear();
    this.sections = [];
  }

  gather(body: Uint8Array, { revision, recordedAt, data }: RecordedEvent<TelemetryReceived>, request: CountedRequest): void {
    const { columns } = this;
    const from = columns.count;
    decodeMetrics(body, revision, data.rejected, columns);
    this.sections.push({ gridId: data.gridId, from, to: columns.count, recordedAt, keys: [], request, event: -1 });
    columns.keys.clear();
  }

  async fold(): Promise<Change[]> {
    const { columns, sections, rollups } = this;
    if (sections.length === 0) return [];
    const floorUs = (gridId: string): number => rollups.floorUs(gridId);
    const rows = rowsByGrid(sections, (row, { gridId }) => columns.timeUs[row] >= floorUs(gridId));
    return rollups.received({ columns, sections, rows, floorUs });
  }

  expired(gridId: string, before: number): Promise<Change[]> {
    return this.rollups.expired(gridId, before);
  }
}
