import type { BloomFilter } from './bloom-filter.js';
import { Id128HashTable } from './id-hash-tables.js';
import type { Section, SectionWriter } from './section.js';
import { asBytes, copyWords32, hashQuad } from './uint32-words.js';
import { gather } from './column-operations.js';

/** Trace ids of rows: the distinct ids, and the index of each row's id. */
export interface TraceColumn {
  /** Four words each. */
  readonly ids: Uint32Array;
  readonly local: Uint16Array;
}

/** `ids`: four words per row. */
export function buildTraceColumn(ids: Uint32Array): TraceColumn {
  const table = new Id128HashTable(ids.length >>> 5);
  const local = new Uint16Array(ids.length >>> 2);
  for (let row = 0; row < local.length; row++) local[row] = table.add(ids, row * 4);
  return { ids: table.words.slice(0, table.size * 4), local };
}

/**
 * Writes two parts. The trace of a row is stored as its age: how many distinct traces ago it first occurred; 0 is a new
 * one.
 */
export function writeTraceColumn(writer: SectionWriter, { ids, local }: TraceColumn): void {
  const ages = new Uint16Array(local.length);
  for (let row = 0, next = 0; row < local.length; row++) {
    ages[row] = next - local[row];
    if (local[row] === next) next++;
  }
  writer.bytes(asBytes(ids)).numbers(ages);
}

export function readTraceColumn(section: Section, firstPart: number): TraceColumn {
  const ids = copyWords32(section.bytes(firstPart));
  const local = section.uint16(firstPart + 1);
  for (let row = 0, next = 0; row < local.length; row++) {
    local[row] = next - local[row];
    if (local[row] === next) next++;
  }
  return { ids, local };
}

export function addTracesToBloom(bloom: BloomFilter, ids: Uint32Array): void {
  for (let at = 0; at < ids.length; at += 4) bloom.add(traceHash(ids, at));
}

/** Hash of the trace id `words[at, at + 4)` in Bloom filters. */
export function traceHash(words: Uint32Array, at: number): number {
  return hashQuad(words[at], words[at + 1], words[at + 2], words[at + 3]);
}

/** Local number of a trace, −1 if no row has it. */
export function findLocalTrace(column: TraceColumn, words: Uint32Array, at: number): number {
  const { ids } = column;
  for (let i = 0; i < ids.length; i += 4) {
    if (
      ids[i] === words[at] &&
      ids[i + 1] === words[at + 1] &&
      ids[i + 2] === words[at + 2] &&
      ids[i + 3] === words[at + 3]
    )
      return i >>> 2;
  }
  return -1;
}

/** Trace id of each row, 16 bytes per row. */
export function expandTraceIds({ ids, local }: TraceColumn): Uint8Array {
  const words = new Uint32Array(local.length * 4);
  for (let row = 0; row < local.length; row++) words.set(ids.subarray(local[row] * 4, local[row] * 4 + 4), row * 4);
  return asBytes(words);
}

/** Locations of records in the log: revision of the event, offset and length in its inflated body. */
export interface RecordLocations {
  readonly revision: Uint32Array;
  readonly offset: Uint32Array;
  readonly length: Uint32Array;
}

/** An offset is stored as its distance from the end of the previous record, which is a few bytes within one body. */
export function writeLocations(writer: SectionWriter, source: RecordLocations, rows: Uint32Array): void {
  const revision = gather(source.revision, rows);
  const length = gather(source.length, rows);
  const distances = new Float64Array(rows.length);
  for (let i = 0, end = 0; i < rows.length; i++) {
    const offset = source.offset[rows[i]];
    distances[i] = offset - (i > 0 && revision[i] !== revision[i - 1] ? 0 : end);
    end = offset + length[i];
  }
  writer.numbers(revision).numbers(distances).numbers(length);
}

export function readLocations(section: Section, firstPart: number): RecordLocations {
  const revision = section.uint32(firstPart);
  const distances = section.float64(firstPart + 1);
  const length = section.uint32(firstPart + 2);
  const offset = new Uint32Array(revision.length);
  for (let row = 0, end = 0; row < offset.length; row++) {
    offset[row] = distances[row] + (row > 0 && revision[row] !== revision[row - 1] ? 0 : end);
    end = offset[row] + length[row];
  }
  return { revision, offset, length };
}
