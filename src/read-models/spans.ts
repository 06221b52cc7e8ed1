import type { BlockCatalogDocument, BlockPlace, BlockSummary } from './blocks/block.js';
import type { Collection } from './store.js';

/** Summary of a block of spans. */
export interface SpanBlockSummary extends BlockSummary {
  /** Exact start of the earliest and the latest span, whole µs since 1970. */
  readonly minStartUs: number;
  readonly maxStartUs: number;
  /** Longest duration in ns, at least 0. */
  readonly maxDurationNs: number;
  /** Distinct traces. */
  readonly traces: number;
}

export interface SpanBlockDocument extends SpanBlockSummary, BlockPlace {}

export interface SpanCollections {
  readonly blocks: Collection<SpanBlockDocument>;
  readonly catalogs: Collection<BlockCatalogDocument>;
}

/** Name of the projection that writes these collections, and its version in this release. */
export const TRACES_PROJECTION = 'traces';
export const TRACES_VERSION = 2;

export function spanCollections(version: number): SpanCollections {
  return {
    blocks: { name: `span-blocks.v${version}`, indexes: [['gridId', 'seq']] },
    catalogs: { name: `span-block-catalogs.v${version}`, indexes: [] },
  };
}
