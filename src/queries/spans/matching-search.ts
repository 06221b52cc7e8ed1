import type { TraceTable } from '../../read-models/blocks/id-tables.js';
import { STARTS, TRACES } from '../../read-models/blocks/span-columns.js';
import { RowFilter } from '../row-filter.js';
import { MatchedTraces } from './matched-traces.js';
import { nearestRoot } from './nearest-root.js';
import { matchingRows, type SpanBlock, type SpanConditions } from './span-conditions.js';
import { spanPlace, type SpanPlace } from './span-place.js';
import { spansOfTraces, WantedTraces } from './trace-assembly.js';
import type { TraceNumbers } from './trace-numbers.js';
import type { FoundTraces } from './trace-page.js';

/** Every trace with a span that meets all conditions; the span nearest the root that does stands for it. */
export async function searchMatching(blocks: readonly SpanBlock[], numbers: TraceNumbers, conditions: SpanConditions): Promise<FoundTraces> {
  const traces = new MatchedTraces();
  const matches = new Map<SpanBlock, Uint16Array>();
  const filter = new RowFilter();
  for (const [index, block] of blocks.entries()) {
    const rows = await matchingRows(block, conditions, filter);
    if (rows === undefined) continue;
    matches.set(block, rows);
    const { local } = await block.read(TRACES);
    traces.add(index, rows, local, await numbers.of(block), await block.read(STARTS), block.document.minStartUs);
  }
  return {
    size: traces.size,
    count: traces.size,
    latestUs: traces.newestUs,
    resolve: (places) => settle(blocks, { traces, matches, ids: numbers.ids }, places),
  };
}

interface Matches {
  readonly traces: MatchedTraces;
  /** Rows that matched. */
  readonly matches: ReadonlyMap<SpanBlock, Uint16Array>;
  readonly ids: TraceTable;
}

/** Where one span matched, it is that one. Where several did, the whole trace is needed to tell which is nearest the root. */
async function settle(blocks: readonly SpanBlock[], { traces, matches, ids }: Matches, places: Uint32Array): Promise<SpanPlace[]> {
  const settled: SpanPlace[] = [];
  const open = new WantedTraces();
  for (const place of places) {
    if (traces.hits[place] > 1) open.add(ids.words, traces.numbers[place] * 4);
    else settled.push(await spanPlace(blocks[traces.blocks[place]], traces.rows[place]));
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
