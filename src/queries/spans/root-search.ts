import { ROOT_FLAG } from '../../read-models/blocks/span-block.js';
import { LABELS, ROOTS, STARTS, TRACES } from '../../read-models/blocks/span-columns.js';
import type { SpanBlockDocument } from '../../read-models/spans.js';
import type { TimeRange } from '../answers.js';
import { EarliestSpans } from './earliest-spans.js';
import type { SpanBlock } from './span-conditions.js';
import { blockAt, rowAt } from './span-address.js';
import type { SpanSearch } from './span-search.js';
import { byStart, spanPlace, type SpanPlace } from './span-place.js';
import { rowsOfTraces, tracesInBlock, WantedTraces } from './trace-assembly.js';
import type { FoundTraces } from './trace-page.js';
import { traceRows } from './trace-rows.js';

/** Traces taken in between two looks at the clock. */
const TRACES_BETWEEN_LOOKS = 4_096;

/** A search by the range alone. */
interface RootSearch extends SpanSearch {
  readonly range: TimeRange;
}

/**
 * Every trace with a root that starts in the range; and of the traces of which no root is known anywhere those whose
 * earliest span starts there. Those spans stand for the traces.
 */
export async function searchRoots(spans: SpanSearch, range: TimeRange): Promise<FoundTraces> {
  const search = { ...spans, range };
  const roots = new EarliestSpans();
  await eachBlockInRange(search, (index, block) => addRoots(roots, index, block, search));
  const orphans = new EarliestSpans();
  await eachBlockInRange(search, (index, block) => addOrphans(orphans, roots, index, block, search));
  return joinFound(search, roots, orphans, await tracesFromElsewhere(orphans, search));
}

async function eachBlockInRange({ blocks, turn, range }: RootSearch, visit: (index: number, block: SpanBlock) => Promise<void>): Promise<void> {
  for (const [index, block] of blocks.entries()) {
    if (!overlaps(block.document, range)) continue;
    await turn.giveWay();
    await visit(index, block);
  }
}

function overlaps({ minStartUs, maxStartUs }: SpanBlockDocument, { fromUs, toUs }: TimeRange): boolean {
  return minStartUs < toUs && maxStartUs >= fromUs;
}

function isInside({ minStartUs, maxStartUs }: SpanBlockDocument, { fromUs, toUs }: TimeRange): boolean {
  return minStartUs >= fromUs && maxStartUs < toUs;
}

async function addRoots(roots: EarliestSpans, index: number, block: SpanBlock, { traces, range }: RootSearch): Promise<void> {
  const { rows } = await block.read(ROOTS);
  const { local, numbers, starts, baseUs } = await traceRows(index, block, traces);
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i];
    const startUs = baseUs + starts[row];
    if (startUs >= range.fromUs && startUs < range.toUs) roots.offer(numbers[local[row]], startUs, index, row);
  }
}

/** Offers the spans in the range of traces that have no root in it. */
async function addOrphans(orphans: EarliestSpans, roots: EarliestSpans, index: number, block: SpanBlock, { traces, range }: RootSearch): Promise<void> {
  const isOrphan = await tracesWithoutRoot(roots, block, await traces.of(block), range);
  if (isOrphan === undefined) return;
  const { local, numbers, starts, baseUs } = await traceRows(index, block, traces);
  for (let row = 0; row < local.length; row++) {
    if (isOrphan[local[row]] === 0) continue;
    const startUs = baseUs + starts[row];
    if (startUs >= range.fromUs && startUs < range.toUs) orphans.offer(numbers[local[row]], startUs, index, row);
  }
}

/** 1 for each local trace without a root in the range; undefined when there is none. */
async function tracesWithoutRoot(roots: EarliestSpans, block: SpanBlock, numbers: Uint32Array, range: TimeRange): Promise<Uint8Array | undefined> {
  const { rootless } = await block.read(ROOTS);
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

/** 1 for each orphan that has a root after all, outside the range, or a span before the range. */
async function tracesFromElsewhere(orphans: EarliestSpans, { blocks, turn, traces, range }: RootSearch): Promise<Uint8Array> {
  const dropped = new Uint8Array(orphans.size);
  if (orphans.size === 0) return dropped;
  const wanted = new WantedTraces();
  for (let place = 0; place < orphans.size; place++) {
    if (place % TRACES_BETWEEN_LOOKS === 0) await turn.giveWay();
    wanted.add(traces.ids.words, orphans.numbers[place] * 4);
  }
  for (const block of blocks) {
    if (isInside(block.document, range)) continue;
    await turn.giveWay();
    await markFromElsewhere(dropped, block, wanted, range);
  }
  return dropped;
}

async function markFromElsewhere(dropped: Uint8Array, block: SpanBlock, orphans: WantedTraces, range: TimeRange): Promise<void> {
  const numbers = await tracesInBlock(block, orphans);
  if (numbers === undefined) return;
  const column = await block.read(TRACES);
  const starts = await block.read(STARTS);
  const { flags } = await block.read(LABELS);
  for (const row of rowsOfTraces(column, numbers)) {
    const isEarlier = block.document.minStartUs + starts[row] < range.fromUs;
    if (isEarlier || (flags[row] & ROOT_FLAG) !== 0) dropped[numbers[column.local[row]]] = 1;
  }
}

function joinFound(search: RootSearch, roots: EarliestSpans, orphans: EarliestSpans, dropped: Uint8Array): FoundTraces {
  const latestUs = new Float64Array(roots.size + orphans.size);
  latestUs.set(roots.startUs.subarray(0, roots.size));
  let count = roots.size;
  for (let orphan = 0; orphan < orphans.size; orphan++) {
    latestUs[roots.size + orphan] = dropped[orphan] === 1 ? -Infinity : orphans.startUs[orphan];
    count += 1 - dropped[orphan];
  }
  const candidates = (place: number): readonly number[] => (place < roots.size ? roots.candidates(place) : orphans.candidates(place - roots.size));
  return {
    size: latestUs.length,
    count,
    latestUs,
    startsOf: (places) => Promise.resolve(Float64Array.from(places, (place) => latestUs[place])),
    spansOf: async (places) => {
      const spans: SpanPlace[] = [];
      for (const place of places) spans.push(await earliest(search, candidates(place)));
      return spans;
    },
  };
}

async function earliest({ blocks, turn }: RootSearch, addresses: readonly number[]): Promise<SpanPlace> {
  let best = await spanPlace(blocks[blockAt(addresses[0])], rowAt(addresses[0]));
  for (const address of addresses) {
    await turn.giveWay();
    const span = await spanPlace(blocks[blockAt(address)], rowAt(address));
    if (byStart(span, best) < 0) best = span;
  }
  return best;
}
