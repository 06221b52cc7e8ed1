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
import type { TelemetryBatch, TelemetryProjection } from '../telemetry-batch.js';
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

/** Bytes of series kept in memory, about; Grids that were quiet longest are loaded again when they send. */
export const SERIES_CACHE_BYTES = 64 * 1024 * 1024;

/** Data points by series and minute of their time. */
export class MetricRollupProjection implements TelemetryProjection<MetricColumns> {
  private readonly buffer: RollupBuffer<MetricRollupAccumulator>;
  private readonly collections: MetricSeriesCollections;
  /** In the order of use, the Grid that was quiet longest first. */
  private readonly grids = new Map<string, GridMetricSeries>();

  constructor(
    version: number,
    private readonly store: ReadModelReader,
    private readonly keptBytes = SERIES_CACHE_BYTES,
    rollupBytes = ROLLUP_BUFFER_BYTES,
  ) {
    this.buffer = new RollupBuffer(metricRollupFormat(metricRollupCollections(version)), store, rollupBytes);
    this.collections = metricSeriesCollections(version);
  }

  restore(): Promise<void> {
    this.grids.clear();
    return this.buffer.restore();
  }

  /** Points of the Grid before this time (µs) have left. */
  floorUs(gridId: string): number {
    return this.buffer.expiredBefore(gridId) * 1000;
  }

  async foldBatch({ columns, rows }: TelemetryBatch<MetricColumns>): Promise<DocumentChange[]> {
    if (rows.size === 0) return [];
    this.evict();
    const changes: DocumentChange[] = [];
    for (const [gridId, chosen] of rows) {
      const sources = await this.loadSeries(gridId);
      await this.add(sources, columns, chosen);
      changes.push(...this.collectChanges(sources));
    }
    changes.push(...(await this.buffer.changes()));
    return changes;
  }

  async expire(gridId: string, before: number): Promise<DocumentChange[]> {
    const sources = await this.loadSeries(gridId);
    sources.forgetBefore(before * 1000);
    return [...this.collectChanges(sources), ...(await this.buffer.expire(gridId, before))];
  }

  private async add(sources: GridMetricSeries, columns: MetricColumns, rows: Uint32Array): Promise<void> {
    const known: MetricSource[] = [];
    const rollups = new Map<string, PendingRollup>();
    for (const row of rows) {
      const point = readPoint(columns, row, (known[columns.resource[row]] ??= readSource(columns, row)));
      const taken = sources.addPoint(point);
      if (taken.kind !== 'dropped') addPendingPoint(rollups, point, taken);
    }
    const takings = [...rollups.values()];
    const tallies = await this.buffer.openAll(sources.gridId, takings);
    takings.forEach(({ points }, i) => points.forEach(([point, taken]) => addToAccumulator(tallies[i], point, taken)));
  }

  private async loadSeries(gridId: string): Promise<GridMetricSeries> {
    const { grids, collections, store } = this;
    let sources = grids.get(gridId);
    if (sources === undefined) {
      const found = await store.find(collections.sources, { filter: eq('gridId', gridId) });
      sources = new GridMetricSeries(
        gridId,
        await store.get(collections.grids, gridId),
        found.map(({ document }) => document),
      );
    } else grids.delete(gridId);
    grids.set(gridId, sources);
    return sources;
  }

  private collectChanges(sources: GridMetricSeries): DocumentChange[] {
    const { sources: collection, grids } = this.collections;
    const changes = sources
      .takeSourceChanges()
      .map(([id, document]): DocumentChange =>
        document === undefined ? { kind: 'delete', collection, id } : { kind: 'put', collection, id, document },
      );
    const document = sources.takeChange();
    return document === undefined
      ? changes
      : [...changes, { kind: 'put', collection: grids, id: sources.gridId, document }];
  }

  /** Called when all changes are committed. */
  private evict(): void {
    let total = 0;
    for (const { bytes } of this.grids.values()) total += bytes;
    for (const [gridId, { bytes }] of this.grids) {
      if (total <= this.keptBytes) return;
      this.grids.delete(gridId);
      total -= bytes;
    }
  }
}

type CountedPoint = Exclude<PointOutcome, { kind: 'dropped' }>;

/** What one rollup gets of a portion. */
interface PendingRollup extends RollupKey {
  readonly points: (readonly [point: MetricPoint, taken: CountedPoint])[];
}

