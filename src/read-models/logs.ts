import type { BlockCatalogDocument, BlockPlace, BlockSummary } from './blocks/block.js';
import type { Collection } from './store.js';

/** Summary of a block of log records. */
export interface LogBlockSummary extends BlockSummary {
  /** Exact time of the oldest and the newest record, whole µs since 1970. */
  readonly minTimeUs: number;
  readonly maxTimeUs: number;
  /** Bit n is set where a record has severity number n. */
  readonly severities: number;
}

export interface LogBlockDocument extends LogBlockSummary, BlockPlace {}

export interface LogCollections {
  readonly blocks: Collection<LogBlockDocument>;
  readonly catalogs: Collection<BlockCatalogDocument>;
}

/** Name of the projection that writes these collections, and its version in this release. */
export const LOGS_PROJECTION = 'logs';
export const LOGS_VERSION = 2;

export function logCollections(version: number): LogCollections {
  return {
    blocks: { name: `log-blocks.v${version}`, indexes: [['gridId', 'seq']] },
    catalogs: { name: `log-block-catalogs.v${version}`, indexes: [] },
  };
}
