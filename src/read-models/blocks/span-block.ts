import { STATUS_ERROR, type SpanColumns } from '../../telemetry/span-columns.js';
import type { SpanBlockSummary } from '../spans.js';
import { MAX_BLOCK_ROWS, type EncodedBlock } from './block.js';
import { Bloom } from './bloom.js';
import { writeDurations } from './duration-column.js';
import { gather, gatherIds, maxOf, minOf } from './gather.js';
import { localIds, type LocalIds } from './local-ids.js';
import { pack, PACKED_BELOW_ROWS, PACKED_BLOB } from './packing.js';
import { writeParents } from './parent-column.js';
import { writePlaces } from './record-places.js';
import { SectionWriter } from './section.js';
import { encodeTagColumns } from './tag-columns.js';
import { addTraces, traceColumn, writeTraces, type TraceColumn } from './trace-column.js';
import { hashPair, words32 } from './words32.js';

/** What a block of spans is made of: columns as the decoder fills them. */
export type SpanSource = Omit<SpanColumns, 'keys' | 'clear' | 'tokenCount' | 'count' | 'resourceVersions' | 'resourceInstances' | 'exceptionCount' | 'exceptionRow' | 'exceptionType' | 'exceptionMessage' | 'exceptionUs'>;

/** Names of the blobs of a block of spans. */
export const SPAN_BLOBS = {
  start: 'start',
  duration: 'duration',
  labels: 'labels',
  operations: 'operations',
  traces: 'traces',
  spans: 'spans',
  places: 'places',
  idBlooms: 'id-blooms',
} as const;

/** Bits of a row's flags: kind (0–7), status (0–3), whether it has no parent. */
export const KIND_MASK = 0b111;
export const STATUS_SHIFT = 3;
export const STATUS_MASK = 0b11;
export const ROOT_FLAG = 0b100000;

/** What is kept of values that the protocol does not know (yet): they read as INTERNAL and OK. */
const UNKNOWN_KIND = KIND_MASK;
const UNKNOWN_STATUS = STATUS_MASK;

export const ID_BLOOM_BITS = 12;

/** Everything of a block that more than one blob or the summary needs. */
interface SpanBlockDraft {
  readonly source: SpanSource;
  readonly rows: Uint32Array;
  readonly startUs: Float64Array;
  readonly durationNs: Float64Array;
  readonly services: LocalIds;
  readonly operations: LocalIds;
  readonly peers: LocalIds;
  readonly traces: TraceColumn;
  readonly spanIds: Uint32Array;
  readonly parentIds: Uint32Array;
}

/**
 * Encodes the spans that `rows` names, 1 to 8,192 of them, in that order.
 */
export function encodeSpanBlock(source: SpanSource, rows: Uint32Array): EncodedBlock<SpanBlockSummary> {
  if (rows.length === 0 || rows.length > MAX_BLOCK_ROWS) throw new RangeError(`a block cannot hold ${rows.length} rows`);
  const draft = draftOf(source, rows);
  const packed = rows.length < PACKED_BELOW_ROWS;
  const columns = { ...columnBlobs(draft), ...encodeTagColumns(source, rows, packed) };
  return { document: summaryOf(draft, packed), blobs: packed ? { [PACKED_BLOB]: pack(columns) } : columns };
}

function draftOf(source: SpanSource, rows: Uint32Array): SpanBlockDraft {
  return {
    source,
    rows,
    startUs: gather(source.startUs, rows),
    durationNs: gather(source.durationNs, rows),
    services: localIds(source.service, rows),
    operations: localIds(source.operation, rows),
    peers: localIds(source.peer, rows),
    traces: traceColumn(gatherIds(words32(source.traceId), rows, 4)),
    spanIds: gatherIds(words32(source.spanId), rows, 2),
    parentIds: gatherIds(words32(source.parentId), rows, 2),
  };
}

