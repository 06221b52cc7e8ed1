import { detectChangePoints, type NoiseFamily, type SeriesPoint } from './change-points.js';

/** Points between two change points, from ≤ i < to. */
export interface LevelSegment {
  readonly from: number;
  readonly to: number;
  readonly sum: number;
  readonly weight: number;
  /** Sum by weight. */
  readonly level: number;
  /** How many points have a weight. */
  readonly known: number;
}

/** Runs in a row that are away from the usual level to the same side. */
export interface LevelDeviation {
  readonly usual: LevelSegment;
  readonly from: number;
  readonly to: number;
  readonly up: boolean;
}

/** Does the second run differ from the first by so much that somebody should hear of it? */
export type SignificanceTest = (usual: LevelSegment, other: LevelSegment) => boolean;

/** An excursion this many times as long as it takes to be usual is no excursion for what comes after it. */
const LASTING_FACTOR = 6;

/**
 * Where a series is away from its usual level: that of the newest run before which was not away itself and has
 * `settled` points. What came back to it is no news.
 *
 * What was told is not taken back for what came after it, as long as the same change points are found: a run matters if any
 * of its beginnings did (of `judged` points at most, since to judge may cost) and it has kept half of that distance. And
 * the usual level is that of its last points, which no window that still holds the excursion has left behind.
 */
export function findDeviations(
  points: readonly SeriesPoint[],
  family: NoiseFamily,
  settled: number,
  matters: SignificanceTest,
  judged = LASTING_FACTOR * settled,
): readonly LevelDeviation[] {
  const found: LevelDeviation[] = [];
  let usual: LevelSegment | undefined;
  for (const run of splitIntoSegments(points, family)) {
    if (usual === undefined || !hasBeenSignificant(points, usual, run, judged, matters)) {
      if (run.known >= settled) usual = tailSegment(points, run, settled);
      continue;
    }
    const up = run.level > usual.level;
    const previous = found.at(-1);
    if (previous?.usual === usual && previous.up === up && previous.to === run.from)
      found[found.length - 1] = { ...previous, to: run.to };
    else found.push({ usual, from: run.from, to: run.to, up });
    if (run.known >= LASTING_FACTOR * settled) usual = tailSegment(points, run, settled);
  }
  return found;
}

function hasBeenSignificant(
  points: readonly SeriesPoint[],
  usual: LevelSegment,
  run: LevelSegment,
  judged: number,
  matters: SignificanceTest,
): boolean {
  if (matters(usual, run)) return true;
  for (let to = run.from + 1; to < Math.min(run.to, run.from + judged + 1); to++) {
    const beginning = summarizeSegment(points, run.from, to);
    if ((run.level - usual.level) / (beginning.level - usual.level) >= 0.5 && matters(usual, beginning)) return true;
  }
  return false;
}

/** The end of a run, as long as it takes to be usual after an excursion. */
function tailSegment(points: readonly SeriesPoint[], { from, to }: LevelSegment, settled: number): LevelSegment {
  return summarizeSegment(points, Math.max(from, to - LASTING_FACTOR * settled), to);
}

/** What a stretch of points adds up to. */
export function summarizeSegment(points: readonly SeriesPoint[], from: number, to: number): LevelSegment {
  let [sum, weight, known] = [0, 0, 0];
  for (let i = from; i < to; i++) {
    sum += points[i].sum;
    weight += points[i].weight;
    if (points[i].weight > 0) known++;
  }
  return { from, to, sum, weight, known, level: weight === 0 ? 0 : sum / weight };
}

/** Points without weight are left out before, so that no run begins or ends in a gap. */
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
