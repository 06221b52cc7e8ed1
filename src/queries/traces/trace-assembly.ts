import type { BloomFilter } from '../../read-models/blocks/bloom-filter.js';
import { Id128HashTable } from '../../read-models/blocks/id-hash-tables.js';
import { SPAN_ID_BLOOMS, SPAN_TRACES } from '../../read-models/blocks/span-block-columns.js';
import { findLocalTrace, traceHash, type TraceColumn } from '../../read-models/blocks/record-column-codec.js';
import type { SpanSnapshot } from '../telemetry/block-snapshots.js';
import type { SpanBlock } from './span-conditions.js';
import { addressBlock, addressRow, locateSpan, packAddress, type SpanLocation } from './span-location.js';

const ABSENT = -1;

/** Cost of an id lookup, in Bloom filter probes. */
const PROBES_PER_LOOKUP = 4;

/** For more traces than this, looking up all ids of a block is cheaper than scanning its ids for each trace. */
const MAX_SCANS = 64;

/** A set of trace ids to search for in many blocks, numbered in order of insertion. */
export class TraceIdSet {
  readonly ids = new Id128HashTable();
  private hashes = new Uint32Array(16);

  get size(): number {
    return this.ids.size;
  }

  /** Adds the trace id `words[at, at + 4)` if absent. */
  add(words: Uint32Array, at: number): void {
    const number = this.ids.add(words, at);
    if (number === this.hashes.length) {
      const hashes = new Uint32Array(number * 2);
      hashes.set(this.hashes);
      this.hashes = hashes;
    }
    this.hashes[number] = traceHash(words, at);
  }

  /** Numbers of the traces that the Bloom filter does not rule out. */
  findLikelyIn(bloom: BloomFilter): number[] {
    const likely: number[] = [];
    for (let number = 0; number < this.size; number++) if (bloom.has(this.hashes[number])) likely.push(number);
    return likely;
  }
}

/**
 * Maps the local traces of a block to their numbers in `wanted`, −1 for others; undefined if the block has none of
 * them.
 */
export async function findTracesInBlock(block: SpanBlock, wanted: TraceIdSet): Promise<Int32Array | undefined> {
  if (wanted.size > block.document.traces * PROBES_PER_LOOKUP)
    return lookUpAll(await block.read(SPAN_TRACES), wanted.ids);
  const likely = wanted.findLikelyIn((await block.read(SPAN_ID_BLOOMS)).traces);
  if (likely.length === 0) return undefined;
  if (likely.length > MAX_SCANS) return lookUpAll(await block.read(SPAN_TRACES), wanted.ids);
  const column = await block.read(SPAN_TRACES);
  const numbers = new Int32Array(column.ids.length / 4).fill(ABSENT);
  for (const number of likely) {
    const local = findLocalTrace(column, wanted.ids.words, number * 4);
    if (local >= 0) numbers[local] = number;
  }
  return numbers;
}

/** Rows of the block whose trace is in `numbers`. */
export function findRowsOfTraces(column: TraceColumn, numbers: Int32Array): number[] {
  const rows: number[] = [];
  for (let row = 0; row < column.local.length; row++) if (numbers[column.local[row]] !== ABSENT) rows.push(row);
  return rows;
}

/** Addresses of all known spans of the traces, by trace number. */
export async function findSpanAddresses({ blocks, timeSlice }: SpanSnapshot, wanted: TraceIdSet): Promise<number[][]> {
  const addresses = Array.from({ length: wanted.size }, (): number[] => []);
  for (const [index, block] of blocks.entries()) {
    await timeSlice.yieldIfDue();
    const numbers = await findTracesInBlock(block, wanted);
    if (numbers === undefined) continue;
    const column = await block.read(SPAN_TRACES);
    for (const row of findRowsOfTraces(column, numbers))
      addresses[numbers[column.local[row]]].push(packAddress(index, row));
  }
  return addresses;
}

/** The spans at these addresses, in the same order. */
export async function locateSpans(
  { blocks, timeSlice }: SpanSnapshot,
  addresses: readonly number[],
): Promise<SpanLocation[]> {
  const spans: SpanLocation[] = [];
  for (const address of addresses) {
    await timeSlice.yieldIfDue();
    spans.push(await locateSpan(blocks[addressBlock(address)], addressRow(address)));
  }
  return spans;
}

function lookUpAll(column: TraceColumn, wanted: Id128HashTable): Int32Array | undefined {
  const numbers = new Int32Array(column.ids.length / 4);
  let found = false;
  for (let local = 0; local < numbers.length; local++) {
    numbers[local] = wanted.find(column.ids, local * 4);
    found ||= numbers[local] !== ABSENT;
  }
  return found ? numbers : undefined;
}
