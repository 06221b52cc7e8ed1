import { boundMetric } from '../../../diagnostics/rollups/rollup-bounds.js';
import { sumMetric } from '../../../diagnostics/rollups/rollup-sums.js';
import { eq } from '../../../read-models/document-filter.js';
import {
  metricSeriesCollections,
  type MetricSeriesCollections,
} from '../../../read-models/documents/metric-series-documents.js';
import { metricRollupCollections, type RollupCollections } from '../../../read-models/documents/rollup-documents.js';
import { decodeMetricRollup, encodeMetricRollup } from '../../../read-models/rollups/metric-rollup-codec.js';
import type { DocumentChange, ReadModelReader } from '../../../read-models/read-model-store.js';
import type { MetricColumns } from '../../../telemetry/columns/metric-batch-columns.js';
import { type EventRows, findEventRows, type TelemetryBatch, type TelemetryProjection } from '../telemetry-batch.js';
import { type MetricPoint, type MetricSource, readPoint, readSource } from './metric-point.js';
import { GridMetricSeries, type PointOutcome } from './grid-metric-series.js';
import type { RollupFormat } from './rollup-format.js';
import { ROLLUP_BUFFER_BYTES, RollupBuffer, type RollupKey } from './rollup-buffer.js';
import { addBuckets, selectLargestExemplars } from '../../../diagnostics/rollups/distribution-sums.js';
import {
  copySeries,
  isDistributionKind,
  type MetricRollup,
  type MetricSeriesRollup,
  OTHER_NAME,
} from '../../../diagnostics/rollups/rollup-types.js';
import type { Contribution } from './cumulative-to-delta.js';

const MINUTE_US = 60_000_000;

/**
 * Approximate bytes of series to cache; the Grids that were inactive longest are evicted and loaded again on demand.
 */
export const SERIES_CACHE_BYTES = 64 * 1024 * 1024;

/** Rollups of data points by series and minute of their time. */
export class MetricRollupProjection implements TelemetryProjection<MetricColumns> {
  private readonly buffer: RollupBuffer<MetricRollupAccumulator>;
  private readonly collections: MetricSeriesCollections;
  /** Least recently used first. */
  private readonly grids = new Map<string, GridMetricSeries>();

  constructor(
    version: number,
    private readonly store: ReadModelReader,
    private readonly maxBytes = SERIES_CACHE_BYTES,
    rollupBytes = ROLLUP_BUFFER_BYTES,
  ) {
    this.buffer = new RollupBuffer(metricRollupFormat(metricRollupCollections(version)), store, rollupBytes);
    this.collections = metricSeriesCollections(version);
  }

  restore(): Promise<void> {
    this.grids.clear();
    return this.buffer.restore();
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
    changes.push(...(await this.buffer.changes()));
    return changes;
  }

  async expire(gridId: string, before: number): Promise<DocumentChange[]> {
    const gridSeries = await this.loadSeries(gridId);
    gridSeries.forgetBefore(before * 1000);
    return [...this.collectChanges(gridSeries), ...(await this.buffer.expire(gridId, before))];
  }

