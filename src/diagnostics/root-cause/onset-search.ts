import { attributeToCallees, attributeToLoad } from './cause-attribution.js';
import { type CauseCandidate, combineStrength, prepareCandidates } from './cause-candidates.js';
import type { SeriesTimeline, TelemetrySeries } from './telemetry-series.js';
import { findStepEnd, findStepStart } from './evidence-detector.js';
import { createExtremeCallCounter } from './extreme-calls.js';
import type { Split } from './robust-statistics.js';
import { findStrongestFinding } from './cause-description.js';

/** A candidate at the onset that speaks most clearly against it, with its strength once blame has moved. */
export interface RankedCandidate {
  readonly candidate: CauseCandidate;
  readonly split: Split;
  readonly strength: number;
  /** Stretch from which on it is over; absent for what lasts to the end. */
  readonly over?: number;
}

/** Of its strength, what a suspect must keep at the stretch in which its strongest course turns. */
const LEAST_LEFT = 0.5;

/** Evidence weaker than this is what any quiet hour shows. */
export const MIN_STRENGTH = 2.5;

/** Onsets to try: of longer windows not every stretch. The turn of the course makes up for it. */
const MOST_SPLITS = 60;

export interface OnsetSearch {
  /** Of what lasts to the end, and of what is over; the strongest first. */
  readonly lasting: readonly RankedCandidate[];
  readonly over: readonly RankedCandidate[];
  /** The same suspect as of the stretch in which the figure turned that speaks most against it. */
  readonly refineOnset: (suspect: RankedCandidate) => RankedCandidate;
}

/**
 * Looks for the onset by trying each: the stretch from which on a candidate shows most is that candidate's (an offline
 * search for one change point, with the evidence itself for the cost; Truong, Oudre and Vayatis 2020). What lies before,
 * in the window or its baseline, is what it is compared with. The last stretch before the window is tried, too: people
 * and clocks tell the start of a fault up to a minute late.
 */
export function searchOnsets(series: TelemetrySeries): OnsetSearch {
  const { starts, windowStart } = series.timeline;
  const first = Math.max(1, windowStart - 1);
  const candidatesAt = prepareCandidates(series, { first, extremes: createExtremeCallCounter(windowStart) });
  const tried: RankedCandidate[] = [];
  const step = Math.ceil((starts.length - first) / MOST_SPLITS);
  for (let at = first; at < starts.length; at += step) tried.push(...suspectsAt(at, starts.length));
  return { ...separateRecovered(tried, series, candidatesAt), refineOnset: sharpened };

  function suspectsAt(at: number, to: number): RankedCandidate[] {
    const split = { past: at, at, to };
    return candidatesAt(split).map((candidate) => ({ candidate, split, strength: combineStrength(candidate) }));
  }

  function sharpened(suspect: RankedCandidate): RankedCandidate {
    const {
      candidate: { culprit, findings, traffic },
      over,
    } = suspect;
    const course = findStrongestFinding(findings)?.course;
    const to = over ?? starts.length;
    const at = course === undefined ? suspect.split.at : findStepStart(course, first, to);
    const sharper = suspectsAt(at, to).find(({ candidate }) => candidate.culprit === culprit);
    const isAsStrong = sharper !== undefined && sharper.strength >= LEAST_LEFT * suspect.strength;
    return isAsStrong ? { ...sharper, candidate: { ...sharper.candidate, traffic }, over } : suspect;
  }
}

/**
 * What is over explains nothing that began later: who lasts is judged by all the window, beside all others, or by what came
 * after the last end, beside those that last, whichever speaks more clearly.
 */
