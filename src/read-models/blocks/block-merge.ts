import { StringInterner } from '../../telemetry/columns/string-interner.js';
import type {
  LogBlockDocument,
  LogBlockSummary,
  SpanBlockDocument,
  SpanBlockSummary,
} from '../documents/block-documents.js';
import { computeReplacedRanges, type EncodedBlock, type StoredBlock } from './block.js';
import { concatColumns, concatListEnds, concatTagColumns, concatTextColumns } from './column-operations.js';
import { decodeSpanBlock, encodeSpanBlock, type SpanSource } from './span-block-codec.js';
import { decodeLogBlock, encodeLogBlock, type LogSource } from './log-block-codec.js';

/** Retention of a merge: rows that start before `fromUs` are dropped. */
export interface SpanRetention {
  readonly fromUs: number;
}

/** Merges blocks into one with all rows, in order; at most 8,192 rows may remain. Undefined if none does. */
export function mergeSpanBlocks(
  blocks: readonly StoredBlock<SpanBlockDocument>[],
  keep?: SpanRetention,
): EncodedBlock<SpanBlockSummary> | undefined {
  if (blocks.length === 0) return undefined;
  const source = concatSpans(blocks.map(({ document, blobs }) => decodeSpanBlock(document, blobs)));
  const rows = selectRowsFrom(source.startUs, keep?.fromUs ?? -Infinity);
  if (rows.length === 0) return undefined;
  const { document, blobs } = encodeSpanBlock(source, rows);
  return { document: { ...document, replaces: computeReplacedRanges(blocks.map((block) => block.document)) }, blobs };
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
