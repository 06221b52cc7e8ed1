import { isError, KIND_MASK, ROOT_FLAG } from '../../read-models/blocks/span-block.js';
import { DURATIONS_NS, LABELS, OPERATIONS, PLACES, SERVICE_ROWS, STARTS, TRACES } from '../../read-models/blocks/span-columns.js';
import { OTHER } from '../../diagnostics/rollups.js';
import type { Impact } from '../../diagnostics/root-cause/ranked-cause.js';
import { isEntryKind } from '../../telemetry/span-kind.js';
import type { SpanBlock } from '../spans/span-conditions.js';

/** Which spans count: entry spans of a service, that are ERROR or slower. */
export type Harm = Omit<Impact, 'window'>;

/** Spans of one block that count, whatever the window. */
export interface Matches {
  readonly size: number;
  /** Four words each. */
  readonly traceIds: Uint32Array;
  /** Whole µs since 1970. */
  readonly endUs: Float64Array;
  readonly durationNs: Float64Array;
  readonly errors: Uint8Array;
}

/** Of a match. */
export const MATCH_BYTES = 33;

const NONE: Matches = { size: 0, traceIds: new Uint32Array(0), endUs: new Float64Array(0), durationNs: new Float64Array(0), errors: new Uint8Array(0) };

const NS_PER_US = 1000;

export async function matchesIn(block: SpanBlock, { service, operation, slowerThanNs }: Harm): Promise<Matches> {
  const local = block.document.services.findIndex(([name]) => name === service);
  if (local < 0) return NONE;
  const { rows, ends } = await block.read(SERVICE_ROWS);
  const { flags, operations } = await block.read(LABELS);
  const durations = await block.read(DURATIONS_NS);
  // Names past the bounds stand under one name in rollups, not here.
  const named = operation === undefined || operation === OTHER ? undefined : (await block.read(OPERATIONS)).indexOf(operation);
  const counts = (row: number): boolean =>
    isEntry(flags[row]) && (named === undefined || operations[row] === named) && (isError(flags[row]) || durations[row] > slowerThanNs);
  const found = rows.subarray(local === 0 ? 0 : ends[local - 1], ends[local]).filter(counts);
  return found.length === 0 ? NONE : gathered(block, found);
}

async function gathered(block: SpanBlock, rows: Uint16Array): Promise<Matches> {
  const [{ flags }, durations, starts, { startNs }] = [await block.read(LABELS), await block.read(DURATIONS_NS), await block.read(STARTS), await block.read(PLACES)];
  const traces = await block.read(TRACES);
  const traceIds = new Uint32Array(rows.length * 4);
  rows.forEach((row, i) => traceIds.set(traces.ids.subarray(traces.local[row] * 4, traces.local[row] * 4 + 4), i * 4));
  const durationNs = Float64Array.from(rows, (row) => Math.max(0, durations[row]));
  const { minStartUs } = block.document;
  return {
    size: rows.length,
    traceIds,
    endUs: Float64Array.from(rows, (row, i) => minStartUs + starts[row] + Math.floor((startNs[row] + durationNs[i]) / NS_PER_US)),
    durationNs,
    errors: Uint8Array.from(rows, (row) => Number(isError(flags[row]))),
  };
}

function isEntry(flags: number): boolean {
  return isEntryKind(flags & KIND_MASK) || (flags & ROOT_FLAG) !== 0;
}
