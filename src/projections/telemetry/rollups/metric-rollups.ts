import { boundMetric } from '../../../diagnostics/rollup-bounds.js';
import { sumMetric } from '../../../diagnostics/rollup-sums.js';
import { eq } from '../../../read-models/filter.js';
import { metricSeries, type MetricSeriesCollections } from '../../../read-models/metric-series.js';
import { metricRollups, type RollupCollections } from '../../../read-models/rollups.js';
import { decodeMetricRollup, encodeMetricRollup } from '../../../read-models/rollups/metric-rollup-codec.js';
import type { Change, ReadModelReader } from '../../../read-models/store.js';
import type { MetricColumns } from '../../../telemetry/metric-columns.js';
import type { Portion, TelemetryProjection } from '../sections.js';
import { pointAt, sourceAt, type MetricPoint, type MetricSource } from './metric-point.js';
import { MetricSources, type Taken } from './metric-sources.js';
import { MetricTally } from './metric-tally.js';
import type { RollupKind } from './rollup-kind.js';
import { ROLLUP_BYTES, RollupShelf, type RollupKey } from './rollup-shelf.js';

const MINUTE_US = 60_000_000;

/** Bytes of series kept in memory, about; Grids that were quiet longest are loaded again when they send. */
export const SERIES_BYTES = 64 * 1024 * 1024;

/** Data points by series and minute of their time. */
export class MetricRollups implements TelemetryProjection<MetricColumns> {
  private readonly shelf: RollupShelf<MetricTally>;
  private readonly collections: MetricSeriesCollections;
  /** In the order of use, the Grid that was quiet longest first. */
  private readonly grids = new Map<string, MetricSources>();

  constructor(
    version: number,
    private readonly store: ReadModelReader,
    private readonly keptBytes = SERIES_BYTES,
    rollupBytes = ROLLUP_BYTES,
  ) {
    this.shelf = new RollupShelf(kindOf(metricRollups(version)), store, rollupBytes);
    this.collections = metricSeries(version);
  }

  restore(): Promise<void> {
    this.grids.clear();
    return this.shelf.restore();
  }

  /** Points of the Grid before this time (µs) have left. */
  floorUs(gridId: string): number {
    return this.shelf.expiredBefore(gridId) * 1000;
  }

  async received({ columns, rows }: Portion<MetricColumns>): Promise<Change[]> {
    if (rows.size === 0) return [];
    this.trim();
    const changes: Change[] = [];
    for (const [gridId, chosen] of rows) {
      const sources = await this.sourcesOf(gridId);
      await this.add(sources, columns, chosen);
      changes.push(...this.changesOf(sources));
    }
    changes.push(...(await this.shelf.changes()));
    return changes;
  }

  async expired(gridId: string, before: number): Promise<Change[]> {
    const sources = await this.sourcesOf(gridId);
    sources.forgetBefore(before * 1000);
    return [...this.changesOf(sources), ...(await this.shelf.expired(gridId, before))];
  }

  private async add(sources: MetricSources, columns: MetricColumns, rows: Uint32Array): Promise<void> {
    const known: MetricSource[] = [];
    const rollups = new Map<string, Taking>();
    for (const row of rows) {
      const point = pointAt(columns, row, (known[columns.resource[row]] ??= sourceAt(columns, row)));
      const taken = sources.take(point);
      if (taken.kind !== 'dropped') note(rollups, point, taken);
    }
    const takings = [...rollups.values()];
    const tallies = await this.shelf.openAll(sources.gridId, takings);
    takings.forEach(({ points }, i) => points.forEach(([point, taken]) => addTo(tallies[i], point, taken)));
  }

  private async sourcesOf(gridId: string): Promise<MetricSources> {
    const { grids, collections, store } = this;
    let sources = grids.get(gridId);
    if (sources === undefined) {
      const found = await store.find(collections.sources, { filter: eq('gridId', gridId) });
      sources = new MetricSources(gridId, await store.get(collections.grids, gridId), found.map(({ document }) => document));
    } else grids.delete(gridId);
    grids.set(gridId, sources);
    return sources;
  }

  private changesOf(sources: MetricSources): Change[] {
    const { sources: collection, grids } = this.collections;
    const changes = sources.takeSourceChanges().map(([id, document]): Change => (document === undefined ? { kind: 'delete', collection, id } : { kind: 'put', collection, id, document }));
    const document = sources.takeChange();
    return document === undefined ? changes : [...changes, { kind: 'put', collection: grids, id: sources.gridId, document }];
  }

  /** Called when all changes are committed. */
  private trim(): void {
    let total = 0;
    for (const { bytes } of this.grids.values()) total += bytes;
    for (const [gridId, { bytes }] of this.grids) {
      if (total <= this.keptBytes) return;
      this.grids.delete(gridId);
      total -= bytes;
    }
  }
}

type Counting = Exclude<Taken, { kind: 'dropped' }>;

/** What one rollup gets of a portion. */
interface Taking extends RollupKey {
  readonly points: (readonly [point: MetricPoint, taken: Counting])[];
}

function note(rollups: Map<string, Taking>, point: MetricPoint, taken: Counting): void {
  const service = taken.kind === 'overflow' ? taken.service : point.source.service;
  const minute = Math.floor(point.timeUs / MINUTE_US);
  const key = `${minute}/${service}`;
  const rollup = rollups.get(key);
  if (rollup === undefined) rollups.set(key, { minute, service, points: [[point, taken]] });
  else rollup.points.push([point, taken]);
}

function addTo(tally: MetricTally, point: MetricPoint, taken: Counting): void {
  if (taken.kind === 'overflow') tally.addOther(taken.metric, point);
  else tally.add(point, taken.contribution);
}

function kindOf(collections: RollupCollections): RollupKind<MetricTally> {
  return {
    collections,
    create: (service) => MetricTally.empty(service),
    decode: (blob) => new MetricTally(decodeMetricRollup(blob)),
    encode: (tally) => encodeMetricRollup(tally.toRollup()),
    merge: (blobs) => encodeMetricRollup(boundMetric(sumMetric(blobs.map((blob) => decodeMetricRollup(blob))))),
  };
}
