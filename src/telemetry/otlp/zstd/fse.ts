import { ForwardBits, highestBit } from './bits.js';
import { corrupt } from './corrupt.js';

/** Finite state entropy table: by state, the symbol, and the next state as a base and the bits to add (RFC 8878 §4.1). */
export interface FseTable {
  readonly accuracy: number;
  readonly symbols: Uint8Array;
  readonly bits: Uint8Array;
  readonly bases: Uint16Array;
}

/** The table of a stream that has one symbol only. */
export function constantTable(symbol: number): FseTable {
  return { accuracy: 0, symbols: Uint8Array.of(symbol), bits: new Uint8Array(1), bases: new Uint16Array(1) };
}

/** Reads a table description; `next` is the byte behind it. */
export function readTable(bytes: Uint8Array, from: number, to: number, maxAccuracy: number, maxSymbol: number): { table: FseTable; next: number } {
  const bits = new ForwardBits(bytes, from, to);
  const accuracy = bits.read(4) + 5;
  if (accuracy > maxAccuracy) throw corrupt();
  const counts = readCounts(bits, 1 << accuracy, maxSymbol);
  return { table: buildTable(counts, accuracy), next: bits.nextByte };
}

/** Normalised counts by symbol; −1 stands for "less than one". */
function readCounts(bits: ForwardBits, size: number, maxSymbol: number): number[] {
  const counts: number[] = [];
  let remaining = size;
  while (remaining > 0) {
    if (counts.length > maxSymbol) throw corrupt();
    const count = readCount(bits, remaining);
    counts.push(count);
    remaining -= Math.abs(count);
    if (count === 0) readZeros(bits, counts, maxSymbol);
  }
  if (remaining !== 0) throw corrupt();
  return counts;
}

/** Counts are written in as few bits as what remains allows; small ones save one more. */
function readCount(bits: ForwardBits, remaining: number): number {
  const width = highestBit(remaining + 1) + 1;
  const lowMask = (1 << (width - 1)) - 1;
  const threshold = (1 << width) - 1 - (remaining + 1);
  const value = bits.read(width);
  if ((value & lowMask) < threshold) {
    bits.unread(1);
    return (value & lowMask) - 1;
  }
  return (value > lowMask ? value - threshold : value) - 1;
}

function readZeros(bits: ForwardBits, counts: number[], maxSymbol: number): void {
  for (let more = 3; more === 3; ) {
    more = bits.read(2);
    for (let i = 0; i < more; i++) counts.push(0);
    if (counts.length > maxSymbol + 1) throw corrupt();
  }
}

export function buildTable(counts: readonly number[], accuracy: number): FseTable {
  const size = 1 << accuracy;
  const symbols = spread(counts, size);
  const seen = counts.map((count) => Math.abs(count));
  const bits = new Uint8Array(size);
  const bases = new Uint16Array(size);
  for (let state = 0; state < size; state++) {
    const next = seen[symbols[state]]++;
    bits[state] = accuracy - highestBit(next);
    bases[state] = (next << bits[state]) - size;
  }
  return { accuracy, symbols, bits, bases };
}

/** Lays the symbols out over the states: those of "less than one" from the end, the others in steps. */
function spread(counts: readonly number[], size: number): Uint8Array {
  const symbols = new Uint8Array(size);
  let last = size - 1;
  counts.forEach((count, symbol) => {
    if (count === -1) symbols[last--] = symbol;
  });
  const step = (size >> 1) + (size >> 3) + 3;
  let state = 0;
  counts.forEach((count, symbol) => {
    for (let i = 0; i < count; i++) {
      symbols[state] = symbol;
      do state = (state + step) & (size - 1);
      while (state > last);
    }
  });
  if (state !== 0) throw corrupt();
  return symbols;
}
