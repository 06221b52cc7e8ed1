import { StringInterner } from '../../telemetry/columns/string-interner.js';
import type {
  LogBlockDocument,
  LogBlockSummary,
  SpanBlockDocument,
  SpanBlockSummary,
} from '../documents/block-documents.js';
import {
  computeReplacedRanges,
  type DecodedBlock,
  type EncodedBlock,
  type MergedBlock,
  type StoredBlock,
} from './block.js';
import {
  concatColumns,
  concatListEnds,
  concatTagColumns,
  concatTextColumns,
  gather,
  gatherIds,
  gatherTagColumns,
} from './column-operations.js';
import { asBytes, asWords32 } from './uint32-words.js';
import { decodeSpanBlock, encodeSpanBlock, type SpanSource } from './span-block-codec.js';
import { decodeLogBlock, encodeLogBlock, type LogSource } from './log-block-codec.js';

/** Few, as small blocks have few names; more are added as needed. */
const COPY_STRING_SLOTS = 64;

/** Retention of a merge: rows that start before `fromUs` are dropped. */
export interface SpanRetention {
  readonly fromUs: number;
}

/** Merges blocks into one with all rows, in order; at most 8,192 rows may remain. Undefined if none does. */
export function mergeSpanBlocks(
  blocks: readonly (StoredBlock<SpanBlockDocument> | DecodedBlock<SpanBlockDocument, SpanSource>)[],
  keep?: SpanRetention,
): MergedBlock<SpanBlockSummary, SpanSource> | undefined {
  if (blocks.length === 0) return undefined;
  const source = concatSpans(
    blocks.map((block) => ('columns' in block ? block.columns : decodeSpanBlock(block.document, block.blobs))),
  );
  const rows = selectRowsFrom(source.startUs, keep?.fromUs ?? -Infinity);
  if (rows.length === 0) return undefined;
  const { document, blobs } = encodeSpanBlock(source, rows);
  return {
    document: { ...document, replaces: computeReplacedRanges(blocks.map((block) => block.document)) },
    blobs,
    columns: rows.length === source.startUs.length ? source : undefined,
  };
}

/**
 * A copy of these rows, from which a block can be merged later. It shares only attributes of resources with the source: not
 * its strings, among which are those of other Grids.
 */
export function copySpans(source: SpanSource, rows: Uint32Array): SpanSource {
  const strings = new StringInterner(COPY_STRING_SLOTS);
  const copyTexts = (ids: Uint32Array): Uint32Array =>
    concatTextColumns([{ ids: gather(ids, rows), strings: source.strings }], strings);
  return {
    startUs: gather(source.startUs, rows),
    startNs: gather(source.startNs, rows),
    durationNs: gather(source.durationNs, rows),
    traceId: asBytes(gatherIds(asWords32(source.traceId), rows, 4)),
    spanId: asBytes(gatherIds(asWords32(source.spanId), rows, 2)),
    parentId: asBytes(gatherIds(asWords32(source.parentId), rows, 2)),
    service: copyTexts(source.service),
    operation: copyTexts(source.operation),
    peer: copyTexts(source.peer),
    kind: gather(source.kind, rows),
    status: gather(source.status, rows),
    httpStatus: gather(source.httpStatus, rows),
    revision: gather(source.revision, rows),
    offset: gather(source.offset, rows),
    length: gather(source.length, rows),
    ...gatherTagColumns(source, rows),
    strings,
  };
}

/** Numbers of the rows whose time is not before `fromUs`. */
export function selectRowsFrom(timeUs: Float64Array, fromUs: number): Uint32Array {
  const rows = new Uint32Array(timeUs.length);
  let count = 0;
  for (let row = 0; row < timeUs.length; row++) if (timeUs[row] >= fromUs) rows[count++] = row;
  return rows.slice(0, count);
}

function concatSpans(sources: readonly SpanSource[]): SpanSource {
  const strings = new StringInterner();
  return {
    startUs: concatColumns(sources.map((source) => source.startUs)),
    startNs: concatColumns(sources.map((source) => source.startNs)),
    durationNs: concatColumns(sources.map((source) => source.durationNs)),
    traceId: concatColumns(sources.map((source) => source.traceId)),
    spanId: concatColumns(sources.map((source) => source.spanId)),
    parentId: concatColumns(sources.map((source) => source.parentId)),
    service: concatTextColumns(
      sources.map((source) => ({ ids: source.service, strings: source.strings })),
      strings,
    ),
    operation: concatTextColumns(
      sources.map((source) => ({ ids: source.operation, strings: source.strings })),
      strings,
    ),
    peer: concatTextColumns(
      sources.map((source) => ({ ids: source.peer, strings: source.strings })),
      strings,
    ),
    kind: concatColumns(sources.map((source) => source.kind)),
    status: concatColumns(sources.map((source) => source.status)),
    httpStatus: concatColumns(sources.map((source) => source.httpStatus)),
    revision: concatColumns(sources.map((source) => source.revision)),
    offset: concatColumns(sources.map((source) => source.offset)),
    length: concatColumns(sources.map((source) => source.length)),
    ...concatTagColumns(sources),
    strings,
  };
}

/** Retention of a merge: records before `fromUs` are dropped. */
interface LogRetention {
  readonly fromUs: number;
}

/** Merges blocks into one with all rows, in order; at most 8,192 rows may remain. Undefined if none does. */
export function mergeLogBlocks(
  blocks: readonly StoredBlock<LogBlockDocument>[],
  keep?: LogRetention,
): EncodedBlock<LogBlockSummary> | undefined {
  if (blocks.length === 0) return undefined;
  const source = concatLogs(blocks.map(({ document, blobs }) => decodeLogBlock(document, blobs)));
  const rows = selectRowsFrom(source.timeUs, keep?.fromUs ?? -Infinity);
  if (rows.length === 0) return undefined;
  const { document, blobs } = encodeLogBlock(source, rows);
  return { document: { ...document, replaces: computeReplacedRanges(blocks.map((block) => block.document)) }, blobs };
}

function concatLogs(sources: readonly LogSource[]): LogSource {
  const strings = new StringInterner();
  const words = new StringInterner();
  return {
    timeUs: concatColumns(sources.map((source) => source.timeUs)),
    timeNs: concatColumns(sources.map((source) => source.timeNs)),
    severity: concatColumns(sources.map((source) => source.severity)),
    service: concatTextColumns(
      sources.map((source) => ({ ids: source.service, strings: source.strings })),
      strings,
    ),
    traceId: concatColumns(sources.map((source) => source.traceId)),
    spanId: concatColumns(sources.map((source) => source.spanId)),
    revision: concatColumns(sources.map((source) => source.revision)),
    offset: concatColumns(sources.map((source) => source.offset)),
    length: concatColumns(sources.map((source) => source.length)),
    ordinal: concatColumns(sources.map((source) => source.ordinal)),
    exception: concatColumns(sources.map((source) => source.exception)),
    ...concatTagColumns(sources),
    wordEnd: concatListEnds(sources.map((source) => source.wordEnd)),
    wordIds: concatTextColumns(
      sources.map((source) => ({ ids: source.wordIds, strings: source.words })),
      words,
    ),
    unordered: concatColumns(sources.map((source) => source.unordered)),
    strings,
    words,
  };
}
