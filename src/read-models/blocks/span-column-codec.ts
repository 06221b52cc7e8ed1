import { Id64HashTable } from './id-hash-tables.js';
import type { Section, SectionWriter } from './section.js';
import { asBytes, copyWords32 } from './uint32-words.js';
import { columnMax, columnMin } from './column-operations.js';

const NONE = 0;
const ELSEWHERE = 1;
const FIRST_DISTANCE = 2;

/**
 * Writes two parts: for each row none, elsewhere, or the distance to the row with the parent's id; and the ids of the
 * parents that are not in the block. `spanIds` and `parentIds`: two words per row, zero: no parent.
 */
export function writeParents(writer: SectionWriter, spanIds: Uint32Array, parentIds: Uint32Array): void {
  const rows = spanIds.length >>> 1;
  const { table, firstRows } = indexRowsById(spanIds);
  const distances = new Uint32Array(rows);
  const elsewhere = new Uint32Array(parentIds.length);
  let exceptions = 0;
  for (let row = 0; row < rows; row++) {
    const a = parentIds[row * 2];
    const b = parentIds[row * 2 + 1];
    if (a === 0 && b === 0) continue;
    const known = table.find(a, b);
    if (known >= 0) {
      distances[row] = FIRST_DISTANCE + zigzag(row - firstRows[known]);
      continue;
    }
    distances[row] = ELSEWHERE;
    elsewhere[exceptions++] = a;
    elsewhere[exceptions++] = b;
  }
  writer.numbers(distances).bytes(asBytes(elsewhere.subarray(0, exceptions)));
}

/** Ids of the parents, two words per row. */
export function readParents(section: Section, firstPart: number, spanIds: Uint32Array): Uint32Array {
  const distances = section.uint32(firstPart);
  const elsewhere = copyWords32(section.bytes(firstPart + 1));
  const parents = new Uint32Array(distances.length * 2);
  let exceptions = 0;
  for (let row = 0; row < distances.length; row++) {
    if (distances[row] === NONE) continue;
    const inBlock = distances[row] !== ELSEWHERE;
    const source = inBlock ? spanIds : elsewhere;
    const at = inBlock ? (row - unzigzag(distances[row] - FIRST_DISTANCE)) * 2 : exceptions;
    parents[row * 2] = source[at];
    parents[row * 2 + 1] = source[at + 1];
    if (!inBlock) exceptions += 2;
  }
  return parents;
}

function indexRowsById(spanIds: Uint32Array): { table: Id64HashTable; firstRows: Uint16Array } {
  const rows = spanIds.length >>> 1;
  const table = new Id64HashTable(rows);
  const firstRows = new Uint16Array(rows);
  for (let row = 0; row < rows; row++) {
    const before = table.size;
    const known = table.add(spanIds[row * 2], spanIds[row * 2 + 1]);
    if (known === before) firstRows[known] = row;
  }
  return { table, firstRows };
}

function zigzag(value: number): number {
  return value < 0 ? -value * 2 - 1 : value * 2;
}

function unzigzag(value: number): number {
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
}

const TWO_32 = 4_294_967_296;

/**
 * Writes durations in ns, of any sign: one part. If they are further apart than a double can represent exactly (2^53 ns
 * are 104 days, reached by a span that never ended), two parts, the upper and the lower 32 bits, so that one span does
 * not affect the precision of others.
 */
export function writeDurations(writer: SectionWriter, nanos: Float64Array): void {
  if (columnMax(nanos) - columnMin(nanos) <= Number.MAX_SAFE_INTEGER) {
    writer.numbers(nanos);
    return;
  }
  const upper = nanos.map((duration) => Math.floor(duration / TWO_32));
  writer.numbers(upper).numbers(nanos.map((duration, row) => duration - upper[row] * TWO_32));
}

/** Reads what `writeDurations` wrote as the only column of its blob. */
export function readDurations(section: Section): Float64Array {
  if (section.parts === 1) return section.float64(0);
  const lower = section.float64(1);
  return section.float64(0).map((upper, row) => upper * TWO_32 + lower[row]);
}
