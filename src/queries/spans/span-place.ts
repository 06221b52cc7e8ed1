import { PLACES, SPAN_IDS, STARTS, TRACES } from '../../read-models/blocks/span-columns.js';
import { hexOf, SPAN_ID_BYTES, TRACE_ID_BYTES } from '../../telemetry/ids.js';
import type { SpanBlock } from './span-conditions.js';

/** A span, found in a block, with what searches order by. */
export interface SpanPlace {
  readonly block: SpanBlock;
  readonly row: number;
  readonly startUs: number;
  /** Nanoseconds beyond. */
  readonly startNs: number;
  /** Ids are lower-case hex; "" for none. */
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string;
}

export async function spanPlace(block: SpanBlock, row: number): Promise<SpanPlace> {
  const starts = await block.read(STARTS);
  const places = await block.read(PLACES);
  const { ids, parents } = await block.read(SPAN_IDS);
  const traces = await block.read(TRACES);
  return {
    block,
    row,
    startUs: block.document.minStartUs + starts[row],
    startNs: places.startNs[row],
    traceId: hexId(traces.ids, traces.local[row], TRACE_ID_BYTES),
    spanId: hexId(ids, row, SPAN_ID_BYTES),
    parentId: parents[row * 2] === 0 && parents[row * 2 + 1] === 0 ? '' : hexId(parents, row, SPAN_ID_BYTES),
  };
}

/** Oldest first, ties by span id, then by trace id. */
export function byStart(a: SpanPlace, b: SpanPlace): number {
  return a.startUs - b.startUs || a.startNs - b.startNs || byIds(a, b);
}

/** Newest first, ties by span id, then by trace id. */
export function byStartDescending(a: SpanPlace, b: SpanPlace): number {
  return b.startUs - a.startUs || b.startNs - a.startNs || byIds(a, b);
}

function byIds(a: SpanPlace, b: SpanPlace): number {
  return compareText(a.spanId, b.spanId) || compareText(a.traceId, b.traceId);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Hex of the id at this place of a list of ids of `size` bytes. */
function hexId(words: Uint32Array, place: number, size: number): string {
  return hexOf(new Uint8Array(words.buffer, words.byteOffset + place * size, size));
}
