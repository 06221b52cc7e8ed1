import { RowFilter } from '../telemetry/row-filter.js';
import { findSpanNearestRoot } from './nearest-root-span.js';
import { packAddress, type SpanLocation } from './span-location.js';
import { findMatchingRows, type SpanBlock, type SpanConditions } from './span-conditions.js';
import type { TraceSearchSnapshot } from '../telemetry/block-snapshots.js';
import { findSpanAddresses, locateSpans, TraceIdSet } from './trace-assembly.js';
import type { TraceSearchResult } from './trace-pagination.js';
import { readTraceColumns, type TraceColumns } from './trace-id-dictionary.js';

/** Traces that are resolved together. */
const RESOLUTION_BATCH = 1_024;

/** Every trace with a span that meets all conditions; its representative is the matching span nearest to the root. */
export async function searchTracesByConditions(
  search: TraceSearchSnapshot,
  conditions: SpanConditions,
): Promise<TraceSearchResult> {
  const traces = new MatchedTraceTable();
  const rowsOf = new Map<SpanBlock, Uint16Array>();
  const filter = new RowFilter();
  for (const [index, block] of search.blocks.entries()) {
    await search.timeSlice.yieldIfDue();
    const rows = await findMatchingRows(block, conditions, filter, search.timeSlice);
    if (rows === undefined) continue;
    rowsOf.set(block, rows);
    traces.add(rows, await readTraceColumns(index, block, search.traces));
  }
  return new MatchingTracesResult(search, traces, rowsOf);
}

/** The span that represents a trace in results. */
interface RepresentativeSpan {
  readonly startUs: number;
  readonly address: number;
}

/**
 * If one span of a trace matched, it is the representative. If several did, the whole trace is needed to determine
 * which is nearest to the root.
 */
class MatchingTracesResult implements TraceSearchResult {
  readonly size: number;
  readonly count: number;
  readonly latestUs: Float64Array;
  /** Resolved traces with several matching spans, by index. */
  private readonly resolved = new Map<number, RepresentativeSpan>();

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
    const unresolved = places.filter((place) => this.traces.hits[place] > 1 && !this.resolved.has(place));
    for (let from = 0; from < unresolved.length; from += RESOLUTION_BATCH)
      await this.resolveRepresentatives(unresolved.subarray(from, from + RESOLUTION_BATCH));
    return Float64Array.from(places, (place) => this.resolved.get(place)?.startUs ?? this.latestUs[place]);
  }

  resolveSpans(places: Uint32Array): Promise<SpanLocation[]> {
    const { blocks, rows } = this.traces;
    return locateSpans(
      this.search,
      Array.from(places, (place) => this.resolved.get(place)?.address ?? packAddress(blocks[place], rows[place])),
    );
  }

  /** One trace at a time: each may have any number of spans. */
  private async resolveRepresentatives(places: Uint32Array): Promise<void> {
    const wanted = new TraceIdSet();
    for (const place of places) wanted.add(this.search.traces.ids.words, this.traces.numbers[place] * 4);
    const addresses = await findSpanAddresses(this.search, wanted);
    for (const [index, place] of places.entries()) this.resolved.set(place, await this.nearestRoot(addresses[index]));
  }

  private async nearestRoot(addresses: readonly number[]): Promise<RepresentativeSpan> {
    const spans = await locateSpans(this.search, addresses);
    const nearest = await findSpanNearestRoot(
      spans,
      ({ block, row }) => contains(this.rowsOf.get(block), row),
      this.search.timeSlice,
    );
    return { startUs: nearest.startUs, address: addresses[spans.indexOf(nearest)] };
  }
}

/** Binary search in ascending rows. */
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
 * Distinct traces with matching spans, by dictionary number (see TraceIdDictionary), in order of insertion. Uses
 * typed arrays, because a search may match a million traces.
 */
class MatchedTraceTable {
  size = 0;
  /** Dictionary number of each trace. */
  numbers = new Uint32Array(INITIAL_CAPACITY);
  /** Start of the newest matching span, µs. */
  newestUs = new Float64Array(INITIAL_CAPACITY);
  /** Number of matching spans. */
  hits = new Uint32Array(INITIAL_CAPACITY);
  /** Block and row of the first matching span. */
  blocks = new Uint32Array(INITIAL_CAPACITY);
  rows = new Uint16Array(INITIAL_CAPACITY);
  /** By trace number: index of the trace in this table plus one, 0 if absent. */
  private places = new Uint32Array(INITIAL_CAPACITY);

  /** Adds the matching rows of one block. */
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

  /** Reserves space for every trace of a block, so that the arrays are not reallocated while its rows are added. */
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
