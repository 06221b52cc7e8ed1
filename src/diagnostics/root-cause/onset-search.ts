import { attributeToCallees } from './cause-attribution.js';
import { type CauseCandidate, combineStrength, prepareCandidates } from './cause-candidates.js';
import type { SeriesTimeline, TelemetrySeries } from './telemetry-series.js';
import { findStepEnd, findStepStart } from './evidence-detector.js';
import { attributeToLoad } from './load-attribution.js';
import { createExtremeCallCounter } from './extreme-calls.js';
import type { Split } from './robust-statistics.js';
import { findStrongestFinding } from './cause-description.js';

/** A candidate at its strongest onset, with its strength after attribution. */
export interface RankedCandidate {
  readonly candidate: CauseCandidate;
  readonly split: Split;
  readonly strength: number;
  /** Index of the bucket from which on it has recovered; absent if it lasts to the end. */
  readonly recoveredAt?: number;
}

/**
 * Minimum part of its strength that a candidate must keep when its onset is moved to the step of its strongest series.
 */
const MIN_REMAINING_SHARE = 0.5;

/** Weaker evidence occurs in any quiet hour. */
export const MIN_STRENGTH = 2.5;

/**
 * Maximum number of onsets to try, so that not every bucket of longer windows is; moving the onset to the step
 * compensates for this.
 */
const MAX_SPLITS = 60;

export interface OnsetSearch {
  /** Candidates that last to the end, and those that have recovered; strongest first. */
  readonly lasting: readonly RankedCandidate[];
  readonly recovered: readonly RankedCandidate[];
  /** Moves the onset of a candidate to the step of the figure with the strongest evidence. */
  readonly refineOnset: (rankedCandidate: RankedCandidate) => RankedCandidate;
}

/**
 * Searches the onset by trying each bucket: the one with the strongest evidence is the onset of a candidate (an offline
 * search for one change point with the evidence as the cost; Truong, Oudre and Vayatis 2020). Everything before it, in
 * the window or its baseline, is the reference. The last bucket before the window is tried as well, as reported start
 * times of faults can be up to a minute late. Yields between onsets: in long windows each takes up to 0.3 s.
 */
export function* searchOnsets(series: TelemetrySeries): Generator<void, OnsetSearch> {
  const { starts, windowStart } = series.timeline;
  const first = Math.max(1, windowStart - 1);
  const candidatesAt = prepareCandidates(series, { first, extremes: createExtremeCallCounter(windowStart) });
  const candidates: RankedCandidate[] = [];
  const step = Math.ceil((starts.length - first) / MAX_SPLITS);
  for (let at = first; at < starts.length; at += step) {
    candidates.push(...rankedCandidatesAt(at, starts.length));
    yield;
  }
  return { ...(yield* separateRecovered(candidates, series, candidatesAt)), refineOnset };

  function rankedCandidatesAt(at: number, to: number): RankedCandidate[] {
    const split = { past: at, at, to };
    return candidatesAt(split).map((candidate) => ({ candidate, split, strength: combineStrength(candidate) }));
  }

  function refineOnset(rankedCandidate: RankedCandidate): RankedCandidate {
    const {
      candidate: { serviceName, findings, traffic },
      recoveredAt,
    } = rankedCandidate;
    const stepSeries = findStrongestFinding(findings)?.stepSeries;
    const to = recoveredAt ?? starts.length;
    const at = stepSeries === undefined ? rankedCandidate.split.at : findStepStart(stepSeries, first, to);
    const refined = rankedCandidatesAt(at, to).find(({ candidate }) => candidate.serviceName === serviceName);
    const isAsStrong = refined !== undefined && refined.strength >= MIN_REMAINING_SHARE * rankedCandidate.strength;
    return isAsStrong ? { ...refined, candidate: { ...refined.candidate, traffic }, recoveredAt } : rankedCandidate;
  }
}

/**
 * Separates recovered candidates, which cannot explain anything that began later: a lasting candidate is ranked either
 * over the whole window with all others, or over the time after the last recovery with the lasting ones, whichever
 * gives it more strength.
 */
