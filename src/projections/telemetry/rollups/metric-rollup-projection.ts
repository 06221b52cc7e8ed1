import { findRequestConvention } from '../../../diagnostics/requests/request-conventions.js';
import { eq } from '../../../read-models/document-filter.js';
import {
  metricSeriesCollections,
  type MetricSeriesCollections,
} from '../../../read-models/documents/metric-series-documents.js';
import { metricRollupCollections, requestRollupCollections } from '../../../read-models/documents/rollup-documents.js';
import type { DocumentChange, ReadModelReader } from '../../../read-models/read-model-store.js';
import type { MetricColumns } from '../../../telemetry/columns/metric-batch-columns.js';
import { type EventRows, findEventRows, type TelemetryBatch, type TelemetryProjection } from '../telemetry-batch.js';
import { divideAmongMinutes } from './covered-minutes.js';
import { DivisionBudget } from './point-division-budget.js';
import { GridMetricSeries, type PointOutcome } from './grid-metric-series.js';
import { type MetricPoint, type MetricSource, readPoint, readSource } from './metric-point.js';
import { type MetricRollupAccumulator, metricRollupFormat } from './metric-rollup-accumulator.js';
import { MetricPointHours } from './metric-point-hours.js';
import { type CountedPoint, PendingRollups } from './pending-rollups.js';
import { ROLLUP_BUFFER_BYTES, RollupBuffer } from './rollup-buffer.js';

const MINUTE_US = 60_000_000;

/**
 * Approximate bytes of series to cache; the Grids that were inactive longest are evicted and loaded again on demand.
 */
export const SERIES_CACHE_BYTES = 64 * 1024 * 1024;

/**
 * Rollups of data points by series and minute of their time; and once more, for the series that report requests, by the
 * minutes that the points cover.
 */
export class MetricRollupProjection implements TelemetryProjection<MetricColumns> {
  private readonly buffer: RollupBuffer<MetricRollupAccumulator>;
  private readonly requests: RollupBuffer<MetricRollupAccumulator>;
  private readonly collections: MetricSeriesCollections;
  /** Counts the points that the rollups hold. Its changes belong to the commit of the batch or the expiry. */
  readonly pointHours: MetricPointHours;
  /** Least recently used first. */
  private readonly grids = new Map<string, GridMetricSeries>();

  constructor(
    version: number,
    private readonly store: ReadModelReader,
    private readonly maxBytes = SERIES_CACHE_BYTES,
    rollupBytes = ROLLUP_BUFFER_BYTES,
  ) {
    this.buffer = new RollupBuffer(metricRollupFormat(metricRollupCollections(version)), store, rollupBytes);
    this.requests = new RollupBuffer(metricRollupFormat(requestRollupCollections(version)), store, rollupBytes);
    this.collections = metricSeriesCollections(version);
    this.pointHours = new MetricPointHours(version, store);
  }

  async restore(): Promise<void> {
    this.grids.clear();
    this.pointHours.clear();
    await this.buffer.restore();
    await this.requests.restore();
  }

  /** Points of the Grid before this time (µs) have expired. */
  floorUs(gridId: string): number {
    return this.buffer.expiredBefore(gridId) * 1000;
  }

  async foldBatch({ columns, eventRows, rows }: TelemetryBatch<MetricColumns>): Promise<DocumentChange[]> {
    if (rows.size === 0) return [];
    this.evict();
    const changes: DocumentChange[] = [];
    for (const [gridId, gridRows] of rows) {
      const gridSeries = await this.loadSeries(gridId);
      await this.add(gridSeries, columns, gridRows, eventRows);
      changes.push(...this.collectChanges(gridSeries));
    }
    changes.push(...(await this.buffer.changes()), ...(await this.requests.changes()));
    return changes;
  }

  releaseMemory(): void {
    this.buffer.releaseMemory();
    this.requests.releaseMemory();
  }

  async expire(gridId: string, before: number): Promise<DocumentChange[]> {
    const gridSeries = await this.loadSeries(gridId);
    gridSeries.forgetBefore(before * 1000);
    return [
      ...this.collectChanges(gridSeries),
      ...(await this.buffer.expire(gridId, before)),
      ...(await this.requests.expire(gridId, before)),
    ];
  }

