import { STARTS, TRACES } from '../../read-models/blocks/span-columns.js';
import type { SpanBlock } from './span-conditions.js';
import type { TraceNumbers } from './trace-numbers.js';

/** What a search looks at in every row of a block. */
export interface TraceRows {
  /** Of the block in the search. */
  readonly block: number;
  /** Local trace of each row, and the number of each local trace. */
  readonly local: Uint16Array;
  readonly numbers: Uint32Array;
  /** Starts in µs after `baseUs`. */
  readonly starts: Uint32Array | Float64Array;
  readonly baseUs: number;
}

export async function traceRows(index: number, block: SpanBlock, traces: TraceNumbers): Promise<TraceRows> {
  const { local } = await block.read(TRACES);
  return { block: index, local, numbers: await traces.of(block), starts: await block.read(STARTS), baseUs: block.document.minStartUs };
}
