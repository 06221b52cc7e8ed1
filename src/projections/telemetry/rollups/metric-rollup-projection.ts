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
import { GridMetricSeries, type PointOutcome } from './grid-metric-series.js';
import { type MetricPoint, type MetricSource, readPoint, readSource } from './metric-point.js';
import { type MetricRollupAccumulator, metricRollupFormat } from './metric-rollup-accumulator.js';
import { MetricPointHours } from './metric-point-hours.js';
import { ROLLUP_BUFFER_BYTES, RollupBuffer, type RollupKey } from './rollup-buffer.js';

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
    const rollups: PendingRollups = new Map();
    const requests: PendingRollups = new Map();
    const floorMinute = Math.floor(this.floorUs(gridSeries.gridId) / MINUTE_US);
    let request: EventRows | undefined;
    for (const row of rows) {
      if (request === undefined || row >= request.to) {
        request = findEventRows(eventRows, row);
        if (request.receivedAt !== undefined) gridSeries.beginRequest(request.receivedAt * 1000);
      }
      const point = readPoint(columns, row, (known[columns.resource[row]] ??= readSource(columns, row)));
      const outcome = gridSeries.addPoint(point);
      if (outcome.kind === 'duplicate') request.dropped.duplicates++;
      else if (outcome.kind === 'without-value') request.dropped.withoutValue++;
      else addPendingPoint(rollups, point, outcome);
      if (outcome.kind === 'counted') addRequests(requests, point, outcome, floorMinute);
    }
    for (const { minute, points } of rollups.values()) this.pointHours.add(gridSeries.gridId, minute, points.length);
    await writePending(this.buffer, gridSeries.gridId, rollups);
    await writePending(this.requests, gridSeries.gridId, requests);
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

type CountedPoint = Exclude<PointOutcome, { kind: 'duplicate' | 'without-value' }>;

/** Points of a batch for one rollup. */
interface PendingRollup extends RollupKey {
  readonly points: (readonly [point: MetricPoint, taken: CountedPoint])[];
}

type PendingRollups = Map<string, PendingRollup>;

function addPendingPoint(rollups: PendingRollups, point: MetricPoint, outcome: CountedPoint): void {
  const service = outcome.kind === 'overflow' ? outcome.service : point.source.service;
  addPending(rollups, { minute: Math.floor(point.timeUs / MINUTE_US), service }, point, outcome);
}

/** What covers minutes that have expired counts in the first one that has not. */
function addRequests(
  rollups: PendingRollups,
  point: MetricPoint,
  { contribution, fromUs }: Extract<PointOutcome, { kind: 'counted' }>,
  floorMinute: number,
): void {
  if (findRequestConvention(point.metric) === undefined) return;
  const { service } = point.source;
  for (const part of divideAmongMinutes(point, fromUs, contribution))
    addPending(rollups, { minute: Math.max(part.minute, floorMinute), service }, point, {
      kind: 'counted',
      fromUs,
      contribution: part.contribution,
    });
}

function addPending(
  rollups: PendingRollups,
  { minute, service }: RollupKey,
  point: MetricPoint,
  outcome: CountedPoint,
): void {
  const key = `${minute}/${service}`;
  const rollup = rollups.get(key);
  if (rollup === undefined) rollups.set(key, { minute, service, points: [[point, outcome]] });
  else rollup.points.push([point, outcome]);
}

async function writePending(
  buffer: RollupBuffer<MetricRollupAccumulator>,
  gridId: string,
  rollups: PendingRollups,
): Promise<void> {
  const pending = [...rollups.values()];
  const accumulators = await buffer.openAll(gridId, pending);
  pending.forEach(({ points }, i) =>
    points.forEach(([point, outcome]) => addToAccumulator(accumulators[i], point, outcome)),
  );
}

function addToAccumulator(target: MetricRollupAccumulator, point: MetricPoint, outcome: CountedPoint): void {
  if (outcome.kind === 'overflow') target.addOther(outcome.metric, point);
  else target.add(point, outcome.contribution);
}
