import { Id128HashTable } from '../../read-models/blocks/id-hash-tables.js';
import { SPAN_STARTS, SPAN_TRACES } from '../../read-models/blocks/span-block-columns.js';
import type { SpanBlock } from './span-conditions.js';

/**
 * A number for every trace that searches of one Grid came across, equal for equal 128-bit ids in all blocks. Looking up
 * a million ids costs more than all the rest of a search, so the numbers are kept from one search to the next;
 * traces that start together have numbers close together. Numbers are only ever added.
 */
export class TraceIdDictionary {
  /** The ids by their numbers. */
  readonly ids = new Id128HashTable();
  private readonly byBlock = new WeakMap<SpanBlock, Uint32Array>();
  private numbered = 0;

  /** What this holds in memory. */
  get bytes(): number {
    return this.ids.bytes + this.numbered * Uint32Array.BYTES_PER_ELEMENT;
  }

  /** For each local trace of the block its number. */
  encode(block: SpanBlock): Uint32Array | Promise<Uint32Array> {
    return this.byBlock.get(block) ?? this.encodeBlock(block);
  }

  private async encodeBlock(block: SpanBlock): Promise<Uint32Array> {
    const { ids } = await block.read(SPAN_TRACES);
    const numbers = new Uint32Array(ids.length / 4);
    for (let local = 0; local < numbers.length; local++) numbers[local] = this.ids.add(ids, local * 4);
    this.byBlock.set(block, numbers);
    this.numbered += numbers.length;
    return numbers;
  }
}

/** Numbers of the Grids that were searched last, as many as fit; a Grid that does not fit starts anew with each search. */
export class TraceIdDictionaryCache {
  private readonly byGrid = new Map<string, TraceIdDictionary>();

  constructor(private readonly maxBytes: number) {}

  /** `key` names the Grid and the version of its blocks. */
  get(key: string): TraceIdDictionary {
    const kept = this.byGrid.get(key);
    const numbers = kept !== undefined && kept.bytes <= this.maxBytes ? kept : new TraceIdDictionary();
    this.byGrid.delete(key);
    this.evictLeastRecent(numbers.bytes);
    this.byGrid.set(key, numbers);
    return numbers;
  }

  /** Forgets the Grids that were searched the longest ago and do not fit beside `bytes`. */
  private evictLeastRecent(bytes: number): void {
    let kept = bytes;
    for (const [key, numbers] of [...this.byGrid].reverse()) {
      kept += numbers.bytes;
      if (kept > this.maxBytes) this.byGrid.delete(key);
    }
  }
}

/** What a search looks at in every row of a block. */
export interface TraceColumns {
  /** Of the block in the search. */
  readonly block: number;
  /** Local trace of each row, and the number of each local trace. */
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
