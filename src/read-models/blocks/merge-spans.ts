import { Interner } from '../../telemetry/interner.js';
import type { SpanBlockDocument, SpanBlockSummary } from '../spans.js';
import { replacedBy, type EncodedBlock, type StoredBlock } from './block.js';
import { joined, joinedTags, joinedTexts } from './joined-columns.js';
import { encodeSpanBlock, type SpanSource } from './span-block.js';
import { decodeSpanBlock } from './span-rows.js';

/** What stays: rows that start before `fromUs` are left out. */
export interface KeepSpans {
  readonly fromUs: number;
}

/**
 * One block with the rows of all, in their order; together at most 8,192 rows may stay. Undefined when none does.
 */
export function mergeSpanBlocks(blocks: readonly StoredBlock<SpanBlockDocument>[], keep?: KeepSpans): EncodedBlock<SpanBlockSummary> | undefined {
  if (blocks.length === 0) return undefined;
  const source = joinSpans(blocks.map(({ document, blobs }) => decodeSpanBlock(document, blobs)));
  const rows = rowsFrom(source.startUs, keep?.fromUs ?? -Infinity);
  if (rows.length === 0) return undefined;
  const { document, blobs } = encodeSpanBlock(source, rows);
  return { document: { ...document, replaces: replacedBy(blocks.map((block) => block.document)) }, blobs };
}

/** Numbers of the rows whose time is not before `fromUs`. */
export function rowsFrom(timeUs: Float64Array, fromUs: number): Uint32Array {
  const rows = new Uint32Array(timeUs.length);
  let count = 0;
  for (let row = 0; row < timeUs.length; row++) if (timeUs[row] >= fromUs) rows[count++] = row;
  return rows.slice(0, count);
}

function joinSpans(sources: readonly SpanSource[]): SpanSource {
  const strings = new Interner();
  return {
    startUs: joined(sources.map((source) => source.startUs)),
    startNs: joined(sources.map((source) => source.startNs)),
    durationNs: joined(sources.map((source) => source.durationNs)),
    traceId: joined(sources.map((source) => source.traceId)),
    spanId: joined(sources.map((source) => source.spanId)),
    parentId: joined(sources.map((source) => source.parentId)),
    service: joinedTexts(sources.map((source) => ({ ids: source.service, strings: source.strings })), strings),
    operation: joinedTexts(sources.map((source) => ({ ids: source.operation, strings: source.strings })), strings),
    peer: joinedTexts(sources.map((source) => ({ ids: source.peer, strings: source.strings })), strings),
    kind: joined(sources.map((source) => source.kind)),
    status: joined(sources.map((source) => source.status)),
    httpStatus: joined(sources.map((source) => source.httpStatus)),
    revision: joined(sources.map((source) => source.revision)),
    offset: joined(sources.map((source) => source.offset)),
    length: joined(sources.map((source) => source.length)),
    ...joinedTags(sources),
    strings,
  };
}
