import { PLACES, SPAN_IDS, STARTS } from '../../read-models/blocks/span-columns.js';
import { hexOf, SPAN_ID_BYTES } from '../../telemetry/ids.js';
import type { SpanBlock } from './span-conditions.js';

/** A span, found in a block, with what searches order by. */
export interface SpanPlace {
  readonly block: SpanBlock;
  readonly row: number;
  readonly startUs: number;
  /** Nanoseconds beyond. */
  readonly startNs: number;
  /** Lower-case hex; "" for none. */
  readonly spanId: string;
  readonly parentId: string;
}

export async function spanPlace(block: SpanBlock, row: number): Promise<SpanPlace> {
  const starts = await block.read(STARTS);
  const places = await block.read(PLACES);
  const { ids, parents } = await block.read(SPAN_IDS);
  return {
    block,
    row,
    startUs: block.document.minStartUs + starts[row],
    startNs: places.startNs[row],
    spanId: hexId(ids, row),
    parentId: parents[row * 2] === 0 && parents[row * 2 + 1] === 0 ? '' : hexId(parents, row),
  };
}

/** Oldest first, ties by span id. */
export function byStart(a: SpanPlace, b: SpanPlace): number {
  return a.startUs - b.startUs || a.startNs - b.startNs || compareText(a.spanId, b.spanId);
}

/** Newest first, ties by span id. */
export function byStartDescending(a: SpanPlace, b: SpanPlace): number {
  return b.startUs - a.startUs || b.startNs - a.startNs || compareText(a.spanId, b.spanId);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function hexId(words: Uint32Array, row: number): string {
  const from = words.byteOffset + row * SPAN_ID_BYTES;
  return hexOf(new Uint8Array(words.buffer, from, SPAN_ID_BYTES));
}
