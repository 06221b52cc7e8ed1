import type { MetricKind } from '../diagnostics/rollups.js';
import type { Collection } from './store.js';

/** What the projection of metrics has to remember of a series, so that its next points can be told and differenced. */
export interface StoredSeries {
  readonly metric: string;
  readonly kind: MetricKind;
  readonly monotonic: boolean;
  /** Canonical, see MetricColumns. */
  readonly attributes: string;
  /** Time and start (µs, 0: not said), value and observations of its newest point. */
  readonly timeUs: number;
  readonly startUs: number;
  readonly value: number;
  readonly count: number;
  /** Times of its points of the last 15 minutes, newest first: µs before `timeUs`, each from the one before. */
  readonly ages: readonly number[];
}

/** The series that one resource sends; by metric, kind and attributes ascending. */
export interface MetricSourceDocument {
  readonly gridId: string;
  readonly service: string;
  readonly instance: string;
  /** Tells resources of one service apart that name no instance: hash of their attributes. */
  readonly resource: string;
  /** Time of the first point that it sent, µs. */
  readonly firstUs: number;
  readonly series: readonly StoredSeries[];
}

/** How many series a Grid has. The id is the Grid's. */
export interface MetricSeriesDocument {
  readonly gridId: string;
  /** The newest hour of event time that it has points of, in hours since 1970. */
  readonly newestHour: number;
  /** Points of series past the bound: when the first and the last came, minutes since 1970; absent where there was none. */
  readonly overflow?: { readonly firstMinute: number; readonly lastMinute: number };
}

export interface MetricSeriesCollections {
  readonly sources: Collection<MetricSourceDocument>;
  readonly grids: Collection<MetricSeriesDocument>;
}

export function metricSeries(version: number): MetricSeriesCollections {
  return {
    sources: { name: `metric-sources.v${version}`, indexes: [['gridId']] },
    grids: { name: `metric-series.v${version}`, indexes: [] },
  };
}
