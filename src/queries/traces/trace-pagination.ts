import { selectLargestIndexes, sortCooperatively, type TimeSlice } from '../scheduling/cooperative-scheduler.js';
import { compareByStartDescending, type SpanLocation } from './span-location.js';

/**
 * The traces that a search found, by index. The representative span of a trace is only resolved if the trace can be
 * on the requested page.
 */
export interface TraceSearchResult {
  /** Number of indices, and how many of them are results. */
  readonly size: number;
  readonly count: number;
  /** For each index the latest possible start (µs) of the representative; −Infinity if it is not a result. */
  readonly latestUs: Float64Array;
  /** Resolves the representatives of these traces and returns their starts in µs. */
  resolveStarts(places: Uint32Array): Promise<Float64Array>;
  /** The representatives themselves; only after `resolveStarts`. */
  resolveSpans(places: Uint32Array): Promise<SpanLocation[]>;
}

/** Traces resolved beyond the page in the first step. */
const LOOKAHEAD = 32;
/** Spans sorted per batch. */
const SORT_BATCH = 4_096;

/**
 * Representatives `skip` to `skip + size`, newest first. Traces are resolved in order of their latest possible start,
 * until none of the rest can precede the end of the page. Spans before the page are only counted, so that the number
 * of spans read does not grow with the depth of the page.
 */
export async function selectTracePage(
  result: TraceSearchResult,
  skip: number,
  size: number,
  timeSlice: TimeSlice,
): Promise<SpanLocation[]> {
  if (skip >= result.count) return [];
  const wanted = Math.min(skip + size, result.count);
  for (let take = wanted + LOOKAHEAD; ; take *= 2) {
    const places = await selectLargestIndexes(result.latestUs, result.size, Math.min(take, result.count), timeSlice);
    const startsUs = await result.resolveStarts(places);
    const order = await selectLargestIndexes(startsUs, startsUs.length, wanted, timeSlice);
    const [fromUs, toUs] = [startsUs[order[wanted - 1]], startsUs[order[skip]]];
    if (places.length < result.count && fromUs <= result.latestUs[places[places.length - 1]]) continue;
    const newer = startsUs.reduce((count, startUs) => (startUs > toUs ? count + 1 : count), 0);
    const within = places.filter((_, index) => startsUs[index] >= fromUs && startsUs[index] <= toUs);
    return (await selectNewestSpans(result, within, wanted - newer, timeSlice)).slice(skip - newer);
  }
}

/** The newest `count` representatives of these traces, newest first. Holds only that many at a time. */
async function selectNewestSpans(
  result: TraceSearchResult,
  places: Uint32Array,
  count: number,
  timeSlice: TimeSlice,
): Promise<SpanLocation[]> {
  const batch = Math.max(SORT_BATCH, count);
  let newest: SpanLocation[] = [];
  for (let from = 0; from < places.length; from += batch) {
    const more = await result.resolveSpans(places.subarray(from, from + batch));
    newest = (await sortCooperatively([...newest, ...more], compareByStartDescending, timeSlice)).slice(0, count);
  }
  return newest;
}
