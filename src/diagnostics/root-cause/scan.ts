import { withBlameMoved, withLoadBlamed } from './blame.js';
import { candidatesAt, strengthOf, type Candidate } from './candidates.js';
import type { Series } from './series.js';
import { extremesIn } from './extremes.js';
import type { Split } from './statistics.js';

/** A candidate at the onset that speaks most clearly against it, with its strength once blame has moved. */
export interface Suspect {
  readonly candidate: Candidate;
  readonly split: Split;
  readonly strength: number;
}

/**
 * Looks for the onset by trying each: the stretch from which on a candidate shows most is that candidate's (an offline
 * search for one change point, with the evidence itself for the cost; Truong, Oudre and Vayatis 2020). What lies before,
 * in the window or its baseline, is what it is compared with. The last stretch before the window is tried, too: people
 * and clocks tell the start of a fault up to a minute late.
 */
export function suspectsOf(series: Series): Suspect[] {
  const { starts, windowStart } = series.timeline;
  const extremes = extremesIn(windowStart);
  const best = new Map<string, Suspect>();
  for (let at = Math.max(1, windowStart - 1); at < starts.length; at++) {
    const split = { past: at, at, to: starts.length };
    for (const candidate of candidatesAt(series, split, extremes)) {
      const strength = strengthOf(candidate);
      if (strength > (best.get(candidate.culprit)?.strength ?? 0)) best.set(candidate.culprit, { candidate, split, strength });
    }
  }
  const moved = withBlameMoved(withLoadBlamed([...best.values()].map(({ candidate }) => candidate), series.edges), series.edges);
  return moved.map((candidate) => ({ candidate, split: best.get(candidate.culprit)!.split, strength: strengthOf(candidate) })).sort((a, b) => b.strength - a.strength);
}
