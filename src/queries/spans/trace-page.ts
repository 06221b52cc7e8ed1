import { largest } from './newest.js';
import { byStartDescending, type SpanPlace } from './span-place.js';

/** Traces that a search found, each at a place of its own; which span stands for one is settled only where it can be on the page. */
export interface FoundTraces {
  /** How many places there are, and how many of them count. */
  readonly size: number;
  readonly count: number;
  /** For each place the latest µs at which its span can start; −Infinity for those that do not count. */
  readonly latestUs: Float64Array;
  /** The spans that stand for these traces. */
  resolve(places: Uint32Array): Promise<SpanPlace[]>;
}

/** Traces looked at beyond the page before it is known how many that takes. */
const MARGIN = 32;

/**
 * Spans `skip` to `skip + size` of all that stand for a trace, newest first. Traces are settled in the order of their
 * latest possible start, until none of the others can come before the end of the page.
 */
export async function pageOf(found: FoundTraces, skip: number, size: number): Promise<SpanPlace[]> {
  if (skip >= found.count) return [];
  const wanted = Math.min(skip + size, found.count);
  const settled: SpanPlace[] = [];
  for (let take = wanted + MARGIN; ; take *= 2) {
    const places = largest(found.latestUs, found.size, Math.min(take, found.count));
    settled.push(...(await found.resolve(places.subarray(settled.length))));
    settled.sort(byStartDescending);
    const othersUs = found.latestUs[places[places.length - 1]];
    if (settled.length === found.count || settled[wanted - 1].startUs > othersUs) return settled.slice(skip, wanted);
  }
}