function separateRecovered(
  tried: readonly RankedCandidate[],
  series: TelemetrySeries,
  candidatesAt: (split: Split) => CauseCandidate[],
): Pick<OnsetSearch, 'lasting' | 'over'> {
  const candidatesOnceAt = memoizeBySplit(candidatesAt);
  const suspects = selectStrongestPerService(tried).map(withEnd);
  const judged = rankCandidates(suspects, series);
  const over = judged.filter(({ over }) => over !== undefined);
  if (over.length === 0) return { lasting: judged, over };
  const lastEnd = Math.max(...over.map((each) => each.over!));
  const isOver = new Set(over.map(({ candidate }) => candidate.culprit));
  const later = rankCandidates(
    selectStrongestPerService(tried.filter(({ split }) => split.at >= lastEnd)).filter(
      ({ candidate }) => !isOver.has(candidate.culprit),
    ),
    series,
  );
  return {
    lasting: sortByStrength(selectStrongestPerService([...judged.filter((each) => each.over === undefined), ...later])),
    over,
  };

  function withEnd(suspect: RankedCandidate): RankedCandidate {
    return suspect.strength < MIN_STRENGTH
      ? suspect
      : { ...suspect, over: findRecovery(suspect.candidate, suspect.split, series.timeline, candidatesOnceAt) };
  }
}

/** Suspects mostly begin and end together. */
function memoizeBySplit(candidatesAt: (split: Split) => CauseCandidate[]): (split: Split) => CauseCandidate[] {
  const known = new Map<string, CauseCandidate[]>();
  return (split) => {
    const key = `${split.past} ${split.at} ${split.to}`;
    const candidates = known.get(key) ?? candidatesAt(split);
    known.set(key, candidates);
    return candidates;
  };
}

function selectStrongestPerService(suspects: readonly RankedCandidate[]): RankedCandidate[] {
  const best = new Map<string, RankedCandidate>();
  for (const suspect of suspects)
    if (suspect.strength > (best.get(suspect.candidate.culprit)?.strength ?? 0))
      best.set(suspect.candidate.culprit, suspect);
  return [...best.values()];
}

function rankCandidates(suspects: readonly RankedCandidate[], { edges }: TelemetrySeries): RankedCandidate[] {
  const moved = attributeToCallees(
    attributeToLoad(
      suspects.map(({ candidate }) => candidate),
      edges,
    ),
    edges,
  );
  return sortByStrength(
    moved.map((candidate, i) => ({ ...suspects[i], candidate, strength: combineStrength(candidate) })),
  );
}

function sortByStrength(suspects: readonly RankedCandidate[]): RankedCandidate[] {
  return [...suspects].sort((a, b) => b.strength - a.strength);
}

/** Complete minutes that must have been as usual: more would keep the next fault waiting behind one that is over. */
const QUIET_MINUTES = 1;

/** What is left of the evidence is at most this strong, as in any quiet hour; the fault would show twice that. */
const MOST_LEFT = 2.5;

const LEAST_EXPECTED = 2 * MOST_LEFT;

/**
 * The stretch from which on what speaks against a candidate is over; undefined where it lasts, or where that is not sure.
 * It is over where the figure that tells most has gone back, and nothing else is seen in what follows, for long enough that
 * the fault, were it still there, would show: standard scores grow by the root of the time.
 */
function findRecovery(
  { culprit, findings }: CauseCandidate,
  { past, at, to }: Split,
  timeline: SeriesTimeline,
  candidatesAt: (split: Split) => readonly CauseCandidate[],
): number | undefined {
  const course = findStrongestFinding(findings)?.course;
  const end = course === undefined ? to : findStepEnd(course, at + 1, to);
  const quiet = countMinutes(timeline, end, timeline.settled);
  if (quiet < QUIET_MINUTES) return undefined;
  const strengthIn = (split: Split) => {
    const same = candidatesAt(split).find((each) => each.culprit === culprit);
    return same === undefined ? 0 : combineStrength(same);
  };
  const expected = strengthIn({ past, at, to: end }) * Math.sqrt(Math.min(1, quiet / countMinutes(timeline, at, end)));
  return expected >= LEAST_EXPECTED && strengthIn({ past, at: end, to }) <= MOST_LEFT ? end : undefined;
}

function countMinutes({ lengths }: SeriesTimeline, from: number, to: number): number {
  return lengths.slice(from, Math.max(from, to)).reduce((sum, each) => sum + each, 0);
}
