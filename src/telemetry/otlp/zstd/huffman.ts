import { BackwardBits, highestBit } from './bits.js';
import { corrupt } from './corrupt.js';
import { readTable } from './fse.js';

/** Prefix code of literals: by the next `maxBits` bits, the symbol and how many of them it takes (RFC 8878 §4.2). */
export interface HuffmanTable {
  readonly maxBits: number;
  readonly symbols: Uint8Array;
  readonly lengths: Uint8Array;
}

const MAX_BITS = 11;
const TWO_CODES = 2 * MAX_BITS;
const MAX_SYMBOLS = 256;
const WEIGHT_ACCURACY = 6;
/** Header bytes from here on say how many 4-bit weights follow. */
const DIRECT = 128;

/** Reads a tree description; `next` is the byte behind it. */
export function readHuffman(bytes: Uint8Array, from: number, to: number): { table: HuffmanTable; next: number } {
  if (from >= to) throw corrupt();
  const header = bytes[from];
  const size = header >= DIRECT ? (header - DIRECT + 2) >> 1 : header;
  const next = from + 1 + size;
  if (next > to) throw corrupt();
  const weights = header >= DIRECT ? directWeights(bytes, from + 1, header - DIRECT + 1) : codedWeights(bytes, from + 1, next);
  return { table: buildHuffman(weights), next };
}

function directWeights(bytes: Uint8Array, from: number, count: number): number[] {
  return Array.from({ length: count }, (_, i) => (i % 2 === 0 ? bytes[from + (i >> 1)] >> 4 : bytes[from + (i >> 1)] & 15));
}

/** Two states take turns until the bits are used up; then the other one has a last symbol. */
function codedWeights(bytes: Uint8Array, from: number, to: number): number[] {
  const { table, next } = readTable(bytes, from, to, WEIGHT_ACCURACY, MAX_SYMBOLS - 1);
  const bits = new BackwardBits(bytes, next, to);
  const weights: number[] = [];
  let state = bits.read(table.accuracy);
  let other = bits.read(table.accuracy);
  while (weights.length < MAX_SYMBOLS) {
    weights.push(table.symbols[state]);
    const following = table.bases[state] + bits.read(table.bits[state]);
    if (bits.left < 0) {
      weights.push(table.symbols[other]);
      return weights;
    }
    state = other;
    other = following;
  }
  throw corrupt();
}

/** The last symbol's weight is not written: it fills what the others leave of a power of two. */
function buildHuffman(weights: number[]): HuffmanTable {
  const total = weights.reduce((sum, weight) => sum + (weight > 0 ? 1 << (weight - 1) : 0), 0);
  const maxBits = total > 0 ? highestBit(total) + 1 : 0;
  const left = (1 << maxBits) - total;
  if (maxBits < 1 || maxBits > MAX_BITS || weights.length >= MAX_SYMBOLS || (left & (left - 1)) !== 0) throw corrupt();
  return fillTable([...weights, highestBit(left) + 1], maxBits);
}

/** Codes are given out by growing weight, that is from the longest to the shortest, and in the order of symbols. */
function fillTable(weights: readonly number[], maxBits: number): HuffmanTable {
  const symbols = new Uint8Array(1 << maxBits);
  const lengths = new Uint8Array(1 << maxBits);
  let code = 0;
  for (let weight = 1; weight <= maxBits; weight++) {
    weights.forEach((each, symbol) => {
      if (each !== weight) return;
      const end = code + (1 << (weight - 1));
      symbols.fill(symbol, code, end);
      lengths.fill(maxBits + 1 - weight, code, end);
      code = end;
    });
  }
  if (code !== symbols.length) throw corrupt();
  return { maxBits, symbols, lengths };
}

/** Decodes the stream `bytes[from, to)` into `out[at, end)`, which it must fill exactly. */
export function decodeHuffman(table: HuffmanTable, bytes: Uint8Array, from: number, to: number, out: Uint8Array, at: number, end: number): void {
  const { maxBits, symbols, lengths } = table;
  const bits = new BackwardBits(bytes, from, to);
  let i = at;
  // One look covers two symbols: it has twice the bits of the longest code.
  for (; i + 1 < end && bits.left >= TWO_CODES; i += 2) {
    const window = bits.peek(TWO_CODES);
    const first = window >>> (TWO_CODES - maxBits);
    const second = (window >>> (TWO_CODES - maxBits - lengths[first])) & ((1 << maxBits) - 1);
    out[i] = symbols[first];
    out[i + 1] = symbols[second];
    bits.left -= lengths[first] + lengths[second];
  }
  for (; i < end; i++) {
    const code = bits.peek(maxBits);
    out[i] = symbols[code];
    bits.left -= lengths[code];
  }
  if (bits.left !== 0) throw corrupt();
}