  private async add(
    gridSeries: GridMetricSeries,
    columns: MetricColumns,
    rows: Uint32Array,
    eventRows: readonly EventRows[],
  ): Promise<void> {
    const known: MetricSource[] = [];
    const rollups = new PendingRollups(this.buffer, gridSeries.gridId, (minute, points) =>
      this.pointHours.add(gridSeries.gridId, minute, points),
    );
    const requests = new PendingRollups(this.requests, gridSeries.gridId);
    const floorMinute = Math.floor(this.floorUs(gridSeries.gridId) / MINUTE_US);
    let request: EventRows | undefined;
    let budget = new DivisionBudget();
    for (const row of rows) {
      if (request === undefined || row >= request.to) {
        request = findEventRows(eventRows, row);
        budget = new DivisionBudget();
        if (request.receivedAt !== undefined) gridSeries.beginRequest(request.receivedAt * 1000);
      }
      const point = readPoint(columns, row, (known[columns.resource[row]] ??= readSource(columns, row)));
      const outcome = gridSeries.addPoint(point);
      if (outcome.kind === 'duplicate') request.dropped.duplicates++;
      else if (outcome.kind === 'without-value') request.dropped.withoutValue++;
      else addPendingPoint(rollups, point, outcome);
      if (outcome.kind === 'counted') addRequests(requests, { point, outcome, floorMinute, budget });
      if (rollups.isFull) await rollups.write();
      if (requests.isFull) await requests.write();
    }
    await rollups.write();
    await requests.write();
  }

  private async loadSeries(gridId: string): Promise<GridMetricSeries> {
    const { grids, collections, store } = this;
    let gridSeries = grids.get(gridId);
    if (gridSeries === undefined) {
      const found = await store.find(collections.sources, { filter: eq('gridId', gridId) });
      gridSeries = new GridMetricSeries(
        gridId,
        await store.get(collections.grids, gridId),
        found.map(({ document }) => document),
      );
    } else grids.delete(gridId);
    grids.set(gridId, gridSeries);
    return gridSeries;
  }

  private collectChanges(gridSeries: GridMetricSeries): DocumentChange[] {
    const { sources: collection, grids } = this.collections;
    const changes = gridSeries
      .takeSourceChanges()
      .map(([id, document]): DocumentChange =>
        document === undefined ? { kind: 'delete', collection, id } : { kind: 'put', collection, id, document },
      );
    const document = gridSeries.takeChange();
    return document === undefined
      ? changes
      : [...changes, { kind: 'put', collection: grids, id: gridSeries.gridId, document }];
  }

  /** Call when all changes are committed. */
  private evict(): void {
    let total = 0;
    for (const { bytes } of this.grids.values()) total += bytes;
    for (const [gridId, { bytes }] of this.grids) {
      if (total <= this.maxBytes) return;
      this.grids.delete(gridId);
      total -= bytes;
    }
  }
}

function addPendingPoint(rollups: PendingRollups, point: MetricPoint, outcome: CountedPoint): void {
  const service = outcome.kind === 'overflow' ? outcome.service : point.source.service;
  rollups.add({ minute: Math.floor(point.timeUs / MINUTE_US), service }, point, outcome);
}

interface RequestPoint {
  readonly point: MetricPoint;
  readonly outcome: Extract<PointOutcome, { kind: 'counted' }>;
  readonly floorMinute: number;
  readonly budget: DivisionBudget;
}

/** What covers minutes that have expired counts in the first one that has not. */
function addRequests(requests: PendingRollups, { point, outcome, floorMinute, budget }: RequestPoint): void {
  if (findRequestConvention(point.metric) === undefined) return;
  const { service } = point.source;
  const { contribution, fromUs } = outcome;
  for (const part of divideAmongMinutes(point, fromUs, contribution, budget))
    requests.add({ minute: Math.max(part.minute, floorMinute), service }, point, {
      kind: 'counted',
      fromUs,
      contribution: part.contribution,
    });
}
