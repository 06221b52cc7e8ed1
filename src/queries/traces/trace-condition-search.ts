import { RowFilter } from '../telemetry/row-filter.js';
import { findSpanNearestRoot } from './nearest-root-span.js';
import { packAddress, type SpanLocation } from './span-location.js';
import { findMatchingRows, type SpanBlock, type SpanConditions } from './span-conditions.js';
import type { TraceSearchSnapshot } from '../telemetry/block-snapshots.js';
import { findSpanAddresses, locateSpans, TraceIdSet } from './trace-assembly.js';
import type { TraceSearchResult } from './trace-pagination.js';
import { readTraceColumns, type TraceColumns } from './trace-id-dictionary.js';

/** Traces that are put together at once. */
const RESOLUTION_BATCH = 1_024;

/** Every trace with a span that meets all conditions; the span nearest the root that does stands for it. */
export async function searchTracesByConditions(
  search: TraceSearchSnapshot,
  conditions: SpanConditions,
): Promise<TraceSearchResult> {
  const traces = new MatchedTraceTable();
  const rowsOf = new Map<SpanBlock, Uint16Array>();
  const filter = new RowFilter();
  for (const [index, block] of search.blocks.entries()) {
    await search.turn.yieldIfDue();
    const rows = await findMatchingRows(block, conditions, filter, search.turn);
    if (rows === undefined) continue;
    rowsOf.set(block, rows);
    traces.add(rows, await readTraceColumns(index, block, search.traces));
  }
  return new MatchingTracesResult(search, traces, rowsOf);
}

/** The span that stands for a trace. */
interface RepresentativeSpan {
  readonly startUs: number;
  readonly address: number;
}

/**
 * Where one span of a trace matched, it is that one which stands for it. Where several did, the whole trace is needed
 * to tell which is nearest the root.
 */
class MatchingTracesResult implements TraceSearchResult {
  readonly size: number;
  readonly count: number;
  readonly latestUs: Float64Array;
  /** By place, those of which several spans matched. */
  private readonly settled = new Map<number, RepresentativeSpan>();

  constructor(
    private readonly search: TraceSearchSnapshot,
    private readonly traces: MatchedTraceTable,
    private readonly rowsOf: ReadonlyMap<SpanBlock, Uint16Array>,
  ) {
    this.size = traces.size;
    this.count = traces.size;
    this.latestUs = traces.newestUs;
  }

  async resolveStarts(places: Uint32Array): Promise<Float64Array> {
    const open = places.filter((place) => this.traces.hits[place] > 1 && !this.settled.has(place));
    for (let from = 0; from < open.length; from += RESOLUTION_BATCH)
      await this.resolveRepresentatives(open.subarray(from, from + RESOLUTION_BATCH));
    return Float64Array.from(places, (place) => this.settled.get(place)?.startUs ?? this.latestUs[place]);
  }

  resolveSpans(places: Uint32Array): Promise<SpanLocation[]> {
    const { blocks, rows } = this.traces;
    return locateSpans(
      this.search,
      Array.from(places, (place) => this.settled.get(place)?.address ?? packAddress(blocks[place], rows[place])),
    );
  }

  /** One trace after the other: each may have any number of spans. */
  private async resolveRepresentatives(places: Uint32Array): Promise<void> {
    const wanted = new TraceIdSet();
    for (const place of places) wanted.add(this.search.traces.ids.words, this.traces.numbers[place] * 4);
    const addresses = await findSpanAddresses(this.search, wanted);
    for (const [index, place] of places.entries()) this.settled.set(place, await this.nearestRoot(addresses[index]));
  }

  private async nearestRoot(addresses: readonly number[]): Promise<RepresentativeSpan> {
    const spans = await locateSpans(this.search, addresses);
    const nearest = await findSpanNearestRoot(
      spans,
      ({ block, row }) => contains(this.rowsOf.get(block), row),
      this.search.turn,
    );
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

const INITIAL_CAPACITY = 1024;

/**
 * The distinct traces of which a span matched, in the order in which they were found. Traces come by number
 * (see TraceNumbers). Typed arrays throughout: a search may find a million.
 */
class MatchedTraceTable {
  size = 0;
  /** Number of each. */
  numbers = new Uint32Array(INITIAL_CAPACITY);
  /** Start of the newest span that matched, µs. */
  newestUs = new Float64Array(INITIAL_CAPACITY);
  /** How many spans matched. */
  hits = new Uint32Array(INITIAL_CAPACITY);
  /** Block and row of the first span that matched. */
  blocks = new Uint32Array(INITIAL_CAPACITY);
  rows = new Uint16Array(INITIAL_CAPACITY);
  /** By trace number: its place here plus one, 0 while it was not found. */
  private places = new Uint32Array(INITIAL_CAPACITY);

  /** Takes in the rows of one block that match. */
  add(rows: Uint16Array, { block, local, numbers, starts, baseUs }: TraceColumns): void {
    this.reserve(numbers);
    const { places, hits, newestUs } = this;
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i];
      const number = numbers[local[row]];
      if (places[number] === 0) this.addTrace(number, block, row);
      const place = places[number] - 1;
      hits[place]++;
      const startUs = baseUs + starts[row];
      if (startUs > newestUs[place]) newestUs[place] = startUs;
    }
  }

  private addTrace(number: number, block: number, row: number): void {
    const place = this.size++;
    this.places[number] = place + 1;
    this.numbers[place] = number;
    this.newestUs[place] = -Infinity;
    this.blocks[place] = block;
    this.rows[place] = row;
  }

  /** Makes room for every trace of a block, so that the arrays stay in place while its rows are taken in. */
  private reserve(numbers: Uint32Array): void {
    let largest = 0;
    for (let i = 0; i < numbers.length; i++) if (numbers[i] > largest) largest = numbers[i];
    if (largest >= this.places.length)
      this.places = copyInto(this.places, new Uint32Array(Math.max(largest + 1, this.places.length * 2)));
    const wanted = this.size + numbers.length;
    if (wanted <= this.hits.length) return;
    const length = Math.max(wanted, this.hits.length * 2);
    this.numbers = copyInto(this.numbers, new Uint32Array(length));
    this.newestUs = copyInto(this.newestUs, new Float64Array(length));
    this.hits = copyInto(this.hits, new Uint32Array(length));
    this.blocks = copyInto(this.blocks, new Uint32Array(length));
    this.rows = copyInto(this.rows, new Uint16Array(length));
  }
}

function copyInto<A extends Float64Array | Uint32Array | Uint16Array>(from: A, into: A): A {
  into.set(from);
  return into;
}
