import type { BloomFilter } from '../../read-models/blocks/bloom-filter.js';
import { Id128HashTable } from '../../read-models/blocks/id-hash-tables.js';
import { SPAN_ID_BLOOMS, SPAN_TRACES } from '../../read-models/blocks/span-block-columns.js';
import { findLocalTrace, traceHash, type TraceColumn } from '../../read-models/blocks/record-column-codec.js';
import type { SpanSnapshot } from '../telemetry/block-snapshots.js';
import type { SpanBlock } from './span-conditions.js';
import { addressBlock, addressRow, locateSpan, packAddress, type SpanLocation } from './span-location.js';

const ABSENT = -1;

/** Looking up an id costs about as much as probing this many in a bloom. */
const PROBES_PER_LOOKUP = 4;

/** For more traces than this, looking up all ids of a block costs less than searching through its ids for each. */
const MAX_SCANS = 64;

/** Some traces, numbered as they come, that are looked for in many blocks. */
export class TraceIdSet {
  readonly ids = new Id128HashTable();
  private hashes = new Uint32Array(16);

  get size(): number {
    return this.ids.size;
  }

  /** Adds the trace id `words[at, at + 4)` unless it is there. */
  add(words: Uint32Array, at: number): void {
    const number = this.ids.add(words, at);
    if (number === this.hashes.length) {
      const hashes = new Uint32Array(number * 2);
      hashes.set(this.hashes);
      this.hashes = hashes;
    }
    this.hashes[number] = traceHash(words, at);
  }

  /** Numbers of the traces that the bloom does not rule out. */
  findLikelyIn(bloom: BloomFilter): number[] {
    const likely: number[] = [];
    for (let number = 0; number < this.size; number++) if (bloom.has(this.hashes[number])) likely.push(number);
    return likely;
  }
}

/** Which of the traces a block holds: for each local trace the number in `wanted`, −1 for others. Undefined: none of them. */
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

/** Rows of the block whose trace is among the numbered ones. */
export function findRowsOfTraces(column: TraceColumn, numbers: Int32Array): number[] {
  const rows: number[] = [];
  for (let row = 0; row < column.local.length; row++) if (numbers[column.local[row]] !== ABSENT) rows.push(row);
  return rows;
}

/** Addresses of all known spans of each of the traces, by their number. */
export async function findSpanAddresses({ blocks, turn }: SpanSnapshot, wanted: TraceIdSet): Promise<number[][]> {
  const addresses = Array.from({ length: wanted.size }, (): number[] => []);
  for (const [index, block] of blocks.entries()) {
    await turn.yieldIfDue();
    const numbers = await findTracesInBlock(block, wanted);
    if (numbers === undefined) continue;
    const column = await block.read(SPAN_TRACES);
    for (const row of findRowsOfTraces(column, numbers))
      addresses[numbers[column.local[row]]].push(packAddress(index, row));
  }
  return addresses;
}

/** The spans at these addresses, in their order. */
export async function locateSpans(
  { blocks, turn }: SpanSnapshot,
  addresses: readonly number[],
): Promise<SpanLocation[]> {
  const spans: SpanLocation[] = [];
  for (const address of addresses) {
    await turn.yieldIfDue();
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
