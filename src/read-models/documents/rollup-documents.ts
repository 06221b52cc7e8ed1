import type { ServiceCatalog } from '../../diagnostics/rollups/rollup-types.js';
import type { Collection } from '../read-model-store.js';

/**
 * A rollup of one time bucket, a minute or an hour; its content is in a blob, see rollups/. `minute`: start in minutes
 * since 1970.
 */
export interface RollupDocument {
  readonly gridId: string;
  readonly minute: number;
  /** "" for the whole Grid. */
  readonly service: string;
  /**
   * Increases with every commit of the projection, so that a reader that remembers the highest stamp finds what has
   * changed since. Not part of the digest.
   */
  readonly stamp: number;
}

export const ROLLUP_BLOB = 'rollup';
export type RollupCollection = Collection<RollupDocument>;

/** Metadata of a Grid's rollups, under the Grid's id. */
export interface RollupCatalogDocument {
  readonly gridId: string;
  /** Changes with every change of this document; from the same sequence as the stamps of the rollups. */
  readonly stamp: number;
  /** Newest minute with a rollup. */
  readonly newestMinute: number;
  /**
   * Hours (their first minutes since 1970, ascending) that are not merged from their minutes yet, or not from all: they
   * are not over, or late telemetry arrived. For these, add up the minutes; any other hour is complete in `hours`.
   */
  readonly openHours: readonly number[];
  /** What ended before this time (ms) has expired. */
  readonly expiredBefore: number;
}

/** Minutes, and the hours that were merged from them once they were over. */
export interface RollupCollections {
  readonly minutes: RollupCollection;
  readonly hours: RollupCollection;
  readonly catalogs: Collection<RollupCatalogDocument>;
}

export function rollupId({ gridId, minute, service }: Pick<RollupDocument, 'gridId' | 'minute' | 'service'>): string {
  return `${gridId}/${minute}/${service}`;
}

/** When the names of one service were first and last seen; written by the projection of traces. */
export interface ServiceCatalogDocument extends ServiceCatalog {
  readonly gridId: string;
}

/** Apdex threshold T of a Grid for the projection of traces, if it was ever changed; under the Grid's id. */
export interface ApdexThresholdDocument {
  readonly gridId: string;
  readonly apdexThresholdMs: number;
}

export interface SpanRollupCollections {
  /** GridRollup, one per time bucket. */
  readonly grids: RollupCollections;
  /** ServiceRollup, one per time bucket and service. */
  readonly services: RollupCollections;
  readonly catalogs: Collection<ServiceCatalogDocument>;
  readonly thresholds: Collection<ApdexThresholdDocument>;
}

/** Written by the projection of traces. */
export function spanRollupCollections(version: number): SpanRollupCollections {
  return {
    grids: rollupCollections('grid-rollups', version),
    services: rollupCollections('service-rollups', version),
    catalogs: { name: `service-catalogs.v${version}`, indexes: [['gridId']] },
    thresholds: { name: `apdex-thresholds.v${version}`, indexes: [] },
  };
}

/** LogRollup, one per time bucket and service; written by the projection of logs. */
export function logRollupCollections(version: number): RollupCollections {
  return rollupCollections('log-rollups', version);
}

/** Name of the projection that writes metric rollups, and its version in this release. */
export const METRICS_PROJECTION = 'metrics';
export const METRICS_VERSION = 8;

/** MetricRollup, one per time bucket and service. */
export function metricRollupCollections(version: number): RollupCollections {
  return rollupCollections('metric-rollups', version);
}

/**
 * MetricRollup of the series that report requests (see findRequestConvention) alone, in the minutes that their points
 * cover; one per time bucket and service. Diagnostics read these many times, and most Grids have few such series.
 */
export function requestRollupCollections(version: number): RollupCollections {
  return rollupCollections('request-rollups', version);
}

function rollupCollections(name: string, version: number): RollupCollections {
  const indexes = [['gridId', 'minute'], ['stamp']] as const;
  return {
    minutes: { name: `${name}.v${version}`, indexes },
    hours: { name: `${name}-hourly.v${version}`, indexes },
    catalogs: { name: `${name.replace(/s$/, '')}-catalogs.v${version}`, indexes: [['stamp']] },
  };
}
