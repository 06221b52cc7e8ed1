import { hasErrorStatus, KIND_MASK, ROOT_FLAG } from '../../read-models/blocks/span-block-codec.js';
import {
  SPAN_DURATIONS_NS,
  SPAN_LABELS,
  SPAN_LOCATIONS,
  SPAN_OPERATIONS,
  SPAN_SERVICE_ROWS,
  SPAN_STARTS,
  SPAN_TRACES,
} from '../../read-models/blocks/span-block-columns.js';
import { OTHER_NAME } from '../../diagnostics/rollups/rollup-types.js';
import type { ImpactFilter } from '../../diagnostics/root-cause/diagnose.js';
import { isEntryKind } from '../../telemetry/span-kind.js';
import type { SpanBlock } from '../traces/span-conditions.js';
import { Id128HashTable } from '../../read-models/blocks/id-hash-tables.js';
import { asBytes } from '../../read-models/blocks/uint32-words.js';
import { toHex, TRACE_ID_BYTES } from '../../telemetry/trace-identifiers.js';

/** Selects the spans that count: entry spans of a service that have status ERROR or exceed a duration. */
export type ImpactCriteria = Omit<ImpactFilter, 'window'>;

/** Matching spans of one block, regardless of the window. */
export interface MatchingSpans {
  readonly size: number;
  /** Four 32-bit words per id. */
  readonly traceIds: Uint32Array;
  /** Whole µs since 1970. */
  readonly endUs: Float64Array;
  readonly durationNs: Float64Array;
  readonly errors: Uint8Array;
}

/** Per match. */
export const MATCHING_SPAN_BYTES = 33;

const NO_MATCHING_SPANS: MatchingSpans = {
  size: 0,
  traceIds: new Uint32Array(0),
  endUs: new Float64Array(0),
  durationNs: new Float64Array(0),
  errors: new Uint8Array(0),
};
const NS_PER_US = 1000;

export async function findMatchingSpans(
  block: SpanBlock,
  { service, operation, slowerThanNs }: ImpactCriteria,
): Promise<MatchingSpans> {
  const local = block.document.services.findIndex(([name]) => name === service);
  if (local < 0) return NO_MATCHING_SPANS;
  const { rows, ends } = await block.read(SPAN_SERVICE_ROWS);
  const { flags, operations } = await block.read(SPAN_LABELS);
  const durations = await block.read(SPAN_DURATIONS_NS);
  // Rollups combine operations beyond the limit under one name; blocks have the real names.
  const named =
    operation === undefined || operation === OTHER_NAME
      ? undefined
      : (await block.read(SPAN_OPERATIONS)).indexOf(operation);
  const counts = (row: number): boolean =>
    isEntry(flags[row]) &&
    (named === undefined || operations[row] === named) &&
    (hasErrorStatus(flags[row]) || durations[row] > slowerThanNs);
  const found = rows.subarray(local === 0 ? 0 : ends[local - 1], ends[local]).filter(counts);
  return found.length === 0 ? NO_MATCHING_SPANS : gatherColumns(block, found);
}

async function gatherColumns(block: SpanBlock, rows: Uint16Array): Promise<MatchingSpans> {
  const [{ flags }, durations, starts, { startNs }] = [
    await block.read(SPAN_LABELS),
    await block.read(SPAN_DURATIONS_NS),
    await block.read(SPAN_STARTS),
    await block.read(SPAN_LOCATIONS),
  ];
  const traces = await block.read(SPAN_TRACES);
  const traceIds = new Uint32Array(rows.length * 4);
  rows.forEach((row, i) => traceIds.set(traces.ids.subarray(traces.local[row] * 4, traces.local[row] * 4 + 4), i * 4));
  const durationNs = Float64Array.from(rows, (row) => Math.max(0, durations[row]));
  const { minStartUs } = block.document;
  return {
    size: rows.length,
    traceIds,
    endUs: Float64Array.from(
      rows,
      (row, i) => minStartUs + starts[row] + Math.floor((startNs[row] + durationNs[i]) / NS_PER_US),
    ),
    durationNs,
    errors: Uint8Array.from(rows, (row) => Number(hasErrorStatus(flags[row]))),
  };
}

function isEntry(flags: number): boolean {
  return isEntryKind(flags & KIND_MASK) || (flags & ROOT_FLAG) !== 0;
}

/** Which traces are the best examples of a cause. */
export type SampleOrder = 'errors' | 'slow';

const SAMPLE_COUNT = 5;

/** Distinct traces of matching spans, each with its most relevant span. */
export class ImpactedTraceAccumulator {
  private readonly traces = new Id128HashTable();
  private readonly scores: number[] = [];
  private readonly newest: number[] = [];

  constructor(private readonly order: SampleOrder) {}

  get count(): number {
    return this.traces.size;
  }

  /** Adds the spans that ended in fromUs ≤ end < toUs. */
  add({ size, traceIds, endUs, durationNs, errors }: MatchingSpans, fromUs: number, toUs: number): void {
    for (let i = 0; i < size; i++) {
      if (endUs[i] < fromUs || endUs[i] >= toUs) continue;
      const number = this.traces.add(traceIds, i * 4);
      const score = this.scoreOf(durationNs[i], errors[i] === 1);
      if (number === this.scores.length || score > this.scores[number]) this.scores[number] = score;
      this.newest[number] = Math.max(this.newest[number] ?? 0, endUs[i]);
    }
  }

  /** Best example first: traces with errors (if the cause is about errors), then the slowest, then the newest. */
  sampleTraceIds(): string[] {
    const sample: number[] = [];
    for (let number = 0; number < this.count; number++) {
      if (sample.length === SAMPLE_COUNT && this.compareBySampleOrder(number, sample[SAMPLE_COUNT - 1]) > 0) continue;
      sample.push(number);
      sample.sort((a, b) => this.compareBySampleOrder(a, b));
      sample.length = Math.min(sample.length, SAMPLE_COUNT);
    }
    return sample.map((number) => this.traceId(number));
  }

  private scoreOf(durationNs: number, isError: boolean): number {
    return this.order === 'errors' && isError ? durationNs + Number.MAX_SAFE_INTEGER : durationNs;
  }

  private compareBySampleOrder(a: number, b: number): number {
    return (
      this.scores[b] - this.scores[a] || this.newest[b] - this.newest[a] || (this.traceId(a) < this.traceId(b) ? -1 : 1)
    );
  }

  private traceId(number: number): string {
    return toHex(asBytes(this.traces.words.subarray(number * 4, number * 4 + 4)).subarray(0, TRACE_ID_BYTES));
  }
}
