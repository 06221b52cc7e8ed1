import type { MetricKind } from '../../diagnostics/rollups/rollup-types.js';
import type { ExponentialBuckets } from '../../telemetry/metric-distributions.js';
import type { Collection } from '../read-model-store.js';

/** Explicit buckets: their counts, and an index into the source's `bounds`. */
export type StoredBuckets =
  ExponentialBuckets | { readonly kind: 'explicit'; readonly bounds: number; readonly counts: readonly number[] };

/** State of a series that is needed to recognise its next points and compute deltas. */
export interface StoredSeries {
  readonly metric: string;
  /** Unit of its newest point. */
  readonly unit: string;
  readonly kind: MetricKind;
  readonly monotonic: boolean;
  /** Canonical, see MetricColumns. */
  readonly attributes: string;
  /** Start (µs, 0: not reported), value and observations of its newest point. */
  readonly startUs: number;
  /** null: a histogram without a sum. */
  readonly value: number | null;
  readonly count: number;
  /** Whether its newest point was a delta point; absent for cumulative points, and for kinds that are neither. */
  readonly delta?: true;
  /** Buckets of the newest point of a cumulative histogram, if it reported any. */
  readonly buckets?: StoredBuckets;
  /** Index into the source's `times`: times of its points in the 15 minutes before the newest, including it. */
  readonly times: number;
}

/** The series of one resource, sorted by attributes, kind and metric. */
export interface MetricSourceDocument {
  readonly gridId: string;
  readonly service: string;
  readonly instance: string;
  /** Hash of the resource's attributes: distinguishes resources of one service that name no instance. */
  readonly resource: string;
  /** Time of its first point, µs. */
  readonly firstUs: number;
  /**
   * Lists of point times, shared because most series are sent together: the newest in µs and its ns beyond that, then
   * by how many ns each is older than the one before it.
   */
  readonly times: readonly (readonly number[])[];
  /** Bounds of explicit buckets, mostly deduplicated; absent if no series has any. */
  readonly bounds?: readonly (readonly number[])[];
  readonly series: readonly StoredSeries[];
}

/** State of all series of a Grid, under the Grid's id. */
export interface MetricSeriesDocument {
  readonly gridId: string;
  /** Newest hour of event time with points, in hours since 1970. */
  readonly newestHour: number;
  /**
   * Period in which points of series beyond the limit arrived without a day's gap, minutes since 1970; absent if there
   * were none.
   */
  readonly overflow?: { readonly firstMinute: number; readonly lastMinute: number };
}

export interface MetricSeriesCollections {
  readonly sources: Collection<MetricSourceDocument>;
  readonly grids: Collection<MetricSeriesDocument>;
}

export function metricSeriesCollections(version: number): MetricSeriesCollections {
  return {
    sources: { name: `metric-sources.v${version}`, indexes: [['gridId']] },
    grids: { name: `metric-series.v${version}`, indexes: [] },
  };
}
