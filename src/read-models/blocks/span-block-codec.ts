import { type SpanColumns, STATUS_ERROR } from '../../telemetry/columns/span-batch-columns.js';
import type { SpanBlockSummary } from '../documents/block-documents.js';
import {
  type EncodedBlock,
  MAX_BLOCK_ROWS,
  packBlobs,
  PACKED_BELOW_ROWS,
  PACKED_BLOB,
  unpackColumnBlobs,
} from './block.js';
import { BloomFilter } from './bloom-filter.js';
import { readDurations, readParents, writeDurations, writeParents } from './span-column-codec.js';
import { assignLocalIds, columnMax, columnMin, gather, gatherIds, type LocalIds } from './column-operations.js';
import {
  addTracesToBloom,
  buildTraceColumn,
  expandTraceIds,
  readLocations,
  readTraceColumn,
  type TraceColumn,
  writeLocations,
  writeTraceColumn,
} from './record-column-codec.js';
import { Section, SectionWriter } from './section.js';
import { decodeTags, encodeTagColumns } from './tag-column-codec.js';
import { asBytes, asWords32, copyWords32, hashPair } from './uint32-words.js';
import { StringInterner } from '../../telemetry/columns/string-interner.js';

/** Source columns of a block of spans, as the decoder fills them. */
export type SpanSource = Omit<
  SpanColumns,
  | 'keys'
  | 'clear'
  | 'tokenCount'
  | 'count'
  | 'resourceVersions'
  | 'resourceInstances'
  | 'exceptionCount'
  | 'exceptionRow'
  | 'exceptionType'
  | 'exceptionMessage'
  | 'exceptionUs'
>;

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

/** Stored for unknown protocol values: they read as INTERNAL and OK. */
const UNKNOWN_KIND = KIND_MASK;

const UNKNOWN_STATUS = STATUS_MASK;
export const ID_BLOOM_BITS = 12;

/** Intermediate data of a block that several blobs or the summary need. */
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

/** Encodes the spans `rows`, 1 to 8,192 of them, in that order. */
export function encodeSpanBlock(source: SpanSource, rows: Uint32Array): EncodedBlock<SpanBlockSummary> {
  if (rows.length === 0 || rows.length > MAX_BLOCK_ROWS)
    throw new RangeError(`a block cannot hold ${rows.length} rows`);
  const draft = createDraft(source, rows);
  const packed = rows.length < PACKED_BELOW_ROWS;
  const columns = { ...encodeColumns(draft), ...encodeTagColumns(source, rows, packed) };
  return { document: summarizeBlock(draft, packed), blobs: packed ? { [PACKED_BLOB]: packBlobs(columns) } : columns };
}

function createDraft(source: SpanSource, rows: Uint32Array): SpanBlockDraft {
  return {
    source,
    rows,
    startUs: gather(source.startUs, rows),
    durationNs: gather(source.durationNs, rows),
    services: assignLocalIds(source.service, rows),
    operations: assignLocalIds(source.operation, rows),
    peers: assignLocalIds(source.peer, rows),
    traces: buildTraceColumn(gatherIds(asWords32(source.traceId), rows, 4)),
    spanIds: gatherIds(asWords32(source.spanId), rows, 2),
    parentIds: gatherIds(asWords32(source.parentId), rows, 2),
  };
}

function summarizeBlock(draft: SpanBlockDraft, packed: boolean): SpanBlockSummary {
  const { source, rows, services } = draft;
  const revisions = gather(source.revision, rows);
  return {
    rows: rows.length,
    services: services.originals.map((id, local) => [source.strings.text(id), services.counts[local]]),
    minRevision: columnMin(revisions),
    maxRevision: columnMax(revisions),
    replaces: [],
    packed,
    minStartUs: columnMin(draft.startUs),
    maxStartUs: columnMax(draft.startUs),
    maxDurationNs: Math.max(0, columnMax(draft.durationNs)),
    traces: draft.traces.ids.length / 4,
  };
}

function encodeColumns(draft: SpanBlockDraft): Record<string, Uint8Array> {
  const { source, rows } = draft;
  return {
    [SPAN_BLOBS.start]: new SectionWriter().numbers(draft.startUs).finish(),
    [SPAN_BLOBS.duration]: durationsBlob(draft),
    [SPAN_BLOBS.labels]: new SectionWriter()
      .numbers(draft.services.ids)
      .numbers(draft.operations.ids)
      .numbers(encodeFlags(draft))
      .numbers(draft.peers.ids)
      .finish(),
    [SPAN_BLOBS.operations]: new SectionWriter('text')
      .bytes(encodeTexts(draft, draft.operations))
      .bytes(encodeTexts(draft, draft.peers))
      .finish(),
    [SPAN_BLOBS.traces]: tracesBlob(draft),
    [SPAN_BLOBS.spans]: spansBlob(draft),
    [SPAN_BLOBS.places]: placesBlob(source, rows),
    [SPAN_BLOBS.idBlooms]: idBloomsBlob(draft),
  };
}

function encodeFlags({ source, rows, parentIds }: SpanBlockDraft): Uint8Array {
  const flags = new Uint8Array(rows.length);
  for (let i = 0; i < rows.length; i++) {
    const isRoot = parentIds[i * 2] === 0 && parentIds[i * 2 + 1] === 0;
    const kind = Math.min(source.kind[rows[i]], UNKNOWN_KIND);
    const status = Math.min(source.status[rows[i]], UNKNOWN_STATUS);
    flags[i] = kind | (status << STATUS_SHIFT) | (isRoot ? ROOT_FLAG : 0);
  }
  return flags;
}

