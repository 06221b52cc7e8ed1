import type { LogColumns } from '../../telemetry/log-columns.js';
import type { LogBlockSummary } from '../logs.js';
import { MAX_BLOCK_ROWS, type EncodedBlock } from './block.js';
import { Bloom } from './bloom.js';
import { gather, gatherIds, maxOf, minOf } from './gather.js';
import { localIds, type LocalIds } from './local-ids.js';
import { pack, PACKED_BELOW_ROWS, PACKED_BLOB } from './packing.js';
import { writePlaces } from './record-places.js';
import { SectionWriter } from './section.js';
import { ID_BLOOM_BITS } from './span-block.js';
import { encodeTagColumns } from './tag-columns.js';
import { addTraces, traceColumn, writeTraces } from './trace-column.js';
import { encodeWords, WORD_ROWS_BLOB, WORDS_BLOB } from './word-postings.js';
import { hashPair, words32 } from './words32.js';

/** What a block of log records is made of: columns as the decoder fills them. */
export type LogSource = Omit<LogColumns, 'keys' | 'clear' | 'tokenCount' | 'wordCount' | 'count' | 'exceptionType' | 'exceptionMessage' | 'template' | 'templates'>;

/** Names of the blobs of a block of log records, beside those of tags and words. */
export const LOG_BLOBS = {
  time: 'time',
  labels: 'labels',
  ids: 'ids',
  places: 'places',
  idBlooms: 'id-blooms',
} as const;

/** Encodes the log records that `rows` names, 1 to 8,192 of them, in that order. */
export function encodeLogBlock(source: LogSource, rows: Uint32Array): EncodedBlock<LogBlockSummary> {
  if (rows.length === 0 || rows.length > MAX_BLOCK_ROWS) throw new RangeError(`a block cannot hold ${rows.length} rows`);
  const packed = rows.length < PACKED_BELOW_ROWS;
  const services = localIds(source.service, rows);
  const words = encodeWords(source, rows);
  const columns = {
    ...columnBlobs(source, rows, services),
    [WORDS_BLOB]: words.words,
    [WORD_ROWS_BLOB]: words.wordRows,
    ...encodeTagColumns(source, rows, packed, words.hashes),
  };
  return { document: summaryOf(source, rows, services, packed), blobs: packed ? { [PACKED_BLOB]: pack(columns) } : columns };
}

function summaryOf(source: LogSource, rows: Uint32Array, services: LocalIds, packed: boolean): LogBlockSummary {
  const revisions = gather(source.revision, rows);
  const times = gather(source.timeUs, rows);
  let severities = 0;
  for (let i = 0; i < rows.length; i++) severities |= 1 << source.severity[rows[i]];
  return {
    rows: rows.length,
    services: services.originals.map((id, local) => [source.strings.text(id), services.counts[local]]),
    minRevision: minOf(revisions),
    maxRevision: maxOf(revisions),
    replaces: [],
    packed,
    minTimeUs: minOf(times),
    maxTimeUs: maxOf(times),
    severities,
  };
}

function columnBlobs(source: LogSource, rows: Uint32Array, services: LocalIds): Record<string, Uint8Array> {
  const traces = traceColumn(gatherIds(words32(source.traceId), rows, 4));
  const spanIds = gatherIds(words32(source.spanId), rows, 2);
  const ids = new SectionWriter();
  writeTraces(ids, traces);
  ids.bytes(new Uint8Array(spanIds.buffer));
  const places = new SectionWriter().numbers(gather(source.timeNs, rows)).numbers(gather(source.ordinal, rows));
  writePlaces(places, source, rows);
  const labels = new SectionWriter().numbers(services.ids).numbers(gather(source.severity, rows)).numbers(gather(source.exception, rows));
  return {
    [LOG_BLOBS.time]: new SectionWriter().numbers(gather(source.timeUs, rows)).finish(),
    [LOG_BLOBS.labels]: labels.finish(),
    [LOG_BLOBS.ids]: ids.finish(),
    [LOG_BLOBS.places]: places.finish(),
    [LOG_BLOBS.idBlooms]: idBloomsBlob(traces.ids, spanIds),
  };
}

function idBloomsBlob(traceIds: Uint32Array, spanIds: Uint32Array): Uint8Array {
  const traceBloom = Bloom.sized(traceIds.length / 4, ID_BLOOM_BITS);
  addTraces(traceBloom, traceIds);
  const spanBloom = Bloom.sized(spanIds.length / 2, ID_BLOOM_BITS);
  for (let at = 0; at < spanIds.length; at += 2) spanBloom.add(hashPair(spanIds[at], spanIds[at + 1]));
  return new SectionWriter().bytes(traceBloom.bytes).bytes(spanBloom.bytes).finish();
}
