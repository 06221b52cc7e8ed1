import { SPAN_IDS, SPAN_LOCATIONS, SPAN_STARTS, SPAN_TRACES } from '../../read-models/blocks/span-block-columns.js';
import { SPAN_ID_BYTES, toHex, TRACE_ID_BYTES } from '../../telemetry/trace-identifiers.js';
import type { SpanBlock } from './span-conditions.js';

/** A span in a block, with its sort key. */
export interface SpanLocation {
  readonly block: SpanBlock;
  readonly row: number;
  readonly startUs: number;
  /** Remaining nanoseconds (0–999). */
  readonly startNs: number;
  /** Lower-case hex; "" if absent. */
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string;
}

export async function locateSpan(block: SpanBlock, row: number): Promise<SpanLocation> {
  const starts = await block.read(SPAN_STARTS);
  const places = await block.read(SPAN_LOCATIONS);
  const { ids, parents } = await block.read(SPAN_IDS);
  const traces = await block.read(SPAN_TRACES);
  return {
    block,
    row,
    startUs: block.document.minStartUs + starts[row],
    startNs: places.startNs[row],
    traceId: hexIdAt(traces.ids, traces.local[row], TRACE_ID_BYTES),
    spanId: hexIdAt(ids, row, SPAN_ID_BYTES),
    parentId: parents[row * 2] === 0 && parents[row * 2 + 1] === 0 ? '' : hexIdAt(parents, row, SPAN_ID_BYTES),
  };
}

/** Oldest first, ties by span id, then by trace id. */
export function compareByStart(a: SpanLocation, b: SpanLocation): number {
  return a.startUs - b.startUs || a.startNs - b.startNs || compareByIds(a, b);
}

/** Newest first, ties by span id, then by trace id. */
export function compareByStartDescending(a: SpanLocation, b: SpanLocation): number {
  return b.startUs - a.startUs || b.startNs - a.startNs || compareByIds(a, b);
}

function compareByIds(a: SpanLocation, b: SpanLocation): number {
  return compareText(a.spanId, b.spanId) || compareText(a.traceId, b.traceId);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Hex form of the id at index `place` of a list of ids of `size` bytes. */
function hexIdAt(words: Uint32Array, place: number, size: number): string {
  return toHex(new Uint8Array(words.buffer, words.byteOffset + place * size, size));
}

const ROWS_PER_BLOCK = 2 ** 16;

/** Encodes a span of a search as one number: the index of its block and its row. */
export function packAddress(block: number, row: number): number {
  return block * ROWS_PER_BLOCK + row;
}

export function addressBlock(address: number): number {
  return Math.floor(address / ROWS_PER_BLOCK);
}

export function addressRow(address: number): number {
  return address % ROWS_PER_BLOCK;
}
