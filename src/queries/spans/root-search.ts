import { ROOT_FLAG } from '../../read-models/blocks/span-block.js';
import { LABELS, ROOTS, STARTS, TRACES } from '../../read-models/blocks/span-columns.js';
import type { SpanBlockDocument } from '../../read-models/spans.js';
import type { TimeRange } from '../answers.js';
import { EarliestSpans, type BlockRow } from './earliest-spans.js';
import type { SpanBlock } from './span-conditions.js';
import { byStart, spanPlace, type SpanPlace } from './span-place.js';
import { rowsOfTraces, tracesInBlock, WantedTraces } from './trace-assembly.js';
import type { TraceNumbers } from './trace-numbers.js';
import type { FoundTraces } from './trace-page.js';

/**
 * Every trace with a root that starts in the range; and of the traces of which no root is known anywhere those whose
 * earliest span starts there. Those spans stand for the traces.
 */
export async function searchRoots(blocks: readonly SpanBlock[], numbers: TraceNumbers, range: TimeRange): Promise<FoundTraces> {
  const roots = new EarliestSpans();
  for (const [index, block] of blocks.entries()) if (overlaps(block.document, range)) await addRoots(roots, index, block, numbers, range);
  const orphans = new EarliestSpans();
  for (const [index, block] of blocks.entries()) if (overlaps(block.document, range)) await addOrphans(orphans, roots, index, block, numbers, range);
  const dropped = await tracesFromElsewhere(blocks, orphans, numbers, range);
  return joinFound(blocks, roots, orphans, dropped);
}

function overlaps({ minStartUs, maxStartUs }: SpanBlockDocument, { fromUs, toUs }: TimeRange): boolean {
  return minStartUs < toUs && maxStartUs >= fromUs;
}

function isInside({ minStartUs, maxStartUs }: SpanBlockDocument, { fromUs, toUs }: TimeRange): boolean {
  return minStartUs >= fromUs && maxStartUs < toUs;
}

async function addRoots(roots: EarliestSpans, index: number, block: SpanBlock, numbers: TraceNumbers, range: TimeRange): Promise<void> {
  const { rows } = await block.read(ROOTS);
  const { local } = await block.read(TRACES);
  const numberOf = await numbers.of(block);
  const starts = await block.read(STARTS);
  const baseUs = block.document.minStartUs;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i];
    const startUs = baseUs + starts[row];
    if (startUs >= range.fromUs && startUs < range.toUs) roots.offer(numberOf[local[row]], startUs, index, row);
  }
}

/** Offers the spans in the range of traces that have no root in it. */
async function addOrphans(orphans: EarliestSpans, roots: EarliestSpans, index: number, block: SpanBlock, numbers: TraceNumbers, range: TimeRange): Promise<void> {
  const { rootless } = await block.read(ROOTS);
  const numberOf = await numbers.of(block);
  const isOrphan = new Uint8Array(numberOf.length);
  let found = false;
  const consider = (trace: number): void => {
    if (roots.has(numberOf[trace])) return;
    isOrphan[trace] = 1;
    found = true;
  };
  if (isInside(block.document, range)) rootless.forEach(consider);
  else for (let trace = 0; trace < numberOf.length; trace++) consider(trace);
  if (!found) return;
  const { local } = await block.read(TRACES);
  const starts = await block.read(STARTS);
  const baseUs = block.document.minStartUs;
  for (let row = 0; row < local.length; row++) {
    if (isOrphan[local[row]] === 0) continue;
    const startUs = baseUs + starts[row];
    if (startUs >= range.fromUs && startUs < range.toUs) orphans.offer(numberOf[local[row]], startUs, index, row);
  }
}

/** 1 for each orphan that has a root after all, outside the range, or a span before the range. */
async function tracesFromElsewhere(blocks: readonly SpanBlock[], orphans: EarliestSpans, { ids }: TraceNumbers, range: TimeRange): Promise<Uint8Array> {
  const dropped = new Uint8Array(orphans.size);
  if (orphans.size === 0) return dropped;
  const wanted = new WantedTraces();
  for (let place = 0; place < orphans.size; place++) wanted.add(ids.words, orphans.numbers[place] * 4);
  for (const block of blocks) if (!isInside(block.document, range)) await markFromElsewhere(dropped, block, wanted, range);
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

function joinFound(blocks: readonly SpanBlock[], roots: EarliestSpans, orphans: EarliestSpans, dropped: Uint8Array): FoundTraces {
  const latestUs = new Float64Array(roots.size + orphans.size);
  latestUs.set(roots.startUs.subarray(0, roots.size));
  let count = roots.size;
  for (let orphan = 0; orphan < orphans.size; orphan++) {
    latestUs[roots.size + orphan] = dropped[orphan] === 1 ? -Infinity : orphans.startUs[orphan];
    count += 1 - dropped[orphan];
  }
  const candidates = (place: number): BlockRow[] => (place < roots.size ? roots.candidates(place) : orphans.candidates(place - roots.size));
  return { size: latestUs.length, count, latestUs, resolve: (places) => earliestOfEach(blocks, Array.from(places, candidates)) };
}

/** One after the other: at once, each would decode the columns of its block for itself, and a trace may bring very many. */
async function earliestOfEach(blocks: readonly SpanBlock[], traces: readonly (readonly BlockRow[])[]): Promise<SpanPlace[]> {
  const found: SpanPlace[] = [];
  for (const candidates of traces) found.push(await earliest(blocks, candidates));
  return found;
}

async function earliest(blocks: readonly SpanBlock[], [first, ...others]: readonly BlockRow[]): Promise<SpanPlace> {
  let best = await spanPlace(blocks[first.block], first.row);
  for (const { block, row } of others) {
    const span = await spanPlace(blocks[block], row);
    if (byStart(span, best) < 0) best = span;
  }
  return best;
}