  private async add(
    gridSeries: GridMetricSeries,
    columns: MetricColumns,
    rows: Uint32Array,
    eventRows: readonly EventRows[],
  ): Promise<void> {
    const known: MetricSource[] = [];
    const rollups = new Map<string, PendingRollup>();
    let request: EventRows | undefined;
    for (const row of rows) {
      if (request === undefined || row >= request.to) {
        request = findEventRows(eventRows, row);
        if (request.receivedAt !== undefined) gridSeries.beginRequest(request.receivedAt * 1000);
      }
      const point = readPoint(columns, row, (known[columns.resource[row]] ??= readSource(columns, row)));
      const outcome = gridSeries.addPoint(point);
      if (outcome.kind !== 'dropped') addPendingPoint(rollups, point, outcome);
    }
    const pending = [...rollups.values()];
    const accumulators = await this.buffer.openAll(gridSeries.gridId, pending);
    pending.forEach(({ points }, i) =>
      points.forEach(([point, outcome]) => addToAccumulator(accumulators[i], point, outcome)),
    );
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

type CountedPoint = Exclude<PointOutcome, { kind: 'dropped' }>;

/** Points of a batch for one rollup. */
interface PendingRollup extends RollupKey {
  readonly points: (readonly [point: MetricPoint, taken: CountedPoint])[];
}

function addPendingPoint(rollups: Map<string, PendingRollup>, point: MetricPoint, outcome: CountedPoint): void {
  const service = outcome.kind === 'overflow' ? outcome.service : point.source.service;
  const minute = Math.floor(point.timeUs / MINUTE_US);
  const key = `${minute}/${service}`;
  const rollup = rollups.get(key);
  if (rollup === undefined) rollups.set(key, { minute, service, points: [[point, outcome]] });
  else rollup.points.push([point, outcome]);
}

function addToAccumulator(target: MetricRollupAccumulator, point: MetricPoint, outcome: CountedPoint): void {
  if (outcome.kind === 'overflow') target.addOther(outcome.metric, point);
  else target.add(point, outcome.contribution);
}

function metricRollupFormat(collections: RollupCollections): RollupFormat<MetricRollupAccumulator> {
  return {
    collections,
    create: (service) => MetricRollupAccumulator.empty(service),
    decode: (blob) => new MetricRollupAccumulator(decodeMetricRollup(blob)),
    encode: (target) => encodeMetricRollup(target.toRollup()),
    merge: (blobs) => encodeMetricRollup(boundMetric(sumMetric(blobs.map((blob) => decodeMetricRollup(blob))))),
  };
}

type SeriesCount = { -readonly [K in keyof MetricSeriesRollup]: MetricSeriesRollup[K] };
type SeriesNames = Pick<MetricSeriesRollup, 'metric' | 'unit' | 'kind' | 'monotonic'>;
const NO_VALUE: Contribution = { sum: 0, count: 0, min: NaN, max: NaN, buckets: undefined };

/** A mutable MetricRollup. */
class MetricRollupAccumulator {
  private readonly series = new Map<string, SeriesCount>();

  constructor(private readonly rollup: MetricRollup) {
    for (const one of rollup.series)
      this.series.set(rollupSeriesKey(one, one.instance, JSON.stringify(one.attributes)), copySeries(one));
  }

  static empty(service: string): MetricRollupAccumulator {
    return new MetricRollupAccumulator({ service, series: [] });
  }

  add(point: MetricPoint, contribution: Contribution): void {
    const { unit, timeUs, value, quantiles, exemplars } = point;
    const target = this.getOrCreateSeries(point, point.source.instance, point.attributes);
    addContribution(target, contribution);
    if (timeUs >= target.lastUs)
      Object.assign(target, { last: Number.isFinite(value) ? value : 0, lastUs: timeUs, unit, quantiles });
    if (exemplars.length > 0) target.exemplars = selectLargestExemplars([target.exemplars, exemplars]);
  }

  /** Adds a point whose series is beyond the limits to `__other__` of this metric: it is only counted. */
  addOther(metric: string, { kind, monotonic, timeUs }: MetricPoint): void {
    const target = this.getOrCreateSeries({ metric, unit: '', kind, monotonic }, OTHER_NAME, NO_ATTRIBUTES);
    addContribution(target, NO_VALUE);
    target.lastUs = Math.max(target.lastUs, timeUs);
  }

  toRollup(): MetricRollup {
    return { service: this.rollup.service, series: [...this.series.values()] };
  }

  private getOrCreateSeries(names: SeriesNames, instance: string, attributes: string): SeriesCount {
    const key = rollupSeriesKey(names, instance, attributes);
    let target = this.series.get(key);
    if (target === undefined) {
      const { metric, unit, kind, monotonic } = names;
      const pairs = JSON.parse(attributes) as SeriesCount['attributes'];
      target = {
        metric,
        unit,
        kind,
        monotonic,
        instance,
        attributes: pairs,
        points: 0,
        sum: 0,
        count: 0,
        min: NaN,
        max: NaN,
        last: 0,
        lastUs: 0,
        buckets: [],
        quantiles: [],
        exemplars: [],
      };
      this.series.set(key, target);
    }
    return target;
  }
}

const NO_ATTRIBUTES = '[]';

function addContribution(target: SeriesCount, contribution: Contribution): void {
  const { sum, count: more, buckets } = contribution;
  if (!isDistributionKind(target.kind)) widenRange(target, contribution);
  else if (more > 0) widenObservedRange(target, contribution);
  target.points++;
  // The sum of no observations is known to be 0.
  target.sum += more === 0 && Number.isNaN(sum) ? 0 : sum;
  target.count += more;
  if (buckets !== undefined) target.buckets = addBuckets(target.buckets, buckets);
}

function widenRange(target: SeriesCount, { min, max }: Contribution): void {
  if (!(target.min <= min)) target.min = Number.isNaN(min) ? target.min : min;
  if (!(target.max >= max)) target.max = Number.isNaN(max) ? target.max : max;
}

/** Observations without reported extremes may lie anywhere: then the overall extremes are unknown too and stay NaN. */
function widenObservedRange(target: SeriesCount, { min, max }: Contribution): void {
  const isFirst = target.count === 0;
  target.min = isFirst ? min : Math.min(target.min, min);
  target.max = isFirst ? max : Math.max(target.max, max);
}

/**
 * The unit is not part of the identity of a series. Attributes are JSON and kinds are words: neither contains the
 * separator.
 */
function rollupSeriesKey({ metric, kind, monotonic }: SeriesNames, instance: string, attributes: string): string {
  return `${attributes}\0${kind}\0${monotonic ? '+' : ''}\0${instance.length}\0${instance}${metric}`;
}