function* separateRecovered(
  candidates: readonly RankedCandidate[],
  series: TelemetrySeries,
  candidatesAt: (split: Split) => CauseCandidate[],
): Generator<void, Pick<OnsetSearch, 'lasting' | 'recovered'>> {
  const memoizedCandidatesAt = memoizeBySplit(candidatesAt);
  const strongest: RankedCandidate[] = [];
  for (const candidate of selectStrongestPerService(candidates)) {
    strongest.push(addRecovery(candidate));
    yield;
  }
  const ranked = rankCandidates(strongest, series);
  const recovered = ranked.filter(({ recoveredAt }) => recoveredAt !== undefined);
  if (recovered.length === 0) return { lasting: ranked, recovered };
  const lastRecovery = Math.max(...recovered.map((each) => each.recoveredAt!));
  const recoveredServices = new Set(recovered.map(({ candidate }) => candidate.serviceName));
  const later = rankCandidates(
    selectStrongestPerService(candidates.filter(({ split }) => split.at >= lastRecovery)).filter(
      ({ candidate }) => !recoveredServices.has(candidate.serviceName),
    ),
    series,
  );
  return {
    lasting: sortByStrength(
      selectStrongestPerService([...ranked.filter((each) => each.recoveredAt === undefined), ...later]),
    ),
    recovered,
  };

  function addRecovery(rankedCandidate: RankedCandidate): RankedCandidate {
    return rankedCandidate.strength < MIN_STRENGTH
      ? rankedCandidate
      : {
          ...rankedCandidate,
          recoveredAt: findRecovery(
            rankedCandidate.candidate,
            rankedCandidate.split,
            series.timeline,
            memoizedCandidatesAt,
          ),
        };
  }
}

/** Most candidates begin and end together, so that they share splits. */
function memoizeBySplit(candidatesAt: (split: Split) => CauseCandidate[]): (split: Split) => CauseCandidate[] {
  const cache = new Map<string, CauseCandidate[]>();
  return (split) => {
    const key = `${split.past} ${split.at} ${split.to}`;
    const candidates = cache.get(key) ?? candidatesAt(split);
    cache.set(key, candidates);
    return candidates;
  };
}

function selectStrongestPerService(rankedCandidates: readonly RankedCandidate[]): RankedCandidate[] {
  const best = new Map<string, RankedCandidate>();
  for (const rankedCandidate of rankedCandidates)
    if (rankedCandidate.strength > (best.get(rankedCandidate.candidate.serviceName)?.strength ?? 0))
      best.set(rankedCandidate.candidate.serviceName, rankedCandidate);
  return [...best.values()];
}

function rankCandidates(rankedCandidates: readonly RankedCandidate[], series: TelemetrySeries): RankedCandidate[] {
  const moved = attributeToCallees(attributeToLoad(rankedCandidates, series), series.edges);
  return sortByStrength(
    moved.map((candidate, i) => ({ ...rankedCandidates[i], candidate, strength: combineStrength(candidate) })),
  );
}

function sortByStrength(rankedCandidates: readonly RankedCandidate[]): RankedCandidate[] {
  return [...rankedCandidates].sort((a, b) => b.strength - a.strength);
}

/** Complete minutes without evidence required for a recovery; more would delay the next fault. */
const MIN_RECOVERED_MINUTES = 1;

/**
 * Maximum strength of the remaining evidence, as in any quiet hour; a lasting fault would have to show at least twice
 * that.
 */
const MAX_REMAINING_STRENGTH = 2.5;

const MIN_EXPECTED_STRENGTH = 2 * MAX_REMAINING_STRENGTH;

/**
 * Index of the bucket from which on a candidate has recovered; undefined if it lasts or if that is uncertain. It has
 * recovered if the figure with the strongest evidence is back, and no other evidence follows for long enough that a
 * lasting fault would show: standard scores grow with the square root of time.
 */
function findRecovery(
  { serviceName, findings }: CauseCandidate,
  { past, at, to }: Split,
  timeline: SeriesTimeline,
  candidatesAt: (split: Split) => readonly CauseCandidate[],
): number | undefined {
  const stepSeries = findStrongestFinding(findings)?.stepSeries;
  const end = stepSeries === undefined ? to : findStepEnd(stepSeries, at + 1, to);
  const recoveredMinutes = countMinutes(timeline, end, timeline.settled);
  if (recoveredMinutes < MIN_RECOVERED_MINUTES) return undefined;
  const strengthIn = (split: Split) => {
    const same = candidatesAt(split).find((each) => each.serviceName === serviceName);
    return same === undefined ? 0 : combineStrength(same);
  };
  const expected =
    strengthIn({ past, at, to: end }) * Math.sqrt(Math.min(1, recoveredMinutes / countMinutes(timeline, at, end)));
  return expected >= MIN_EXPECTED_STRENGTH && strengthIn({ past, at: end, to }) <= MAX_REMAINING_STRENGTH
    ? end
    : undefined;
}

function countMinutes({ lengths }: SeriesTimeline, from: number, to: number): number {
  return lengths.slice(from, Math.max(from, to)).reduce((sum, each) => sum + each, 0);
}
