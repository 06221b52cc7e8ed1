import { TraceTable } from '../../read-models/blocks/id-tables.js';
import { TRACES } from '../../read-models/blocks/span-columns.js';
import type { SpanBlock } from './span-conditions.js';

/**
 * A number for every trace that searches of one Grid came across, equal for equal 128-bit ids in all blocks. Looking up
 * a million ids costs more than all the rest of a search, so the numbers are kept from one search to the next;
 * traces that start together have numbers close together. Numbers are only ever added.
 */
export class TraceNumbers {
  /** The ids by their numbers. */
  readonly ids = new TraceTable();
  private readonly byBlock = new WeakMap<SpanBlock, Uint32Array>();
  private numbered = 0;

  /** What this holds in memory. */
  get bytes(): number {
    return this.ids.bytes + this.numbered * Uint32Array.BYTES_PER_ELEMENT;
  }

  /** For each local trace of the block its number. */
  of(block: SpanBlock): Uint32Array | Promise<Uint32Array> {
    return this.byBlock.get(block) ?? this.number(block);
  }

  private async number(block: SpanBlock): Promise<Uint32Array> {
    const { ids } = await block.read(TRACES);
    const numbers = new Uint32Array(ids.length / 4);
    for (let local = 0; local < numbers.length; local++) numbers[local] = this.ids.add(ids, local * 4);
    this.byBlock.set(block, numbers);
    this.numbered += numbers.length;
    return numbers;
  }
}

/** Numbers of the Grids that were searched last, as many as fit; a Grid that does not fit starts anew with each search. */
export class RecentTraceNumbers {
  private readonly byGrid = new Map<string, TraceNumbers>();

  constructor(private readonly maxBytes: number) {}

  /** `key` names the Grid and the version of its blocks. */
  of(key: string): TraceNumbers {
    const kept = this.byGrid.get(key);
    const numbers = kept !== undefined && kept.bytes <= this.maxBytes ? kept : new TraceNumbers();
    this.byGrid.delete(key);
    this.makeRoom(numbers.bytes);
    this.byGrid.set(key, numbers);
    return numbers;
  }

  /** Forgets the Grids that were searched the longest ago and do not fit beside `bytes`. */
  private makeRoom(bytes: number): void {
    let kept = bytes;
    for (const [key, numbers] of [...this.byGrid].reverse()) {
      kept += numbers.bytes;
      if (kept > this.maxBytes) this.byGrid.delete(key);
    }
  }
}