function encodeTexts({ source }: SpanBlockDraft, { originals }: LocalIds): Uint8Array {
  return Buffer.from(JSON.stringify(originals.map((id) => source.strings.text(id))));
}

function durationsBlob({ durationNs }: SpanBlockDraft): Uint8Array {
  const writer = new SectionWriter();
  writeDurations(writer, durationNs);
  return writer.finish();
}

function tracesBlob({ traces }: SpanBlockDraft): Uint8Array {
  const writer = new SectionWriter();
  writeTraceColumn(writer, traces);
  return writer.finish();
}

function spansBlob({ spanIds, parentIds }: SpanBlockDraft): Uint8Array {
  const writer = new SectionWriter().bytes(new Uint8Array(spanIds.buffer));
  writeParents(writer, spanIds, parentIds);
  return writer.finish();
}

function placesBlob(source: SpanSource, rows: Uint32Array): Uint8Array {
  const writer = new SectionWriter().numbers(gather(source.startNs, rows)).numbers(gather(source.httpStatus, rows));
  writeLocations(writer, source, rows);
  return writer.finish();
}

function idBloomsBlob({ traces, spanIds }: SpanBlockDraft): Uint8Array {
  const traceBloom = BloomFilter.withCapacity(traces.ids.length / 4, ID_BLOOM_BITS);
  addTracesToBloom(traceBloom, traces.ids);
  const spanBloom = BloomFilter.withCapacity(spanIds.length / 2, ID_BLOOM_BITS);
  for (let at = 0; at < spanIds.length; at += 2) spanBloom.add(hashPair(spanIds[at], spanIds[at + 1]));
  return new SectionWriter().bytes(traceBloom.bytes).bytes(spanBloom.bytes).finish();
}

/** Everything that is not ERROR counts as OK. */
export function hasErrorStatus(flags: number): boolean {
  return ((flags >>> STATUS_SHIFT) & STATUS_MASK) === STATUS_ERROR;
}

/** Columns of a block without tags. */
export type SpanRows = Omit<SpanSource, 'tokenEnd' | 'tokens' | 'tokenChecks' | 'resource' | 'resourceTokens'>;

/** Blobs needed to decode the rows without tags and Bloom filters. */
export const ROW_BLOBS: readonly string[] = [
  SPAN_BLOBS.start,
  SPAN_BLOBS.duration,
  SPAN_BLOBS.labels,
  SPAN_BLOBS.operations,
  SPAN_BLOBS.traces,
  SPAN_BLOBS.spans,
  SPAN_BLOBS.places,
];

/** Decodes a whole block into columns that can be encoded again. */
export function decodeSpanBlock(document: SpanBlockSummary, stored: Readonly<Record<string, Uint8Array>>): SpanSource {
  const blobs = unpackColumnBlobs(document.packed, stored);
  const tags = decodeTags(blobs, document.rows, document.packed);
  return { ...decodeSpanRows(document, blobs), ...tags, resource: Uint32Array.from(tags.resource) };
}

/** `blobs`: ROW_BLOBS, unpacked. */
export function decodeSpanRows(document: SpanBlockSummary, blobs: Readonly<Record<string, Uint8Array>>): SpanRows {
  const section = (name: string): Section => new Section(blobs[name]);
  const strings = new StringInterner();
  const labels = section(SPAN_BLOBS.labels);
  const spans = section(SPAN_BLOBS.spans);
  const places = section(SPAN_BLOBS.places);
  const spanIds = copyWords32(spans.bytes(0));
  const flags = labels.numbers(2, new Uint8Array(document.rows));
  return {
    startUs: section(SPAN_BLOBS.start).float64(0),
    startNs: places.uint16(0),
    durationNs: readDurations(section(SPAN_BLOBS.duration)),
    traceId: expandTraceIds(readTraceColumn(section(SPAN_BLOBS.traces), 0)),
    spanId: asBytes(spanIds),
    parentId: asBytes(readParents(spans, 1, spanIds)),
    service: internColumn(
      labels.uint16(0),
      document.services.map(([name]) => name),
      strings,
    ),
    operation: internColumn(labels.uint16(1), readTexts(section(SPAN_BLOBS.operations), OPERATION_TEXTS), strings),
    peer: internColumn(labels.uint16(3), readTexts(section(SPAN_BLOBS.operations), PEER_TEXTS), strings),
    kind: flags.map((flag) => flag & KIND_MASK),
    status: flags.map((flag) => (flag >>> STATUS_SHIFT) & STATUS_MASK),
    httpStatus: places.uint16(1),
    ...readLocations(places, 2),
    strings,
  };
}

/** Index of the dictionary of operations in its blob. */
export const OPERATION_TEXTS = 0;

const PEER_TEXTS = 1;

/** Strings of a dictionary, by local id. */
export function readTexts(section: Section, index: number): string[] {
  return JSON.parse(Buffer.from(section.bytes(index)).toString()) as string[];
}

function internColumn(local: Uint16Array, texts: readonly string[], strings: StringInterner): Uint32Array {
  const ids = texts.map((text) => strings.internText(text));
  const column = new Uint32Array(local.length);
  for (let row = 0; row < local.length; row++) column[row] = ids[local[row]];
  return column;
}
