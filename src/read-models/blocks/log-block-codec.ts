import type { LogColumns } from '../../telemetry/columns/log-batch-columns.js';
import type { LogBlockSummary } from '../documents/block-documents.js';
import {
  type EncodedBlock,
  MAX_BLOCK_ROWS,
  packBlobs,
  PACKED_BELOW_ROWS,
  PACKED_BLOB,
  unpackColumnBlobs,
} from './block.js';
import { BloomFilter } from './bloom-filter.js';
import { assignLocalIds, columnMax, columnMin, gather, gatherIds, type LocalIds } from './column-operations.js';
import {
  addTracesToBloom,
  buildTraceColumn,
  expandTraceIds,
  readLocations,
  readTraceColumn,
  writeLocations,
  writeTraceColumn,
} from './record-column-codec.js';
import { Section, SectionWriter } from './section.js';
import { ID_BLOOM_BITS } from './span-block-codec.js';
import { decodeTags, encodeTagColumns } from './tag-column-codec.js';
import { BODY_ROWS_BLOB, BODY_SHAPES_BLOB, BODY_VALUES_BLOB, decodeBodies, encodeBodies } from './body-words.js';
import { asWords32, hashPair } from './uint32-words.js';
import { StringInterner } from '../../telemetry/columns/string-interner.js';

/** Source columns of a block of log records, as the decoder fills them. */
export type LogSource = Omit<
  LogColumns,
  | 'keys'
  | 'clear'
  | 'tokenCount'
  | 'wordCount'
  | 'count'
  | 'exceptionType'
  | 'exceptionMessage'
  | 'template'
  | 'templates'
>;

/** Names of the blobs of a block of log records, besides those of tags and bodies. */
export const LOG_BLOBS = {
  time: 'time',
  labels: 'labels',
  ids: 'ids',
  places: 'places',
  idBlooms: 'id-blooms',
} as const;

/** Encodes the log records `rows`, 1 to 8,192 of them, in that order. */
export function encodeLogBlock(source: LogSource, rows: Uint32Array): EncodedBlock<LogBlockSummary> {
  if (rows.length === 0 || rows.length > MAX_BLOCK_ROWS)
    throw new RangeError(`a block cannot hold ${rows.length} rows`);
  const packed = rows.length < PACKED_BELOW_ROWS;
  const services = assignLocalIds(source.service, rows);
  const bodies = encodeBodies(source, rows);
  const columns = {
    ...encodeColumns(source, rows, services),
    ...bodies.blobs,
    ...encodeTagColumns(source, rows, packed, bodies.hashes),
  };
  return {
    document: { ...summarizeBlock(source, rows, services, packed), unorderedBodies: bodies.unordered },
    blobs: packed ? { [PACKED_BLOB]: packBlobs(columns) } : columns,
  };
}

function summarizeBlock(source: LogSource, rows: Uint32Array, services: LocalIds, packed: boolean): LogBlockSummary {
  const revisions = gather(source.revision, rows);
  const times = gather(source.timeUs, rows);
  let severities = 0;
  for (let i = 0; i < rows.length; i++) severities |= 1 << source.severity[rows[i]];
  return {
    rows: rows.length,
    services: services.originals.map((id, local) => [source.strings.text(id), services.counts[local]]),
    minRevision: columnMin(revisions),
    maxRevision: columnMax(revisions),
    replaces: [],
    packed,
    minTimeUs: columnMin(times),
    maxTimeUs: columnMax(times),
    severities,
  };
}

function encodeColumns(source: LogSource, rows: Uint32Array, services: LocalIds): Record<string, Uint8Array> {
  const traces = buildTraceColumn(gatherIds(asWords32(source.traceId), rows, 4));
  const spanIds = gatherIds(asWords32(source.spanId), rows, 2);
  const ids = new SectionWriter();
  writeTraceColumn(ids, traces);
  ids.bytes(new Uint8Array(spanIds.buffer));
  const places = new SectionWriter().numbers(gather(source.timeNs, rows)).numbers(gather(source.ordinal, rows));
  writeLocations(places, source, rows);
  const labels = new SectionWriter()
    .numbers(services.ids)
    .numbers(gather(source.severity, rows))
    .numbers(gather(source.exception, rows));
  return {
    [LOG_BLOBS.time]: new SectionWriter().numbers(gather(source.timeUs, rows)).finish(),
    [LOG_BLOBS.labels]: labels.finish(),
    [LOG_BLOBS.ids]: ids.finish(),
    [LOG_BLOBS.places]: places.finish(),
    [LOG_BLOBS.idBlooms]: idBloomsBlob(traces.ids, spanIds),
  };
}

function idBloomsBlob(traceIds: Uint32Array, spanIds: Uint32Array): Uint8Array {
  const traceBloom = BloomFilter.withCapacity(traceIds.length / 4, ID_BLOOM_BITS);
  addTracesToBloom(traceBloom, traceIds);
  const spanBloom = BloomFilter.withCapacity(spanIds.length / 2, ID_BLOOM_BITS);
  for (let at = 0; at < spanIds.length; at += 2) spanBloom.add(hashPair(spanIds[at], spanIds[at + 1]));
  return new SectionWriter().bytes(traceBloom.bytes).bytes(spanBloom.bytes).finish();
}

/** Decodes a whole block into columns that can be encoded again. */
export function decodeLogBlock(document: LogBlockSummary, stored: Readonly<Record<string, Uint8Array>>): LogSource {
  const blobs = unpackColumnBlobs(document.packed, stored);
  const section = (name: string): Section => new Section(blobs[name]);
  const strings = new StringInterner();
  const words = new StringInterner();
  const labels = section(LOG_BLOBS.labels);
  const ids = section(LOG_BLOBS.ids);
  const places = section(LOG_BLOBS.places);
  const tags = decodeTags(blobs, document.rows, document.packed);
  const serviceIds = document.services.map(([name]) => strings.internText(name));
  return {
    timeUs: section(LOG_BLOBS.time).float64(0),
    timeNs: places.uint16(0),
    severity: labels.numbers(1, new Uint8Array(document.rows)),
    service: Uint32Array.from(labels.uint16(0), (id) => serviceIds[id]),
    traceId: expandTraceIds(readTraceColumn(ids, 0)),
    spanId: new Uint8Array(ids.bytes(2)),
    ordinal: places.uint32(1),
    ...readLocations(places, 2),
    ...tags,
    resource: Uint32Array.from(tags.resource),
    ...decodeBodies(section(BODY_SHAPES_BLOB), section(BODY_VALUES_BLOB), section(BODY_ROWS_BLOB), words),
    exception: labels.numbers(2, new Uint8Array(document.rows)),
    strings,
  };
}
