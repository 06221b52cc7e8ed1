import { TraceTable } from '../../read-models/blocks/id-tables.js';
import { STARTS, TRACES } from '../../read-models/blocks/span-columns.js';
import { RowFilter } from '../row-filter.js';
import { MatchedTraces } from './matched-traces.js';
import { nearestRoot } from './nearest-root.js';
import { matchingRows, type SpanBlock, type SpanConditions } from './span-conditions.js';
import { spanPlace, type SpanPlace } from './span-place.js';
import { spansOfTraces } from './trace-assembly.js';
import type { FoundTraces } from './trace-page.js';

/** Every trace with a span that meets all conditions; the span nearest the root that does stands for it. */
export async function searchMatching(blocks: readonly SpanBlock[], conditions: SpanConditions): Promise<FoundTraces> {
  const traces = new MatchedTraces();
  const matches = new Map<SpanBlock, Uint16Array>();
  const filter = new RowFilter();
  for (const [index, block] of blocks.entries()) {
    const rows = await matchingRows(block, conditions, filter);
    if (rows === undefined) continue;
    matches.set(block, rows);
    traces.add(index, rows, await block.read(TRACES), await block.read(STARTS), block.document.minStartUs);
  }
  return {
    size: traces.size,
    count: traces.size,
    latestUs: traces.newestUs,
    resolve: (numbers) => resolve(blocks, traces, matches, numbers),
  };
}

/** Where one span matched, it is that one. Where several did, the whole trace is needed to tell which is nearest the root. */
async function resolve(blocks: readonly SpanBlock[], traces: MatchedTraces, matches: ReadonlyMap<SpanBlock, Uint16Array>, numbers: Uint32Array): Promise<SpanPlace[]> {
  const settled: SpanPlace[] = [];
  const open = new TraceTable();
  for (const number of numbers) {
    if (traces.hits[number] > 1) open.add(traces.ids.words, number * 4);
    else settled.push(await spanPlace(blocks[traces.blocks[number]], traces.rows[number]));
  }
  if (open.size === 0) return settled;
  const isMatch = ({ block, row }: SpanPlace): boolean => contains(matches.get(block), row);
  for (const spans of await spansOfTraces(blocks, open)) settled.push(nearestRoot(spans, isMatch));
  return settled;
}

/** Whether the ascending rows hold this one. */
function contains(rows: Uint16Array | undefined, row: number): boolean {
  if (rows === undefined) return false;
  let from = 0;
  let to = rows.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (rows[middle] < row) from = middle + 1;
    else to = middle;
  }
  return rows[from] === row;
}
