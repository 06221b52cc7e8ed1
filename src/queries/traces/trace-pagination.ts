import type { TimeSlice } from '../scheduling/cooperative-scheduler.js';
import { selectLargestIndexes, sortCooperatively } from '../scheduling/cooperative-sorting.js';
import { compareByStartDescending, type SpanLocation } from './span-location.js';

/** Traces that a search found, each at a place of its own; which span stands for one is settled only where it can be on the page. */
export interface TraceSearchResult {
  /** How many places there are, and how many of them count. */
  readonly size: number;
  readonly count: number;
  /** For each place the latest µs at which its span can start; −Infinity for those that do not count. */
  readonly latestUs: Float64Array;
  /** Settles which spans stand for these traces: the µs at which they do start. */
  resolveStarts(places: Uint32Array): Promise<Float64Array>;
  /** Those spans, once they are settled. */
  resolveSpans(places: Uint32Array): Promise<SpanLocation[]>;
}

/** Traces looked at beyond the page before it is known how many that takes. */
const LOOKAHEAD = 32;
/** Spans of equal starts that are put in order at once. */
const SORT_BATCH = 4_096;

/**
 * Spans `skip` to `skip + size` of all that stand for a trace, newest first. Traces are settled in the order of their
 * latest possible start, until none of the others can come before the end of the page. What comes before the page is
 * only counted: however deep it lies, no more spans are looked up than start within it.
 */
export async function selectTracePage(
  found: TraceSearchResult,
  skip: number,
  size: number,
  turn: TimeSlice,
): Promise<SpanLocation[]> {
  if (skip >= found.count) return [];
  const wanted = Math.min(skip + size, found.count);
  for (let take = wanted + LOOKAHEAD; ; take *= 2) {
    const places = await selectLargestIndexes(found.latestUs, found.size, Math.min(take, found.count), turn);
    const startsUs = await found.resolveStarts(places);
    const order = await selectLargestIndexes(startsUs, startsUs.length, wanted, turn);
    const [fromUs, toUs] = [startsUs[order[wanted - 1]], startsUs[order[skip]]];
    if (places.length < found.count && fromUs <= found.latestUs[places[places.length - 1]]) continue;
    const newer = startsUs.reduce((count, startUs) => (startUs > toUs ? count + 1 : count), 0);
    const within = places.filter((_, index) => startsUs[index] >= fromUs && startsUs[index] <= toUs);
    return (await selectNewestSpans(found, within, wanted - newer, turn)).slice(skip - newer);
  }
}

/** The newest `count` of the spans that stand for these traces, newest first. Only so many are kept at a time. */
async function selectNewestSpans(
  found: TraceSearchResult,
  places: Uint32Array,
  count: number,
  turn: TimeSlice,
): Promise<SpanLocation[]> {
  const batch = Math.max(SORT_BATCH, count);
  let newest: SpanLocation[] = [];
  for (let from = 0; from < places.length; from += batch) {
    const more = await found.resolveSpans(places.subarray(from, from + batch));
    newest = (await sortCooperatively([...newest, ...more], compareByStartDescending, turn)).slice(0, count);
  }
  return newest;
}
