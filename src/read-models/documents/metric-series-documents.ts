import type { MetricKind } from '../../diagnostics/rollups/rollup-types.js';
import type { ExponentialBuckets } from '../../telemetry/metric-distributions.js';
import type { Collection } from '../read-model-store.js';

/** Of explicit buckets: their counts, and an index into the source's `bounds`. */
export type StoredBuckets =
  ExponentialBuckets | { readonly kind: 'explicit'; readonly bounds: number; readonly counts: readonly number[] };

/** What the projection of metrics has to remember of a series, so that its next points can be told and differenced. */
export interface StoredSeries {
  readonly metric: string;
  /** Of its newest point. */
  readonly unit: string;
  readonly kind: MetricKind;
  readonly monotonic: boolean;
  /** Canonical, see MetricColumns. */
  readonly attributes: string;
  /** Start (µs, 0: not said), value and observations of its newest point. */
  readonly startUs: number;
  /** null: a histogram without a sum. */
  readonly value: number | null;
  readonly count: number;
  /** Its newest point was one; absent of those that are cumulative, and of what cannot be. */
  readonly delta?: true;
  /** Of the newest point of a cumulative histogram, where it told any. */
  readonly buckets?: StoredBuckets;
  /** Index into the source's `times`: those of its points of the 15 minutes before the newest, this included. */
  readonly times: number;
}

/** The series that one resource sends; by attributes, kind and metric ascending. */
export interface MetricSourceDocument {
  readonly gridId: string;
  readonly service: string;
  readonly instance: string;
  /** Tells resources of one service apart that name no instance: hash of their attributes. */
  readonly resource: string;
  /** Time of the first point that it sent, µs. */
  readonly firstUs: number;
  /** Most series are sent together. Newest first in µs, then how much older each is than the one before it. */
  readonly times: readonly (readonly number[])[];
  /** Bounds of explicit buckets, mostly each once; absent where no series has any. */
  readonly bounds?: readonly (readonly number[])[];
  readonly series: readonly StoredSeries[];
}

/** How many series a Grid has. The id is the Grid's. */
export interface MetricSeriesDocument {
  readonly gridId: string;
  /** The newest hour of event time that it has points of, in hours since 1970. */
  readonly newestHour: number;
  /** Points of series past the bound: when the first and the last came with no day between, minutes since 1970; absent where there was none. */
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
