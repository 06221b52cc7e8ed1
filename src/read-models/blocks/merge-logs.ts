import { Interner } from '../../telemetry/interner.js';
import type { LogBlockDocument, LogBlockSummary } from '../logs.js';
import { replacedBy, type EncodedBlock, type StoredBlock } from './block.js';
import { joined, joinedEnds, joinedTags, joinedTexts } from './joined-columns.js';
import { encodeLogBlock, type LogSource } from './log-block.js';
import { decodeLogBlock } from './log-rows.js';
import { rowsFrom } from './merge-spans.js';

/** What stays: records from before `fromUs` are left out. */
export interface KeepLogs {
  readonly fromUs: number;
}

/** One block with the rows of all, in their order; together at most 8,192 rows may stay. Undefined when none does. */
export function mergeLogBlocks(blocks: readonly StoredBlock<LogBlockDocument>[], keep?: KeepLogs): EncodedBlock<LogBlockSummary> | undefined {
  if (blocks.length === 0) return undefined;
  const source = joinLogs(blocks.map(({ document, blobs }) => decodeLogBlock(document, blobs)));
  const rows = rowsFrom(source.timeUs, keep?.fromUs ?? -Infinity);
  if (rows.length === 0) return undefined;
  const { document, blobs } = encodeLogBlock(source, rows);
  return { document: { ...document, replaces: replacedBy(blocks.map((block) => block.document)) }, blobs };
}

function joinLogs(sources: readonly LogSource[]): LogSource {
  const strings = new Interner();
  const words = new Interner();
  return {
    timeUs: joined(sources.map((source) => source.timeUs)),
    timeNs: joined(sources.map((source) => source.timeNs)),
    severity: joined(sources.map((source) => source.severity)),
    service: joinedTexts(sources.map((source) => ({ ids: source.service, strings: source.strings })), strings),
    traceId: joined(sources.map((source) => source.traceId)),
    spanId: joined(sources.map((source) => source.spanId)),
    revision: joined(sources.map((source) => source.revision)),
    offset: joined(sources.map((source) => source.offset)),
    length: joined(sources.map((source) => source.length)),
    ordinal: joined(sources.map((source) => source.ordinal)),
    exception: joined(sources.map((source) => source.exception)),
    ...joinedTags(sources),
    wordEnd: joinedEnds(sources.map((source) => source.wordEnd)),
    wordIds: joinedTexts(sources.map((source) => ({ ids: source.wordIds, strings: source.words })), words),
    strings,
    words,
  };
}
