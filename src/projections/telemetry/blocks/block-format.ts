import {
  type BlockCatalogDocument,
  type BlockLocation,
  type BlockSummary,
  type DecodedBlock,
  type EncodedBlock,
  type MergedBlock,
  PACKED_BLOB,
  type StoredBlock,
} from '../../../read-models/blocks/block.js';
import { encodeLogBlock, LOG_BLOBS } from '../../../read-models/blocks/log-block-codec.js';
import { copySpans, mergeLogBlocks, mergeSpanBlocks } from '../../../read-models/blocks/block-merge.js';
import { RESOURCES_BLOB } from '../../../read-models/blocks/resource-column.js';
import { encodeSpanBlock, SPAN_BLOBS, type SpanSource } from '../../../read-models/blocks/span-block-codec.js';
import { tagPartitionCount } from '../../../read-models/blocks/tag-postings.js';
import { BODY_ROWS_BLOB, BODY_SHAPES_BLOB, BODY_VALUES_BLOB } from '../../../read-models/blocks/body-words.js';
import {
  type LogBlockSummary,
  logCollections,
  type SpanBlockSummary,
  spanCollections,
} from '../../../read-models/documents/block-documents.js';
import type { Collection } from '../../../read-models/read-model-store.js';
import type { LogColumns } from '../../../telemetry/columns/log-batch-columns.js';

/** A block as it is merged: decoded only if its `copy` describes how. */
export type MergeableBlock<Columns, Summary extends BlockSummary> =
  StoredBlock<Summary & BlockLocation> | DecodedBlock<Summary & BlockLocation, Columns>;

/** What differs between blocks of spans and blocks of logs. */
export interface BlockFormat<Columns, Summary extends BlockSummary> {
  readonly blocks: Collection<Summary & BlockLocation>;
  readonly catalogs: Collection<BlockCatalogDocument>;
  encode(columns: Columns, rows: Uint32Array): EncodedBlock<Summary>;
  /**
   * A copy of these rows, of which a block can be merged without decoding what was encoded. Absent or undefined: the block
   * is decoded.
   */
  copy?(columns: Columns, rows: Uint32Array): Columns | undefined;
  /** One block that replaces these, without rows before `fromUs`. Undefined if no row is left. */
  merge(
    blocks: readonly MergeableBlock<Columns, Summary>[],
    keep?: { readonly fromUs: number },
  ): MergedBlock<Summary, Columns> | undefined;
  /** Time of the oldest and the newest row, whole µs. */
  oldest(summary: Summary): number;
  newest(summary: Summary): number;
  /** Names of the blobs from which all rows can be decoded. */
  blobs(summary: Summary): readonly string[];
}

/** Fewer rows take less memory encoded, and little time to decode: many Grids may send a few spans at a time. */
const MIN_COPIED_ROWS = 64;

export function spanBlockFormat(version: number): BlockFormat<SpanSource, SpanBlockSummary> {
  return {
    ...spanCollections(version),
    encode: encodeSpanBlock,
    copy: (columns, rows) => (rows.length < MIN_COPIED_ROWS ? undefined : copySpans(columns, rows)),
    merge: mergeSpanBlocks,
    oldest: (summary) => summary.minStartUs,
    newest: (summary) => summary.maxStartUs,
    blobs: ({ packed }) => (packed ? [PACKED_BLOB] : [...Object.values(SPAN_BLOBS), ...tagBlobNames()]),
  };
}

export function logBlockFormat(version: number): BlockFormat<LogColumns, LogBlockSummary> {
  return {
    ...logCollections(version),
    encode: encodeLogBlock,
    merge: mergeLogBlocks,
    oldest: (summary) => summary.minTimeUs,
    newest: (summary) => summary.maxTimeUs,
    blobs: ({ packed }) =>
      packed
        ? [PACKED_BLOB]
        : [...Object.values(LOG_BLOBS), BODY_SHAPES_BLOB, BODY_VALUES_BLOB, BODY_ROWS_BLOB, ...tagBlobNames()],
  };
}

function tagBlobNames(): string[] {
  return [RESOURCES_BLOB, ...Array.from({ length: tagPartitionCount(false) }, (_, partition) => `tags.${partition}`)];
}
