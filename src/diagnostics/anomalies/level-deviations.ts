import { detectChangePoints, type NoiseFamily, type SeriesPoint } from './change-points.js';

/** Segment between two change points, from ≤ i < to. */
export interface LevelSegment {
  readonly from: number;
  readonly to: number;
  readonly sum: number;
  readonly weight: number;
  /** Sum by weight. */
  readonly level: number;
  /** Number of points with a weight. */
  readonly knownPoints: number;
}

/** Consecutive segments that deviate from the usual level in the same direction. */
export interface LevelDeviation {
  readonly usual: LevelSegment;
  readonly from: number;
  readonly to: number;
  readonly up: boolean;
}

/** True if the second segment differs significantly from the first. */
export type SignificanceTest = (usual: LevelSegment, other: LevelSegment) => boolean;

/** A deviation that lasts this many times the settling time becomes the usual level. */
const LASTING_FACTOR = 6;

/**
 * Finds where a series deviates from its usual level: that of the newest earlier segment that was not a deviation and
 * has `settled` points. The return to it is not reported.
 *
 * A reported deviation is not withdrawn by later points, as long as the same change points are found: a segment is
 * significant if any of its beginnings was (of at most `maxJudgedPoints` points, to bound the cost) and it still has
 * half of that distance. The usual level is that of the segment's last points, so that it remains known while the
 * window contains the deviation.
 */
export function findDeviations(
  points: readonly SeriesPoint[],
  family: NoiseFamily,
  settled: number,
  isSignificant: SignificanceTest,
  maxJudgedPoints = LASTING_FACTOR * settled,
): readonly LevelDeviation[] {
  const deviations: LevelDeviation[] = [];
  let usual: LevelSegment | undefined;
  for (const segment of splitIntoSegments(points, family)) {
    if (usual === undefined || !hasBeenSignificant(points, usual, segment, maxJudgedPoints, isSignificant)) {
      if (segment.knownPoints >= settled) usual = tailSegment(points, segment, settled);
      continue;
    }
    const up = segment.level > usual.level;
    const previous = deviations.at(-1);
    if (previous?.usual === usual && previous.up === up && previous.to === segment.from)
      deviations[deviations.length - 1] = { ...previous, to: segment.to };
    else deviations.push({ usual, from: segment.from, to: segment.to, up });
    if (segment.knownPoints >= LASTING_FACTOR * settled) usual = tailSegment(points, segment, settled);
  }
  return deviations;
}

function hasBeenSignificant(
  points: readonly SeriesPoint[],
  usual: LevelSegment,
  segment: LevelSegment,
  maxJudgedPoints: number,
  isSignificant: SignificanceTest,
): boolean {
  if (isSignificant(usual, segment)) return true;
  for (let to = segment.from + 1; to < Math.min(segment.to, segment.from + maxJudgedPoints + 1); to++) {
    const beginning = summarizeSegment(points, segment.from, to);
    if ((segment.level - usual.level) / (beginning.level - usual.level) >= 0.5 && isSignificant(usual, beginning))
      return true;
  }
  return false;
}

/** The end of a segment, as long as it takes for a deviation to become usual. */
function tailSegment(points: readonly SeriesPoint[], { from, to }: LevelSegment, settled: number): LevelSegment {
  return summarizeSegment(points, Math.max(from, to - LASTING_FACTOR * settled), to);
}

/** Totals of the points from ≤ i < to. */
export function summarizeSegment(points: readonly SeriesPoint[], from: number, to: number): LevelSegment {
  let [sum, weight, known] = [0, 0, 0];
  for (let i = from; i < to; i++) {
    sum += points[i].sum;
    weight += points[i].weight;
    if (points[i].weight > 0) known++;
  }
  return { from, to, sum, weight, knownPoints: known, level: weight === 0 ? 0 : sum / weight };
}

/** Excludes points without weight first, so that no segment begins or ends in a gap. */
function splitIntoSegments(points: readonly SeriesPoint[], family: NoiseFamily): LevelSegment[] {
  const known = points.flatMap(({ weight }, i) => (weight > 0 ? [i] : []));
  if (known.length === 0) return [];
  const steps = detectChangePoints(
    known.map((i) => points[i]),
    family,
  ).map(({ index }) => known[index]);
  const edges = [known[0], ...steps, known[known.length - 1] + 1];
  return edges.slice(1).map((to, i) => summarizeSegment(points, edges[i], to));
}
