import type { ServiceCatalog } from '../../diagnostics/rollups/rollup-types.js';
import type { Collection } from '../read-model-store.js';

/**
 * A rollup of one stretch of time: what it is, in a document, and its content in a blob, see rollups/.
 * `minute` is its start in minutes since 1970.
 */
export interface RollupDocument {
  readonly gridId: string;
  readonly minute: number;
  /** "" for what is about the whole Grid. */
  readonly service: string;
  /**
   * Counts up with every commit of the projection: who remembers the highest that he saw finds what has changed since.
   * No part of the digest.
   */
  readonly stamp: number;
}

export const ROLLUP_BLOB = 'rollup';
export type RollupCollection = Collection<RollupDocument>;

/** What is known of a Grid's rollups beside themselves. The id is the Grid's. */
export interface RollupCatalogDocument {
  readonly gridId: string;
  /** Changes with every change of this document; from the same count as those of the rollups. */
  readonly stamp: number;
  /** The newest minute that has a rollup. */
  readonly newestMinute: number;
  /**
   * Hours (their first minutes since 1970, ascending) that have minutes and are not made of them yet, or not of all:
   * they last, or late telemetry came. Who wants one of these adds its minutes up; any other hour stands in `hours`, whole.
   */
  readonly openHours: readonly number[];
  /** What ended before this time (ms) has left. */
  readonly expiredBefore: number;
}

/** Minutes, and the hours that were made of them once they were over. */
export interface RollupCollections {
  readonly minutes: RollupCollection;
  readonly hours: RollupCollection;
  readonly catalogs: Collection<RollupCatalogDocument>;
}

export function rollupId({ gridId, minute, service }: Pick<RollupDocument, 'gridId' | 'minute' | 'service'>): string {
  return `${gridId}/${minute}/${service}`;
}

/** First and last sightings of the names of one service, kept by the projection of traces. */
export interface ServiceCatalogDocument extends ServiceCatalog {
  readonly gridId: string;
}

/** Threshold T of a Grid's Apdex as the projection of traces counts by it, where it was ever changed. The id is the Grid's. */
export interface ApdexThresholdDocument {
  readonly gridId: string;
  readonly apdexThresholdMs: number;
}

export interface SpanRollupCollections {
  /** GridRollup: one a stretch. */
  readonly grids: RollupCollections;
  /** ServiceRollup: one a stretch and service. */
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

/** LogRollup: one a stretch and service; written by the projection of logs. */
export function logRollupCollections(version: number): RollupCollections {
  return rollupCollections('log-rollups', version);
}

/** Name of the projection that writes metric rollups, and its version in this release. */
export const METRICS_PROJECTION = 'metrics';
export const METRICS_VERSION = 4;

/** MetricRollup: one a stretch and service. */
export function metricRollupCollections(version: number): RollupCollections {
  return rollupCollections('metric-rollups', version);
}

function rollupCollections(name: string, version: number): RollupCollections {
  const indexes = [['gridId', 'minute'], ['stamp']] as const;
  return {
    minutes: { name: `${name}.v${version}`, indexes },
    hours: { name: `${name}-hourly.v${version}`, indexes },
    catalogs: { name: `${name.replace(/s$/, '')}-catalogs.v${version}`, indexes: [['stamp']] },
  };
}
