import { Interner } from '../../telemetry/interner.js';
import type { SpanBlockSummary } from '../spans.js';
import { readDurations } from './duration-column.js';
import { readParents } from './parent-column.js';
import { columnBlobs } from './packing.js';
import { readPlaces } from './record-places.js';
import { Section } from './section.js';
import { KIND_MASK, SPAN_BLOBS, STATUS_MASK, STATUS_SHIFT, type SpanSource } from './span-block.js';
import { decodeTags } from './tag-rows.js';
import { readTraces, traceIdsByRow } from './trace-column.js';
import { bytesOf, ownWords32 } from './words32.js';

/** A block without tags. */
export type SpanRows = Omit<SpanSource, 'tokenEnd' | 'tokens' | 'tokenChecks' | 'resource' | 'resourceTokens'>;

/** Blobs that make up the rows, tags and filters left out. */
export const ROW_BLOBS: readonly string[] = [SPAN_BLOBS.start, SPAN_BLOBS.duration, SPAN_BLOBS.labels, SPAN_BLOBS.operations, SPAN_BLOBS.traces, SPAN_BLOBS.spans, SPAN_BLOBS.places];

/** Decodes a block in full, into columns that can be encoded again. */
export function decodeSpanBlock(document: SpanBlockSummary, stored: Readonly<Record<string, Uint8Array>>): SpanSource {
  const blobs = columnBlobs(document.packed, stored);
  const tags = decodeTags(blobs, document.rows, document.packed);
  return { ...decodeSpanRows(document, blobs), ...tags, resource: Uint32Array.from(tags.resource) };
}

/** `blobs`: ROW_BLOBS, unpacked. */
export function decodeSpanRows(document: SpanBlockSummary, blobs: Readonly<Record<string, Uint8Array>>): SpanRows {
  const section = (name: string): Section => new Section(blobs[name]);
  const strings = new Interner();
  const labels = section(SPAN_BLOBS.labels);
  const spans = section(SPAN_BLOBS.spans);
  const places = section(SPAN_BLOBS.places);
  const spanIds = ownWords32(spans.bytes(0));
  const flags = labels.numbers(2, new Uint8Array(document.rows));
  return {
    startUs: section(SPAN_BLOBS.start).float64(0),
    startNs: places.uint16(0),
    durationNs: readDurations(section(SPAN_BLOBS.duration)),
    traceId: traceIdsByRow(readTraces(section(SPAN_BLOBS.traces), 0)),
    spanId: bytesOf(spanIds),
    parentId: bytesOf(readParents(spans, 1, spanIds)),
    service: interned(labels.uint16(0), document.services.map(([name]) => name), strings),
    operation: interned(labels.uint16(1), readTexts(section(SPAN_BLOBS.operations), OPERATION_TEXTS), strings),
    peer: interned(labels.uint16(3), readTexts(section(SPAN_BLOBS.operations), PEER_TEXTS), strings),
    kind: flags.map((flag) => flag & KIND_MASK),
    status: flags.map((flag) => (flag >>> STATUS_SHIFT) & STATUS_MASK),
    httpStatus: places.uint16(1),
    ...readPlaces(places, 2),
    strings,
  };
}

/** Places of the dictionaries in their blob. */
export const OPERATION_TEXTS = 0;
const PEER_TEXTS = 1;

/** The texts of a dictionary, by local id. */
export function readTexts(section: Section, place: number): string[] {
  return JSON.parse(Buffer.from(section.bytes(place)).toString()) as string[];
}

function interned(local: Uint16Array, texts: readonly string[], strings: Interner): Uint32Array {
  const ids = texts.map((text) => strings.idOf(text));
  const column = new Uint32Array(local.length);
  for (let row = 0; row < local.length; row++) column[row] = ids[local[row]];
  return column;
}
