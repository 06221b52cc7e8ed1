import { withBlameMoved, withLoadBlamed } from './blame.js';
import { candidatesOf, strengthOf, type Candidate } from './candidates.js';
import type { Series } from './series.js';
import { turnOf } from './course.js';
import { extremesIn } from './extremes.js';
import { recoveryOf } from './recovery.js';
import type { Split } from './statistics.js';
import { strongestOf } from './telling.js';

/** A candidate at the onset that speaks most clearly against it, with its strength once blame has moved. */
export interface Suspect {
  readonly candidate: Candidate;
  readonly split: Split;
  readonly strength: number;
  /** Stretch from which on it is over; absent for what lasts to the end. */
  readonly over?: number;
}

/** Of its strength, what a suspect must keep at the stretch in which its strongest course turns. */
const LEAST_LEFT = 0.5;

/** Evidence weaker than this is what any quiet hour shows. */
export const LEAST_STRENGTH = 2.5;

/** Onsets to try: of longer windows not every stretch. The turn of the course makes up for it. */
const MOST_SPLITS = 60;

export interface Scan {
  /** Of what lasts to the end, and of what is over; the strongest first. */
  readonly lasting: readonly Suspect[];
  readonly over: readonly Suspect[];
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
  const tried: Suspect[] = [];
  const step = Math.ceil((starts.length - first) / MOST_SPLITS);
  for (let at = first; at < starts.length; at += step) tried.push(...suspectsAt(at, starts.length));
  return { ...partedByEnd(tried, series, candidatesAt), sharpened };

  function suspectsAt(at: number, to: number): Suspect[] {
    const split = { past: at, at, to };
    return candidatesAt(split).map((candidate) => ({ candidate, split, strength: strengthOf(candidate) }));
  }

  function sharpened(suspect: Suspect): Suspect {
    const { candidate: { culprit, findings, traffic }, over } = suspect;
    const course = strongestOf(findings)?.course;
    const to = over ?? starts.length;
    const at = course === undefined ? suspect.split.at : turnOf(course, first, to);
    const sharper = suspectsAt(at, to).find(({ candidate }) => candidate.culprit === culprit);
    const isAsStrong = sharper !== undefined && sharper.strength >= LEAST_LEFT * suspect.strength;
    return isAsStrong ? { ...sharper, candidate: { ...sharper.candidate, traffic }, over } : suspect;
  }
}

/**
 * What is over explains nothing that began later: who lasts is judged by all the window, beside all others, or by what came
 * after the last end, beside those that last, whichever speaks more clearly.
 */
function partedByEnd(tried: readonly Suspect[], series: Series, candidatesAt: (split: Split) => Candidate[]): Pick<Scan, 'lasting' | 'over'> {
  const candidatesOnceAt = remembered(candidatesAt);
  const suspects = strongestOfEach(tried).map(withEnd);
  const judged = ranked(suspects, series);
  const over = judged.filter(({ over }) => over !== undefined);
  if (over.length === 0) return { lasting: judged, over };
  const lastEnd = Math.max(...over.map((each) => each.over!));
  const isOver = new Set(over.map(({ candidate }) => candidate.culprit));
  const later = ranked(strongestOfEach(tried.filter(({ split }) => split.at >= lastEnd)).filter(({ candidate }) => !isOver.has(candidate.culprit)), series);
  return { lasting: byStrength(strongestOfEach([...judged.filter((each) => each.over === undefined), ...later])), over };

  function withEnd(suspect: Suspect): Suspect {
    return suspect.strength < LEAST_STRENGTH ? suspect : { ...suspect, over: recoveryOf(suspect.candidate, suspect.split, series.timeline, candidatesOnceAt) };
  }
}

/** Suspects mostly begin and end together. */
function remembered(candidatesAt: (split: Split) => Candidate[]): (split: Split) => Candidate[] {
  const known = new Map<string, Candidate[]>();
  return (split) => {
    const key = `${split.past} ${split.at} ${split.to}`;
    const candidates = known.get(key) ?? candidatesAt(split);
    known.set(key, candidates);
    return candidates;
  };
}

function strongestOfEach(suspects: readonly Suspect[]): Suspect[] {
  const best = new Map<string, Suspect>();
  for (const suspect of suspects) if (suspect.strength > (best.get(suspect.candidate.culprit)?.strength ?? 0)) best.set(suspect.candidate.culprit, suspect);
  return [...best.values()];
}

function ranked(suspects: readonly Suspect[], { edges }: Series): Suspect[] {
  const moved = withBlameMoved(withLoadBlamed(suspects.map(({ candidate }) => candidate), edges), edges);
  return byStrength(moved.map((candidate, i) => ({ ...suspects[i], candidate, strength: strengthOf(candidate) })));
}

function byStrength(suspects: readonly Suspect[]): Suspect[] {
  return [...suspects].sort((a, b) => b.strength - a.strength);
}
