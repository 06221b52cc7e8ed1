import { withBlameMoved, withLoadBlamed } from './blame.js';
import { candidatesOf, strengthOf, type Candidate } from './candidates.js';
import type { Series } from './series.js';
import { turnOf } from './course.js';
import { extremesIn } from './extremes.js';
import type { Split } from './statistics.js';
import { strongestOf } from './telling.js';

/** A candidate at the onset that speaks most clearly against it, with its strength once blame has moved. */
export interface Suspect {
  readonly candidate: Candidate;
  readonly split: Split;
  readonly strength: number;
}

/** Of its strength, what a suspect must keep at the stretch in which its strongest course turns. */
const LEAST_LEFT = 0.5;

/** Onsets to try: of longer windows not every stretch. The turn of the course makes up for it. */
const MOST_SPLITS = 60;

export interface Scan {
  /** The strongest first. */
  readonly suspects: readonly Suspect[];
  /** The same suspect as of the stretch in which the figure turned that speaks most against it. */
  readonly sharpened: (suspect: Suspect) => Suspect;
}

/**
 * Looks for the onset by trying each: the stretch from which on a candidate shows most is that candidate's (an offline
 * search for one change point, with the evidence itself for the cost; Truong, Oudre and Vayatis 2020). What lies before,
 * in the window or its baseline, is what it is compared with. The last stretch before the window is tried, too: people
 * and clocks tell the start of a fault up to a minute late.
 */
export function scanOf(series: Series): Scan {
  const { starts, windowStart } = series.timeline;
  const first = Math.max(1, windowStart - 1);
  const candidatesAt = candidatesOf(series, { first, extremes: extremesIn(windowStart) });
  const best = new Map<string, Suspect>();
  const step = Math.ceil((starts.length - first) / MOST_SPLITS);
  for (let at = first; at < starts.length; at += step) {
    for (const suspect of suspectsAt(at)) if (suspect.strength > (best.get(suspect.candidate.culprit)?.strength ?? 0)) best.set(suspect.candidate.culprit, suspect);
  }
  return { suspects: ranked(best, series), sharpened };

  function suspectsAt(at: number): Suspect[] {
    const split = { past: at, at, to: starts.length };
    return candidatesAt(split).map((candidate) => ({ candidate, split, strength: strengthOf(candidate) }));
  }

  function sharpened(suspect: Suspect): Suspect {
    const course = strongestOf(suspect.candidate.findings)?.course;
    const at = course === undefined ? suspect.split.at : turnOf(course, first, starts.length);
    const sharper = suspectsAt(at).find(({ candidate }) => candidate.culprit === suspect.candidate.culprit);
    const isAsStrong = sharper !== undefined && sharper.strength >= LEAST_LEFT * suspect.strength;
    return isAsStrong ? { ...sharper, candidate: { ...sharper.candidate, traffic: suspect.candidate.traffic } } : suspect;
  }
}

function ranked(best: ReadonlyMap<string, Suspect>, { edges }: Series): Suspect[] {
  const moved = withBlameMoved(withLoadBlamed([...best.values()].map(({ candidate }) => candidate), edges), edges);
  return moved.map((candidate) => ({ candidate, split: best.get(candidate.culprit)!.split, strength: strengthOf(candidate) })).sort((a, b) => b.strength - a.strength);
}
