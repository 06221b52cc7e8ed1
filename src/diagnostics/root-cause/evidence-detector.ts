import type { ExtremeCallCounter } from './extreme-calls.js';
import type { CandidateSplits } from './split-prefilter.js';
import type { SeriesTimeline, ServiceSeries, TelemetrySeries } from './telemetry-series.js';
import { type Split, sumRange } from './robust-statistics.js';

export interface DetectorOptions {
  /** First split that is tried. */
  readonly first: number;
  readonly extremes: ExtremeCallCounter;
}

/** Prepares what does not depend on the split, then finds what speaks against whom at one split after another. */
export type EvidenceDetector = (series: TelemetrySeries, setting: DetectorOptions) => (split: Split) => Finding[];

/** Something to look at closely, at some splits. */
export interface PrefilteredItem<T> {
  readonly of: T;
  readonly splits: CandidateSplits;
}

/**
 * Whether a service has past enough for more than errors and pressure to be judged: a complete stretch. The first stretch of
 * a Grid counts for nothing: it may be the last second of a minute. Quiet services have few requests however long one waits,
 * so that it is not their number that counts here.
 */
export function hasHistory(
  { requests, spans }: Pick<ServiceSeries, 'requests' | 'spans'>,
  { firstComplete }: SeriesTimeline,
  { past }: Split,
): boolean {
  return sumRange(requests.some((each) => each > 0) ? requests : spans, firstComplete, past) > 0;
}

/** Nothing where there is no such split. */
export function toPrefilteredItems<T>(of: T, splits: CandidateSplits | undefined): PrefilteredItem<T>[] {
  return splits === undefined ? [] : [{ of, splits }];
}

/** The same split without the stretches of which parts may still be on their way; undefined where nothing is left after it. */
export function toCompletePart({ past, at, to }: Split, settled: number): Split | undefined {
  return at >= settled ? undefined : { past, at, to: Math.min(to, settled) };
}

export function selectAtSplit<T>(watched: readonly PrefilteredItem<T>[], { at }: Split): T[] {
  const found: T[] = [];
  for (const { of, splits } of watched) if (splits[at] === 1) found.push(of);
  return found;
}

/** What may be told of a candidate, by the signal that tells it. */
export type EvidenceKind =
  | 'self time'
  | 'wire time'
  | 'outbound wire time'
  | 'dependency time'
  | 'errors'
  | 'dependency errors'
  | 'calls'
  | 'shortcut'
  | 'logs'
  | 'exceptions'
  | 'resources'
  | 'instance'
  | 'traffic'
  | 'deployment';

/** One change since the onset that speaks against one service or virtual node. */
export interface Finding {
  readonly signal: EvidenceKind;
  readonly culprit: string;
  /** Of the culprit, where the change is in one operation. */
  readonly operation?: string;
  /** How far beyond the usual: a standard score or the root of a deviance, which compare alike. */
  readonly score: number;
  /** Absolute harm: added ms for times, events in excess or missing for counts, the rise of a level. */
  readonly amount: number;
  /** Of times: what the same took before, in ms. */
  readonly usual?: number;
  /** Of the figure that the sentence is about; none for what has no course. */
  readonly course?: StepSeries;
  /** With figures, without a full stop. */
  readonly sentence: () => string;
}

/** How a figure went from stretch to stretch: `sum / weight`, once near `before`, later near `after`. */
export interface StepSeries {
  readonly sum: Float64Array;
  readonly weight: Float64Array;
  readonly before: number;
  readonly after: number;
}

/**
 * The stretch between `from` and `to` from which on a course is nearer to what came after than to what was before: the cut that
 * leaves the least absolute deviation, weighed. Of equal ones the first with any weight behind it.
 */
export function findStepStart({ sum, weight, before, after }: StepSeries, from: number, to: number): number {
  let best = from;
  let least = Infinity;
  let gain = 0;
  for (let i = from; i < to; i++) {
    if (weight[i] <= 0) continue;
    if (gain < least) [best, least] = [i, gain];
    const value = sum[i] / weight[i];
    gain += weight[i] * (Math.abs(value - before) - Math.abs(value - after));
  }
  return best;
}

/**
 * The stretch between `from` and `to` from which on a course is back at what came before, by the same measure; `to` where it
 * is not.
 */
export function findStepEnd({ sum, weight, before, after }: StepSeries, from: number, to: number): number {
  let best = to;
  let most = 0;
  let gain = 0;
  for (let i = to - 1; i >= from; i--) {
    if (weight[i] <= 0) continue;
    const value = sum[i] / weight[i];
    gain += weight[i] * (Math.abs(value - after) - Math.abs(value - before));
    if (gain > most) [best, most] = [i, gain];
  }
  return best;
}
