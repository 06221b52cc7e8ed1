import { RowFilter } from '../row-filter.js';
import { MatchedTraces } from './matched-traces.js';
import { nearestRoot } from './nearest-root.js';
import { addressOf } from './span-address.js';
import { matchingRows, type SpanBlock, type SpanConditions } from './span-conditions.js';
import type { SpanPlace } from './span-place.js';
import type { SpanSearch } from './span-search.js';
import { addressesOfTraces, spansAt, WantedTraces } from './trace-assembly.js';
import type { FoundTraces } from './trace-page.js';
import { traceRows } from './trace-rows.js';

/** Traces that are put together at once. */
const BATCH = 1_024;

/** Every trace with a span that meets all conditions; the span nearest the root that does stands for it. */
export async function searchMatching(search: SpanSearch, conditions: SpanConditions): Promise<FoundTraces> {
  const traces = new MatchedTraces();
  const rowsOf = new Map<SpanBlock, Uint16Array>();
  const filter = new RowFilter();
  for (const [index, block] of search.blocks.entries()) {
    await search.turn.giveWay();
    const rows = await matchingRows(block, conditions, filter, search.turn);
    if (rows === undefined) continue;
    rowsOf.set(block, rows);
    traces.add(rows, await traceRows(index, block, search.traces));
  }
  return new MatchingTraces(search, traces, rowsOf);
}

/** The span that stands for a trace. */
interface Settled {
  readonly startUs: number;
  readonly address: number;
}

/**
 * Where one span of a trace matched, it is that one which stands for it. Where several did, the whole trace is needed
 * to tell which is nearest the root.
 */
class MatchingTraces implements FoundTraces {
  readonly size: number;
  readonly count: number;
  readonly latestUs: Float64Array;
  /** By place, those of which several spans matched. */
  private readonly settled = new Map<number, Settled>();

  constructor(
    private readonly search: SpanSearch,
    private readonly traces: MatchedTraces,
    private readonly rowsOf: ReadonlyMap<SpanBlock, Uint16Array>,
  ) {
    this.size = traces.size;
    this.count = traces.size;
    this.latestUs = traces.newestUs;
  }

  async startsOf(places: Uint32Array): Promise<Float64Array> {
    const open = places.filter((place) => this.traces.hits[place] > 1 && !this.settled.has(place));
    for (let from = 0; from < open.length; from += BATCH) await this.settle(open.subarray(from, from + BATCH));
    return Float64Array.from(places, (place) => this.settled.get(place)?.startUs ?? this.latestUs[place]);
  }

  spansOf(places: Uint32Array): Promise<SpanPlace[]> {
    const { blocks, rows } = this.traces;
    return spansAt(this.search, Array.from(places, (place) => this.settled.get(place)?.address ?? addressOf(blocks[place], rows[place])));
  }

  /** One trace after the other: each may have any number of spans. */
  private async settle(places: Uint32Array): Promise<void> {
    const wanted = new WantedTraces();
    for (const place of places) wanted.add(this.search.traces.ids.words, this.traces.numbers[place] * 4);
    const addresses = await addressesOfTraces(this.search, wanted);
    for (const [index, place] of places.entries()) this.settled.set(place, await this.nearestRoot(addresses[index]));
  }

  private async nearestRoot(addresses: readonly number[]): Promise<Settled> {
    const spans = await spansAt(this.search, addresses);
    const nearest = await nearestRoot(spans, ({ block, row }) => contains(this.rowsOf.get(block), row), this.search.turn);
    return { startUs: nearest.startUs, address: addresses[spans.indexOf(nearest)] };
  }
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