function summaryOf(draft: SpanBlockDraft, packed: boolean): SpanBlockSummary {
  const { source, rows, services } = draft;
  const revisions = gather(source.revision, rows);
  return {
    rows: rows.length,
    services: services.originals.map((id, local) => [source.strings.text(id), services.counts[local]]),
    minRevision: minOf(revisions),
    maxRevision: maxOf(revisions),
    replaces: [],
    packed,
    minStartUs: minOf(draft.startUs),
    maxStartUs: maxOf(draft.startUs),
    maxDurationNs: Math.max(0, maxOf(draft.durationNs)),
    traces: draft.traces.ids.length / 4,
  };
}

function columnBlobs(draft: SpanBlockDraft): Record<string, Uint8Array> {
  const { source, rows } = draft;
  return {
    [SPAN_BLOBS.start]: new SectionWriter().numbers(draft.startUs).finish(),
    [SPAN_BLOBS.duration]: durationsBlob(draft),
    [SPAN_BLOBS.labels]: new SectionWriter().numbers(draft.services.ids).numbers(draft.operations.ids).numbers(flagsOf(draft)).numbers(draft.peers.ids).finish(),
    [SPAN_BLOBS.operations]: new SectionWriter('text').bytes(textsOf(draft, draft.operations)).bytes(textsOf(draft, draft.peers)).finish(),
    [SPAN_BLOBS.traces]: tracesBlob(draft),
    [SPAN_BLOBS.spans]: spansBlob(draft),
    [SPAN_BLOBS.places]: placesBlob(source, rows),
    [SPAN_BLOBS.idBlooms]: idBloomsBlob(draft),
  };
}

function flagsOf({ source, rows, parentIds }: SpanBlockDraft): Uint8Array {
  const flags = new Uint8Array(rows.length);
  for (let i = 0; i < rows.length; i++) {
    const isRoot = parentIds[i * 2] === 0 && parentIds[i * 2 + 1] === 0;
    const kind = Math.min(source.kind[rows[i]], UNKNOWN_KIND);
    const status = Math.min(source.status[rows[i]], UNKNOWN_STATUS);
    flags[i] = kind | (status << STATUS_SHIFT) | (isRoot ? ROOT_FLAG : 0);
  }
  return flags;
}

function textsOf({ source }: SpanBlockDraft, { originals }: LocalIds): Uint8Array {
  return Buffer.from(JSON.stringify(originals.map((id) => source.strings.text(id))));
}

function durationsBlob({ durationNs }: SpanBlockDraft): Uint8Array {
  const writer = new SectionWriter();
  writeDurations(writer, durationNs);
  return writer.finish();
}

function tracesBlob({ traces }: SpanBlockDraft): Uint8Array {
  const writer = new SectionWriter();
  writeTraces(writer, traces);
  return writer.finish();
}

function spansBlob({ spanIds, parentIds }: SpanBlockDraft): Uint8Array {
  const writer = new SectionWriter().bytes(new Uint8Array(spanIds.buffer));
  writeParents(writer, spanIds, parentIds);
  return writer.finish();
}

function placesBlob(source: SpanSource, rows: Uint32Array): Uint8Array {
  const writer = new SectionWriter().numbers(gather(source.startNs, rows)).numbers(gather(source.httpStatus, rows));
  writePlaces(writer, source, rows);
  return writer.finish();
}

function idBloomsBlob({ traces, spanIds }: SpanBlockDraft): Uint8Array {
  const traceBloom = Bloom.sized(traces.ids.length / 4, ID_BLOOM_BITS);
  addTraces(traceBloom, traces.ids);
  const spanBloom = Bloom.sized(spanIds.length / 2, ID_BLOOM_BITS);
  for (let at = 0; at < spanIds.length; at += 2) spanBloom.add(hashPair(spanIds[at], spanIds[at + 1]));
  return new SectionWriter().bytes(traceBloom.bytes).bytes(spanBloom.bytes).finish();
}

/** OK is everything that is not ERROR. */
export function isError(flags: number): boolean {
  return ((flags >>> STATUS_SHIFT) & STATUS_MASK) === STATUS_ERROR;
}
