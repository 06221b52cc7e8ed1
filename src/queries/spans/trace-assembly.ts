import type { Bloom } from '../../read-models/blocks/bloom.js';
import { TraceTable } from '../../read-models/blocks/id-tables.js';
import { ID_BLOOMS, TRACES } from '../../read-models/blocks/span-columns.js';
import { localTrace, traceHash, type TraceColumn } from '../../read-models/blocks/trace-column.js';
import type { SpanSnapshot } from '../snapshot.js';
import type { SpanBlock } from './span-conditions.js';
import { addressOf, blockAt, rowAt } from './span-address.js';
import { spanPlace, type SpanPlace } from './span-place.js';

const ABSENT = -1;

/** Looking up an id costs about as much as probing this many in a bloom. */
const PROBES_PER_LOOK_UP = 4;

/** For more traces than this, looking up all ids of a block costs less than searching through its ids for each. */
const MAX_SCANS = 64;

/** Some traces, numbered as they come, that are looked for in many blocks. */
export class WantedTraces {
  readonly ids = new TraceTable();
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
  likelyIn(bloom: Bloom): number[] {
    const likely: number[] = [];
    for (let number = 0; number < this.size; number++) if (bloom.has(this.hashes[number])) likely.push(number);
    return likely;
  }
}

/** Which of the traces a block holds: for each local trace the number in `wanted`, −1 for others. Undefined: none of them. */
export async function tracesInBlock(block: SpanBlock, wanted: WantedTraces): Promise<Int32Array | undefined> {
  if (wanted.size > block.document.traces * PROBES_PER_LOOK_UP) return lookUpAll(await block.read(TRACES), wanted.ids);
  const likely = wanted.likelyIn((await block.read(ID_BLOOMS)).traces);
  if (likely.length === 0) return undefined;
  if (likely.length > MAX_SCANS) return lookUpAll(await block.read(TRACES), wanted.ids);
  const column = await block.read(TRACES);
  const numbers = new Int32Array(column.ids.length / 4).fill(ABSENT);
  for (const number of likely) {
    const local = localTrace(column, wanted.ids.words, number * 4);
    if (local >= 0) numbers[local] = number;
  }
  return numbers;
}

/** Rows of the block whose trace is among the numbered ones. */
export function rowsOfTraces(column: TraceColumn, numbers: Int32Array): number[] {
  const rows: number[] = [];
  for (let row = 0; row < column.local.length; row++) if (numbers[column.local[row]] !== ABSENT) rows.push(row);
  return rows;
}

/** Addresses of all known spans of each of the traces, by their number. */
export async function addressesOfTraces({ blocks, turn }: SpanSnapshot, wanted: WantedTraces): Promise<number[][]> {
  const addresses = Array.from({ length: wanted.size }, (): number[] => []);
  for (const [index, block] of blocks.entries()) {
    await turn.giveWay();
    const numbers = await tracesInBlock(block, wanted);
    if (numbers === undefined) continue;
    const column = await block.read(TRACES);
    for (const row of rowsOfTraces(column, numbers)) addresses[numbers[column.local[row]]].push(addressOf(index, row));
  }
  return addresses;
}

/** The spans at these addresses, in their order. */
export async function spansAt({ blocks, turn }: SpanSnapshot, addresses: readonly number[]): Promise<SpanPlace[]> {
  const spans: SpanPlace[] = [];
  for (const address of addresses) {
    await turn.giveWay();
    spans.push(await spanPlace(blocks[blockAt(address)], rowAt(address)));
  }
  return spans;
}

function lookUpAll(column: TraceColumn, wanted: TraceTable): Int32Array | undefined {
  const numbers = new Int32Array(column.ids.length / 4);
  let found = false;
  for (let local = 0; local < numbers.length; local++) {
    numbers[local] = wanted.find(column.ids, local * 4);
    found ||= numbers[local] !== ABSENT;
  }
  return found ? numbers : undefined;
}
