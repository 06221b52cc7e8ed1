import type { BlockCatalogDocument, BlockLocation, BlockSummary } from '../blocks/block.js';
import type { Collection } from '../read-model-store.js';

/** Summary of a block of spans. */
export interface SpanBlockSummary extends BlockSummary {
  /** Exact start of the earliest and the latest span, whole µs since 1970. */
  readonly minStartUs: number;
  readonly maxStartUs: number;
  /** Longest duration in ns, at least 0. */
  readonly maxDurationNs: number;
  /** Number of distinct traces. */
  readonly traces: number;
}

export interface SpanBlockDocument extends SpanBlockSummary, BlockLocation {}

export interface SpanCollections {
  readonly blocks: Collection<SpanBlockDocument>;
  readonly catalogs: Collection<BlockCatalogDocument>;
}

/** Name of the projection that writes these collections, and its version in this release. */
export const TRACES_PROJECTION = 'traces';

export const TRACES_VERSION = 4;

export function spanCollections(version: number): SpanCollections {
  return {
    blocks: { name: `span-blocks.v${version}`, indexes: [['gridId', 'seq']] },
    catalogs: { name: `span-block-catalogs.v${version}`, indexes: [] },
  };
}

/** Summary of a block of log records. */
export interface LogBlockSummary extends BlockSummary {
  /** Exact time of the oldest and the newest record, whole µs since 1970. */
  readonly minTimeUs: number;
  readonly maxTimeUs: number;
  /** Bit n is set if a record has severity number n. */
  readonly severities: number;
  /**
   * Number of records whose words are stored without their order (see body-words.ts). Absent in blocks that versions
   * before 4 wrote: these have no order at all (see word-postings.ts).
   */
  readonly unorderedBodies?: number;
}

export interface LogBlockDocument extends LogBlockSummary, BlockLocation {}

interface LogCollections {
  readonly blocks: Collection<LogBlockDocument>;
  readonly catalogs: Collection<BlockCatalogDocument>;
}

/** Name of the projection that writes these collections, and its version in this release. */
export const LOGS_PROJECTION = 'logs';

export const LOGS_VERSION = 4;

export function logCollections(version: number): LogCollections {
  return {
    blocks: { name: `log-blocks.v${version}`, indexes: [['gridId', 'seq']] },
    catalogs: { name: `log-block-catalogs.v${version}`, indexes: [] },
  };
}

/** Compaction state of a Grid, in addition to what readers need. */
export interface BlockCompactionDocument extends BlockCatalogDocument {
  /** Rows before this time (ms) have expired and are not stored again. */
  readonly expiredBefore: number;
  /** Sequence numbers below this one have been used. */
  readonly nextSeq: number;
}
