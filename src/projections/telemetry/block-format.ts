import type { BlockCatalogDocument, BlockPlace, BlockSummary, EncodedBlock, StoredBlock } from '../../read-models/blocks/block.js';
import { encodeLogBlock, LOG_BLOBS } from '../../read-models/blocks/log-block.js';
import { mergeLogBlocks } from '../../read-models/blocks/merge-logs.js';
import { mergeSpanBlocks } from '../../read-models/blocks/merge-spans.js';
import { PACKED_BLOB } from '../../read-models/blocks/packing.js';
import { RESOURCES_BLOB } from '../../read-models/blocks/resource-column.js';
import { encodeSpanBlock, SPAN_BLOBS } from '../../read-models/blocks/span-block.js';
import { tagPartitions } from '../../read-models/blocks/tag-postings.js';
import { WORD_ROWS_BLOB, WORDS_BLOB } from '../../read-models/blocks/word-postings.js';
import { logCollections, type LogBlockSummary } from '../../read-models/logs.js';
import { spanCollections, type SpanBlockSummary } from '../../read-models/spans.js';
import type { Collection } from '../../read-models/store.js';
import type { LogColumns } from '../../telemetry/log-columns.js';
import type { SpanColumns } from '../../telemetry/span-columns.js';

/** What the projections of spans and of logs do differently with blocks. */
export interface BlockFormat<Columns, Summary extends BlockSummary> {
  readonly blocks: Collection<Summary & BlockPlace>;
  readonly catalogs: Collection<BlockCatalogDocument>;
  encode(columns: Columns, rows: Uint32Array): EncodedBlock<Summary>;
  /** One block that replaces these; rows before `fromUs` are left out. Undefined when none stays. */
  merge(blocks: readonly StoredBlock<Summary & BlockPlace>[], keep?: { readonly fromUs: number }): EncodedBlock<Summary> | undefined;
  /** Time of the oldest and the newest row, whole µs. */
  oldest(summary: Summary): number;
  newest(summary: Summary): number;
  /** Names of the blobs from which all rows can be decoded. */
  blobs(summary: Summary): readonly string[];
}

export function spanBlockFormat(version: number): BlockFormat<SpanColumns, SpanBlockSummary> {
  return {
    ...spanCollections(version),
    encode: encodeSpanBlock,
    merge: mergeSpanBlocks,
    oldest: (summary) => summary.minStartUs,
    newest: (summary) => summary.maxStartUs,
    blobs: ({ packed }) => (packed ? [PACKED_BLOB] : [...Object.values(SPAN_BLOBS), ...tagBlobs()]),
  };
}

export function logBlockFormat(version: number): BlockFormat<LogColumns, LogBlockSummary> {
  return {
    ...logCollections(version),
    encode: encodeLogBlock,
    merge: mergeLogBlocks,
    oldest: (summary) => summary.minTimeUs,
    newest: (summary) => summary.maxTimeUs,
    blobs: ({ packed }) => (packed ? [PACKED_BLOB] : [...Object.values(LOG_BLOBS), WORDS_BLOB, WORD_ROWS_BLOB, ...tagBlobs()]),
  };
}

function tagBlobs(): string[] {
  return [RESOURCES_BLOB, ...Array.from({ length: tagPartitions(false) }, (_, partition) => `tags.${partition}`)];
}
