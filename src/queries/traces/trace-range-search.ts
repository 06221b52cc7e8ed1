import { ROOT_FLAG } from '../../read-models/blocks/span-block-codec.js';
import { SPAN_LABELS, SPAN_ROOTS, SPAN_STARTS, SPAN_TRACES } from '../../read-models/blocks/span-block-columns.js';
import type { SpanBlockDocument } from '../../read-models/documents/block-documents.js';
import type { TimeRange } from '../telemetry/telemetry-query-types.js';
import { EarliestSpanTable } from './earliest-span-table.js';
import type { SpanBlock } from './span-conditions.js';
import { addressBlock, addressRow, compareByStart, locateSpan, type SpanLocation } from './span-location.js';
import type { TraceSearchSnapshot } from '../telemetry/block-snapshots.js';
import { findRowsOfTraces, findTracesInBlock, TraceIdSet } from './trace-assembly.js';
import type { TraceSearchResult } from './trace-pagination.js';
import { readTraceColumns } from './trace-id-dictionary.js';

/** Traces processed between two yields. */
const TRACES_PER_YIELD = 4_096;

/** A search by time range only. */
interface RangeSearch extends TraceSearchSnapshot {
  readonly range: TimeRange;
}

/**
 * Every trace with a root that starts in the range, and every trace without any known root whose earliest span starts
 * in the range. That span represents the trace.
 */
export async function searchTracesByRange(spans: TraceSearchSnapshot, range: TimeRange): Promise<TraceSearchResult> {
  const search = { ...spans, range };
  const roots = new EarliestSpanTable();
  await forEachBlockInRange(search, (index, block) => collectRoots(roots, index, block, search));
  const orphans = new EarliestSpanTable();
  await forEachBlockInRange(search, (index, block) => collectOrphans(orphans, roots, index, block, search));
  return mergeResults(search, roots, orphans, await findTracesStartedElsewhere(orphans, search));
}

async function forEachBlockInRange(
  { blocks, timeSlice, range }: RangeSearch,
  visit: (index: number, block: SpanBlock) => Promise<void>,
): Promise<void> {
  for (const [index, block] of blocks.entries()) {
    if (!overlapsRange(block.document, range)) continue;
    await timeSlice.yieldIfDue();
    await visit(index, block);
  }
}

function overlapsRange({ minStartUs, maxStartUs }: SpanBlockDocument, { fromUs, toUs }: TimeRange): boolean {
  return minStartUs < toUs && maxStartUs >= fromUs;
}

function isInside({ minStartUs, maxStartUs }: SpanBlockDocument, { fromUs, toUs }: TimeRange): boolean {
  return minStartUs >= fromUs && maxStartUs < toUs;
}

async function collectRoots(
  roots: EarliestSpanTable,
  index: number,
  block: SpanBlock,
  { traces, range }: RangeSearch,
): Promise<void> {
  const { rows } = await block.read(SPAN_ROOTS);
  const { local, numbers, starts, baseUs } = await readTraceColumns(index, block, traces);
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i];
    const startUs = baseUs + starts[row];
    if (startUs >= range.fromUs && startUs < range.toUs) roots.offer(numbers[local[row]], startUs, index, row);
  }
}

/** Adds the spans in the range whose traces have no root in the range. */
async function collectOrphans(
  orphans: EarliestSpanTable,
  roots: EarliestSpanTable,
  index: number,
  block: SpanBlock,
  { traces, range }: RangeSearch,
): Promise<void> {
  const isOrphan = await findTracesWithoutRoot(roots, block, await traces.encode(block), range);
  if (isOrphan === undefined) return;
  const { local, numbers, starts, baseUs } = await readTraceColumns(index, block, traces);
  for (let row = 0; row < local.length; row++) {
    if (isOrphan[local[row]] === 0) continue;
    const startUs = baseUs + starts[row];
    if (startUs >= range.fromUs && startUs < range.toUs) orphans.offer(numbers[local[row]], startUs, index, row);
  }
}