function addPendingPoint(rollups: Map<string, PendingRollup>, point: MetricPoint, taken: CountedPoint): void {
  const service = taken.kind === 'overflow' ? taken.service : point.source.service;
  const minute = Math.floor(point.timeUs / MINUTE_US);
  const key = `${minute}/${service}`;
  const rollup = rollups.get(key);
  if (rollup === undefined) rollups.set(key, { minute, service, points: [[point, taken]] });
  else rollup.points.push([point, taken]);
}

function addToAccumulator(tally: MetricRollupAccumulator, point: MetricPoint, taken: CountedPoint): void {
  if (taken.kind === 'overflow') tally.addOther(taken.metric, point);
  else tally.add(point, taken.contribution);
}

function metricRollupFormat(collections: RollupCollections): RollupFormat<MetricRollupAccumulator> {
  return {
    collections,
    create: (service) => MetricRollupAccumulator.empty(service),
    decode: (blob) => new MetricRollupAccumulator(decodeMetricRollup(blob)),
    encode: (tally) => encodeMetricRollup(tally.toRollup()),
    merge: (blobs) => encodeMetricRollup(boundMetric(sumMetric(blobs.map((blob) => decodeMetricRollup(blob))))),
  };
}

type SeriesCount = { -readonly [K in keyof MetricSeriesRollup]: MetricSeriesRollup[K] };
type SeriesNames = Pick<MetricSeriesRollup, 'metric' | 'unit' | 'kind' | 'monotonic'>;
const NO_VALUE: Contribution = { sum: 0, count: 0, min: NaN, max: NaN, buckets: undefined };

/** A MetricRollup that can be added to. */
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
    const tally = this.getOrCreateSeries(point, point.source.instance, point.attributes);
    addContribution(tally, contribution);
    if (timeUs >= tally.lastUs)
      Object.assign(tally, { last: Number.isFinite(value) ? value : 0, lastUs: timeUs, unit, quantiles });
    if (exemplars.length > 0) tally.exemplars = selectLargestExemplars([tally.exemplars, exemplars]);
  }

  /** A point whose series is past the bounds, under this metric: counted, and no more. */
  addOther(metric: string, { kind, monotonic, timeUs }: MetricPoint): void {
    const tally = this.getOrCreateSeries({ metric, unit: '', kind, monotonic }, OTHER_NAME, NO_ATTRIBUTES);
    addContribution(tally, NO_VALUE);
    tally.lastUs = Math.max(tally.lastUs, timeUs);
  }

  toRollup(): MetricRollup {
    return { service: this.rollup.service, series: [...this.series.values()] };
  }

  private getOrCreateSeries(names: SeriesNames, instance: string, attributes: string): SeriesCount {
    const key = rollupSeriesKey(names, instance, attributes);
    let tally = this.series.get(key);
    if (tally === undefined) {
      const { metric, unit, kind, monotonic } = names;
      const pairs = JSON.parse(attributes) as SeriesCount['attributes'];
      tally = {
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
      this.series.set(key, tally);
    }
    return tally;
  }
}

const NO_ATTRIBUTES = '[]';

function addContribution(tally: SeriesCount, contribution: Contribution): void {
  const { sum, count: more, buckets } = contribution;
  if (!isDistributionKind(tally.kind)) widenRange(tally, contribution);
  else if (more > 0) widenObservedRange(tally, contribution);
  tally.points++;
  // The sum of no observations is known.
  tally.sum += more === 0 && Number.isNaN(sum) ? 0 : sum;
  tally.count += more;
  if (buckets !== undefined) tally.buckets = addBuckets(tally.buckets, buckets);
}

function widenRange(tally: SeriesCount, { min, max }: Contribution): void {
  if (!(tally.min <= min)) tally.min = Number.isNaN(min) ? tally.min : min;
  if (!(tally.max >= max)) tally.max = Number.isNaN(max) ? tally.max : max;
}

/** Observations whose extremes are not told may lie anywhere: then those of all together are not known either, and stay NaN. */
function widenObservedRange(tally: SeriesCount, { min, max }: Contribution): void {
  const isFirst = tally.count === 0;
  tally.min = isFirst ? min : Math.min(tally.min, min);
  tally.max = isFirst ? max : Math.max(tally.max, max);
}

/** The unit is no part of what a series is. Attributes are JSON, kinds are words: neither holds the separator. */
function rollupSeriesKey({ metric, kind, monotonic }: SeriesNames, instance: string, attributes: string): string {
  return `${attributes}\0${kind}\0${monotonic ? '+' : ''}\0${instance.length}\0${instance}${metric}`;
}
