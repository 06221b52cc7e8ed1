import { Interner } from '../../telemetry/interner.js';
import type { LogBlockSummary } from '../logs.js';
import { LOG_BLOBS, type LogSource } from './log-block.js';
import { columnBlobs } from './packing.js';
import { readPlaces } from './record-places.js';
import { Section } from './section.js';
import { decodeTags } from './tag-rows.js';
import { readTraces, traceIdsByRow } from './trace-column.js';
import { decodeWords, WORD_ROWS_BLOB, WORDS_BLOB } from './word-postings.js';

/** Decodes a block in full, into columns that can be encoded again. */
export function decodeLogBlock(document: LogBlockSummary, stored: Readonly<Record<string, Uint8Array>>): LogSource {
  const blobs = columnBlobs(document.packed, stored);
  const section = (name: string): Section => new Section(blobs[name]);
  const strings = new Interner();
  const words = new Interner();
  const labels = section(LOG_BLOBS.labels);
  const ids = section(LOG_BLOBS.ids);
  const places = section(LOG_BLOBS.places);
  const tags = decodeTags(blobs, document.rows, document.packed);
  const serviceIds = document.services.map(([name]) => strings.idOf(name));
  return {
    timeUs: section(LOG_BLOBS.time).float64(0),
    timeNs: places.uint16(0),
    severity: labels.numbers(1, new Uint8Array(document.rows)),
    service: Uint32Array.from(labels.uint16(0), (id) => serviceIds[id]),
    traceId: traceIdsByRow(readTraces(ids, 0)),
    spanId: new Uint8Array(ids.bytes(2)),
    ordinal: places.uint32(1),
    ...readPlaces(places, 2),
    ...tags,
    resource: Uint32Array.from(tags.resource),
    ...decodeWords(section(WORDS_BLOB), section(WORD_ROWS_BLOB), document.rows, words),
    exception: labels.numbers(2, new Uint8Array(document.rows)),
    strings,
    words,
  };
}
