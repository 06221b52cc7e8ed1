import { ROOT_FLAG } from '../../read-models/blocks/span-block.js';
import { LABELS, ROOTS, STARTS, TRACES } from '../../read-models/blocks/span-columns.js';
import type { TraceColumn } from '../../read-models/blocks/trace-column.js';
import type { SpanBlockDocument } from '../../read-models/spans.js';
import type { TimeRange } from '../answers.js';
import { EarliestSpans, packPlace, unpackPlace } from './root-traces.js';
import type { SpanBlock } from './span-conditions.js';
import { byStart, spanPlace, type SpanPlace } from './span-place.js';
import { rowsOfTraces, tracesInBlock } from './trace-assembly.js';
import type { FoundTraces } from './trace-page.js';

/**
 * Every trace with a root that starts in the range; and of the traces of which no root is known anywhere those whose
 * earliest span starts there. Those spans stand for the traces.
 */
export async function searchRoots(blocks: readonly SpanBlock[], range: TimeRange): Promise<FoundTraces> {
  const roots = new EarliestSpans();
  for (const [index, block] of blocks.entries()) if (overlaps(block.document, range)) await addRoots(roots, index, block, range);
  const orphans = new EarliestSpans();
  for (const [index, block] of blocks.entries()) if (overlaps(block.document, range)) await addOrphans(orphans, roots, index, block, range);
  const dropped = await tracesFromElsewhere(blocks, orphans, range);
  return joinFound(blocks, roots, orphans, dropped);
}

function overlaps({ minStartUs, maxStartUs }: SpanBlockDocument, { fromUs, toUs }: TimeRange): boolean {
  return minStartUs < toUs && maxStartUs >= fromUs;
}

function isInside({ minStartUs, maxStartUs }: SpanBlockDocument, { fromUs, toUs }: TimeRange): boolean {
  return minStartUs >= fromUs && maxStartUs < toUs;
}

async function addRoots(roots: EarliestSpans, index: number, block: SpanBlock, range: TimeRange): Promise<void> {
  const { rows } = await block.read(ROOTS);
  const { ids, local } = await block.read(TRACES);
  const starts = await block.read(STARTS);
  const baseUs = block.document.minStartUs;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i];
    const startUs = baseUs + starts[row];
    if (startUs >= range.fromUs && startUs < range.toUs) roots.offer(ids, local[row] * 4, startUs, packPlace(index, row));
  }
}

/** Offers the spans in the range of traces that have no root in it. */
async function addOrphans(orphans: EarliestSpans, roots: EarliestSpans, index: number, block: SpanBlock, range: TimeRange): Promise<void> {
  const column = await block.read(TRACES);
  const candidates = isInside(block.document, range) ? (await block.read(ROOTS)).rootless : everyTrace(column);
  if (candidates.length === 0) return;
  const isOrphan = new Uint8Array(column.ids.length / 4);
  let found = false;
  for (const trace of candidates) {
    if (roots.ids.find(column.ids, trace * 4) >= 0) continue;
    isOrphan[trace] = 1;
    found = true;
  }
  if (!found) return;
  const starts = await block.read(STARTS);
  const baseUs = block.document.minStartUs;
  for (let row = 0; row < column.local.length; row++) {
    if (isOrphan[column.local[row]] === 0) continue;
    const startUs = baseUs + starts[row];
    if (startUs >= range.fromUs && startUs < range.toUs) orphans.offer(column.ids, column.local[row] * 4, startUs, packPlace(index, row));
  }
}

function everyTrace({ ids }: TraceColumn): Uint16Array {
  return Uint16Array.from({ length: ids.length / 4 }, (_, trace) => trace);
}

/** 1 for each orphan that has a root after all, outside the range, or a span before the range. */
async function tracesFromElsewhere(blocks: readonly SpanBlock[], orphans: EarliestSpans, range: TimeRange): Promise<Uint8Array> {
  const dropped = new Uint8Array(orphans.size);
  if (orphans.size === 0) return dropped;
  for (const block of blocks) if (!isInside(block.document, range)) await markFromElsewhere(dropped, block, orphans, range);
  return dropped;
}

async function markFromElsewhere(dropped: Uint8Array, block: SpanBlock, orphans: EarliestSpans, range: TimeRange): Promise<void> {
  const numbers = await tracesInBlock(block, orphans.ids);
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
  const placesOf = (number: number): number[] => (number < roots.size ? roots.placesOf(number) : orphans.placesOf(number - roots.size));
  return { size: latestUs.length, count, latestUs, resolve: (numbers) => Promise.all(Array.from(numbers, (number) => earliest(blocks, placesOf(number)))) };
}

async function earliest(blocks: readonly SpanBlock[], places: readonly number[]): Promise<SpanPlace> {
  const spans = await Promise.all(
    places.map((place) => {
      const { block, row } = unpackPlace(place);
      return spanPlace(blocks[block], row);
    }),
  );
  return spans.reduce((best, span) => (byStart(span, best) < 0 ? span : best));
}
