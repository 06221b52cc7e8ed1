import { BackwardBits } from './bits.js';
import { corrupt } from './corrupt.js';
import { buildTable, constantTable, readTable, type FseTable } from './fse.js';
import type { Literals } from './literals.js';
import type { Output } from './output.js';

/** Lengths are coded as a base and bits to add (RFC 8878 §3.1.1.3.2.1.1). */
interface Codes {
  readonly bases: Int32Array;
  readonly bits: Uint8Array;
}

function codes(first: number, bits: readonly number[]): Codes {
  const bases = new Int32Array(bits.length);
  for (let code = 0, base = first; code < bits.length; code++) {
    bases[code] = base;
    base += 2 ** bits[code];
  }
  return { bases, bits: Uint8Array.from(bits) };
}

const zeros = (count: number): number[] => Array<number>(count).fill(0);
const LITERAL_LENGTHS = codes(0, [...zeros(16), 1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]);
const MATCH_LENGTHS = codes(3, [...zeros(32), 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]);

/** What a table description may hold, and the table for where there is none. */
interface TableKind {
  readonly maxAccuracy: number;
  readonly maxSymbol: number;
  readonly predefined: FseTable;
}

const ones = (count: number, value = 1): number[] => Array<number>(count).fill(value);
const LITERAL_LENGTH: TableKind = {
  maxAccuracy: 9,
  maxSymbol: 35,
  predefined: buildTable([4, 3, ...ones(11, 2), 1, 1, 1, ...ones(9, 2), 3, 2, ...ones(5), ...ones(4, -1)], 6),
};
const OFFSET: TableKind = { maxAccuracy: 8, maxSymbol: 31, predefined: buildTable([...ones(6), 2, 2, 2, ...ones(15), ...ones(5, -1)], 5) };
const MATCH_LENGTH: TableKind = {
  maxAccuracy: 9,
  maxSymbol: 52,
  predefined: buildTable([1, 4, 3, ...ones(6, 2), ...ones(37), ...ones(7, -1)], 6),
};

const PREDEFINED = 0;
const RLE = 1;
const CODED = 2;
/** Offsets of more bits reach further back than any body is long. */
const MAX_OFFSET_CODE = 27;
/** More than 25 bits are read in two steps. */
const ONE_READ = 25;

/**
 * Sequences of a block: copy so many literals, then so many bytes from so far back. Keeps what later blocks of the
 * frame may refer to: tables and the last three offsets. Work is bounded by the bytes that come out.
 */
export class Sequences {
  private literalLengths: FseTable | undefined;
  private offsets: FseTable | undefined;
  private matchLengths: FseTable | undefined;
  /** The last offsets, the newest first. */
  private first = 1;
  private second = 4;
  private third = 8;

  reset(): void {
    this.literalLengths = this.offsets = this.matchLengths = undefined;
    this.first = 1;
    this.second = 4;
    this.third = 8;
  }

  /** Reads the sequences section `block[from, to)` and writes what the block stands for. */
  execute(block: Uint8Array, from: number, to: number, literals: Literals, output: Output): void {
    const { count, next } = readCount(block, from, to);
    if (count === 0) {
      if (next !== to) throw corrupt();
      output.append(literals.bytes, 0, literals.size);
      return;
    }
    const bits = new BackwardBits(block, this.readTables(block, next, to), to);
    const used = this.run(count, bits, literals, output);
    output.append(literals.bytes, used, literals.size);
  }

  private readTables(block: Uint8Array, from: number, to: number): number {
    if (from >= to) throw corrupt();
    const modes = block[from];
    if ((modes & 3) !== 0) throw corrupt();
    const lengths = tableOf(modes >> 6, LITERAL_LENGTH, this.literalLengths, block, from + 1, to);
    const offsets = tableOf((modes >> 4) & 3, OFFSET, this.offsets, block, lengths.next, to);
    const matches = tableOf((modes >> 2) & 3, MATCH_LENGTH, this.matchLengths, block, offsets.next, to);
    this.literalLengths = lengths.table;
    this.offsets = offsets.table;
    this.matchLengths = matches.table;
    return matches.next;
  }

  /** Answers how many literals were used. */
  private run(count: number, bits: BackwardBits, literals: Literals, output: Output): number {
    const lengths = this.literalLengths as FseTable;
    const offsets = this.offsets as FseTable;
    const matches = this.matchLengths as FseTable;
    let lengthState = bits.read(lengths.accuracy);
    let offsetState = bits.read(offsets.accuracy);
    let matchState = bits.read(matches.accuracy);
    let used = 0;
    for (let left = count; ; ) {
      const offsetCode = offsets.symbols[offsetState];
      const matchCode = matches.symbols[matchState];
      const lengthCode = lengths.symbols[lengthState];
      const offsetValue = readOffset(bits, offsetCode);
      const matchLength = MATCH_LENGTHS.bases[matchCode] + bits.read(MATCH_LENGTHS.bits[matchCode]);
      const literalLength = LITERAL_LENGTHS.bases[lengthCode] + bits.read(LITERAL_LENGTHS.bits[lengthCode]);
      if (bits.left < 0 || used + literalLength > literals.size) throw corrupt();
      output.append(literals.bytes, used, used + literalLength);
      used += literalLength;
      output.repeat(this.offset(offsetValue, literalLength), matchLength);
      if (--left === 0) break;
      lengthState = lengths.bases[lengthState] + bits.read(lengths.bits[lengthState]);
      matchState = matches.bases[matchState] + bits.read(matches.bits[matchState]);
      offsetState = offsets.bases[offsetState] + bits.read(offsets.bits[offsetState]);
    }
    if (bits.left !== 0) throw corrupt();
    return used;
  }

  /** Values of 1 to 3 mean a recent offset, one place further where no literals stand between (RFC 8878 §3.1.1.5). */
  private offset(value: number, literalLength: number): number {
    const place = literalLength === 0 ? value : value - 1;
    if (value <= 3 && place === 0) return this.first;
    const { first, second, third } = this;
    if (value > 3 || place > 1) this.third = second;
    this.second = first;
    this.first = value > 3 ? value - 3 : place === 1 ? second : place === 2 ? third : first - 1;
    return this.first;
  }
}

function readOffset(bits: BackwardBits, code: number): number {
  if (code > MAX_OFFSET_CODE) throw corrupt();
  if (code <= ONE_READ) return (1 << code) + bits.read(code);
  const high = bits.read(code - ONE_READ);
  return 2 ** code + high * 2 ** ONE_READ + bits.read(ONE_READ);
}

function readCount(block: Uint8Array, from: number, to: number): { count: number; next: number } {
  const size = from >= to ? Infinity : block[from] < 128 ? 1 : block[from] < 255 ? 2 : 3;
  if (from + size > to) throw corrupt();
  const first = block[from];
  if (size === 1) return { count: first, next: from + 1 };
  if (size === 2) return { count: ((first - 128) << 8) + block[from + 1], next: from + 2 };
  return { count: block[from + 1] + (block[from + 2] << 8) + 0x7f00, next: from + 3 };
}

function tableOf(mode: number, kind: TableKind, last: FseTable | undefined, block: Uint8Array, from: number, to: number): { table: FseTable; next: number } {
  switch (mode) {
    case PREDEFINED:
      return { table: kind.predefined, next: from };
    case RLE:
      if (from >= to || block[from] > kind.maxSymbol) throw corrupt();
      return { table: constantTable(block[from]), next: from + 1 };
    case CODED:
      return readTable(block, from, to, kind.maxAccuracy, kind.maxSymbol);
    default:
      if (last === undefined) throw corrupt();
      return { table: last, next: from };
  }
}