/** 1 for each local trace without a root in the range; undefined if there is none. */
async function findTracesWithoutRoot(
  roots: EarliestSpanTable,
  block: SpanBlock,
  numbers: Uint32Array,
  range: TimeRange,
): Promise<Uint8Array | undefined> {
  const { rootless } = await block.read(SPAN_ROOTS);
  const isOrphan = new Uint8Array(numbers.length);
  let found = false;
  const consider = (trace: number): void => {
    if (roots.has(numbers[trace])) return;
    isOrphan[trace] = 1;
    found = true;
  };
  if (isInside(block.document, range)) rootless.forEach(consider);
  else for (let trace = 0; trace < numbers.length; trace++) consider(trace);
  return found ? isOrphan : undefined;
}

/** 1 for each orphan that has a root outside the range, or a span before the range. */
async function findTracesStartedElsewhere(
  orphans: EarliestSpanTable,
  { blocks, timeSlice, traces, range }: RangeSearch,
): Promise<Uint8Array> {
  const dropped = new Uint8Array(orphans.size);
  if (orphans.size === 0) return dropped;
  const wanted = new TraceIdSet();
  for (let place = 0; place < orphans.size; place++) {
    if (place % TRACES_PER_YIELD === 0) await timeSlice.yieldIfDue();
    wanted.add(traces.ids.words, orphans.numbers[place] * 4);
  }
  for (const block of blocks) {
    if (isInside(block.document, range)) continue;
    await timeSlice.yieldIfDue();
    await markStartedElsewhere(dropped, block, wanted, range);
  }
  return dropped;
}

async function markStartedElsewhere(
  dropped: Uint8Array,
  block: SpanBlock,
  orphans: TraceIdSet,
  range: TimeRange,
): Promise<void> {
  const numbers = await findTracesInBlock(block, orphans);
  if (numbers === undefined) return;
  const column = await block.read(SPAN_TRACES);
  const starts = await block.read(SPAN_STARTS);
  const { flags } = await block.read(SPAN_LABELS);
  for (const row of findRowsOfTraces(column, numbers)) {
    const isEarlier = block.document.minStartUs + starts[row] < range.fromUs;
    if (isEarlier || (flags[row] & ROOT_FLAG) !== 0) dropped[numbers[column.local[row]]] = 1;
  }
}

function mergeResults(
  search: RangeSearch,
  roots: EarliestSpanTable,
  orphans: EarliestSpanTable,
  dropped: Uint8Array,
): TraceSearchResult {
  const latestUs = new Float64Array(roots.size + orphans.size);
  latestUs.set(roots.startUs.subarray(0, roots.size));
  let count = roots.size;
  for (let orphan = 0; orphan < orphans.size; orphan++) {
    latestUs[roots.size + orphan] = dropped[orphan] === 1 ? -Infinity : orphans.startUs[orphan];
    count += 1 - dropped[orphan];
  }
  const candidates = (place: number): readonly number[] =>
    place < roots.size ? roots.candidates(place) : orphans.candidates(place - roots.size);
  return {
    size: latestUs.length,
    count,
    latestUs,
    resolveStarts: (places) => Promise.resolve(Float64Array.from(places, (place) => latestUs[place])),
    resolveSpans: async (places) => {
      const spans: SpanLocation[] = [];
      for (const place of places) spans.push(await findEarliestSpan(search, candidates(place)));
      return spans;
    },
  };
}

async function findEarliestSpan(
  { blocks, timeSlice }: RangeSearch,
  addresses: readonly number[],
): Promise<SpanLocation> {
  let best = await locateSpan(blocks[addressBlock(addresses[0])], addressRow(addresses[0]));
  for (const address of addresses) {
    await timeSlice.yieldIfDue();
    const span = await locateSpan(blocks[addressBlock(address)], addressRow(address));
    if (compareByStart(span, best) < 0) best = span;
  }
  return best;
}
