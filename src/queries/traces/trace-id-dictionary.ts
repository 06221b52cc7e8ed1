import { Id128HashTable } from '../../read-models/blocks/id-hash-tables.js';
import { SPAN_STARTS, SPAN_TRACES } from '../../read-models/blocks/span-block-columns.js';
import type { ReleasableCache } from '../../thread-memory.js';
import type { SpanBlock } from './span-conditions.js';

/**
 * Numbers for all traces that searches of one Grid have seen, equal for equal 128-bit ids in all blocks. Hashing a
 * million ids costs more than the rest of a search, so numbers are kept between searches. Append-only; traces that
 * start together get close numbers.
 */
export class TraceIdDictionary {
  /** Ids by number. */
  readonly ids = new Id128HashTable();
  private readonly byBlock = new WeakMap<SpanBlock, Uint32Array>();
  private encodedTraces = 0;

  /** Memory in bytes. */
  get bytes(): number {
    return this.ids.bytes + this.encodedTraces * Uint32Array.BYTES_PER_ELEMENT;
  }

  /** Dictionary number of each local trace of the block. */
  encode(block: SpanBlock): Uint32Array | Promise<Uint32Array> {
    return this.byBlock.get(block) ?? this.encodeBlock(block);
  }

  private async encodeBlock(block: SpanBlock): Promise<Uint32Array> {
    const { ids } = await block.read(SPAN_TRACES);
    const numbers = new Uint32Array(ids.length / 4);
    for (let local = 0; local < numbers.length; local++) numbers[local] = this.ids.add(ids, local * 4);
    this.byBlock.set(block, numbers);
    this.encodedTraces += numbers.length;
    return numbers;
  }
}

/**
 * Dictionaries of the most recently searched Grids, within a memory limit. A Grid whose dictionary exceeds the limit
 * starts over with each search.
 */
export class TraceIdDictionaryCache implements ReleasableCache {
  /** Least recently searched first. */
  private readonly byGrid = new Map<string, TraceIdDictionary>();
  /** Grids that were searched since the last release. */
  private searched = new Set<string>();

  constructor(private readonly maxBytes: number) {}

  get size(): number {
    return [...this.byGrid.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  }

  releaseUnused(): void {
    for (const key of [...this.byGrid.keys()]) if (!this.searched.has(key)) this.byGrid.delete(key);
    this.searched = new Set();
  }

  shrinkTo(bytes: number): void {
    for (let left = this.size; left > bytes;) {
      const [key, numbers] = this.byGrid.entries().next().value!;
      this.byGrid.delete(key);
      left -= numbers.bytes;
    }
  }

  /** `key` identifies the Grid and the version of its blocks. */
  get(key: string): TraceIdDictionary {
    const total = this.byGrid.get(key);
    const numbers = total !== undefined && total.bytes <= this.maxBytes ? total : new TraceIdDictionary();
    this.byGrid.delete(key);
    this.evictLeastRecent(numbers.bytes);
    this.byGrid.set(key, numbers);
    this.searched.add(key);
    return numbers;
  }

  /** Evicts the least recently searched Grids until the rest fits beside `bytes`. */
  private evictLeastRecent(bytes: number): void {
    let total = bytes;
    for (const [key, numbers] of [...this.byGrid].reverse()) {
      total += numbers.bytes;
      if (total <= this.maxBytes) continue;
      this.byGrid.delete(key);
      this.searched.delete(key);
    }
  }
}

/** Columns of a block that a search reads for every row. */
export interface TraceColumns {
  /** Index of the block in the search. */
  readonly block: number;
  /** Local trace of each row, and the dictionary number of each local trace. */
  readonly local: Uint16Array;
  readonly numbers: Uint32Array;
  /** Starts in µs after `baseUs`. */
  readonly starts: Uint32Array | Float64Array;
  readonly baseUs: number;
}

export async function readTraceColumns(
  index: number,
  block: SpanBlock,
  traces: TraceIdDictionary,
): Promise<TraceColumns> {
  const { local } = await block.read(SPAN_TRACES);
  return {
    block: index,
    local,
    numbers: await traces.encode(block),
    starts: await block.read(SPAN_STARTS),
    baseUs: block.document.minStartUs,
  };
}
