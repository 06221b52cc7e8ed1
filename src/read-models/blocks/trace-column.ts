import type { Bloom } from './bloom.js';
import { TraceTable } from './id-tables.js';
import type { Section, SectionWriter } from './section.js';
import { bytesOf, hashQuad, ownWords32 } from './words32.js';

/** Trace ids of rows: the distinct ones, and which of them each row has. */
export interface TraceColumn {
  /** Four words each. */
  readonly ids: Uint32Array;
  readonly local: Uint16Array;
}

/** `ids`: four words a row. */
export function traceColumn(ids: Uint32Array): TraceColumn {
  const table = new TraceTable(ids.length >>> 5);
  const local = new Uint16Array(ids.length >>> 2);
  for (let row = 0; row < local.length; row++) local[row] = table.add(ids, row * 4);
  return { ids: table.words.slice(0, table.size * 4), local };
}

/** Two parts. Which trace a row has is kept as how many new traces ago that one was first seen: 0 is a new one. */
export function writeTraces(writer: SectionWriter, { ids, local }: TraceColumn): void {
  const ages = new Uint16Array(local.length);
  for (let row = 0, next = 0; row < local.length; row++) {
    ages[row] = next - local[row];
    if (local[row] === next) next++;
  }
  writer.bytes(bytesOf(ids)).numbers(ages);
}

export function readTraces(section: Section, firstPart: number): TraceColumn {
  const ids = ownWords32(section.bytes(firstPart));
  const local = section.uint16(firstPart + 1);
  for (let row = 0, next = 0; row < local.length; row++) {
    local[row] = next - local[row];
    if (local[row] === next) next++;
  }
  return { ids, local };
}

export function addTraces(bloom: Bloom, ids: Uint32Array): void {
  for (let at = 0; at < ids.length; at += 4) bloom.add(traceHash(ids, at));
}

/** Hash under which the trace id `words[at, at + 4)` stands in blooms. */
export function traceHash(words: Uint32Array, at: number): number {
  return hashQuad(words[at], words[at + 1], words[at + 2], words[at + 3]);
}

/** Local number of a trace, −1 when no row has it. */
export function localTrace(column: TraceColumn, words: Uint32Array, at: number): number {
  const { ids } = column;
  for (let i = 0; i < ids.length; i += 4) {
    if (ids[i] === words[at] && ids[i + 1] === words[at + 1] && ids[i + 2] === words[at + 2] && ids[i + 3] === words[at + 3]) return i >>> 2;
  }
  return -1;
}

/** The trace id of each row, 16 bytes a row. */
export function traceIdsByRow({ ids, local }: TraceColumn): Uint8Array {
  const words = new Uint32Array(local.length * 4);
  for (let row = 0; row < local.length; row++) words.set(ids.subarray(local[row] * 4, local[row] * 4 + 4), row * 4);
  return bytesOf(words);
}
