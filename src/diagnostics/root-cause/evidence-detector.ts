import type { ExtremeCallCounter } from './extreme-calls.js';
import type { CandidateSplits } from './split-prefilter.js';
import type { SeriesTimeline, ServiceSeries, TelemetrySeries } from './telemetry-series.js';
import { type Split, sumRange } from './robust-statistics.js';

export interface DetectorOptions {
  /** First split that is examined. */
  readonly first: number;
  readonly extremes: ExtremeCallCounter;
}

/**
 * Prepares everything independent of the split; the result returns the evidence at a split and is called for many
 * splits.
 */
export type EvidenceDetector = (series: TelemetrySeries, options: DetectorOptions) => (split: Split) => Finding[];

/** An item worth a detailed analysis at some splits. */
export interface PrefilteredItem<T> {
  readonly item: T;
  readonly splits: CandidateSplits;
}

/**
 * True if a service has enough history for evidence other than errors and pressure: requests in a complete bucket. The
 * first bucket of a Grid does not count, as it may contain only the last second of a minute. The number of requests is
 * not considered, because quiet services never have many.
 */
export function hasHistory(service: ServiceSeries, { firstComplete }: SeriesTimeline, { past }: Split): boolean {
  return sumRange(selectActivity(service).counts, firstComplete, past) > 0;
}

/** What a service did in each bucket, as the measure to which other counts relate. */
export interface ServiceActivity {
  readonly counts: Float64Array;
  /** Of the counts, in the singular. */
  readonly unit: string;
}

/** Requests; for a service that only calls others its spans, and for one without spans its log records. */
export function selectActivity({ requests, spans, records }: ServiceSeries): ServiceActivity {
  const hasAny = (counts: Float64Array) => counts.some((each) => each > 0);
  if (hasAny(requests)) return { counts: requests, unit: 'request' };
  return hasAny(spans) ? { counts: spans, unit: 'span' } : { counts: records, unit: 'log record' };
}

/** Empty if there is no candidate split. */
export function toPrefilteredItems<T>(item: T, splits: CandidateSplits | undefined): PrefilteredItem<T>[] {
  return splits === undefined ? [] : [{ item, splits }];
}

/** The same split without buckets for which telemetry may still arrive; undefined if nothing remains after it. */
export function toCompletePart({ past, at, to }: Split, settled: number): Split | undefined {
  return at >= settled ? undefined : { past, at, to: Math.min(to, settled) };
}

export function selectAtSplit<T>(prefiltered: readonly PrefilteredItem<T>[], { at }: Split): T[] {
  const selected: T[] = [];
  for (const { item, splits } of prefiltered) if (splits[at] === 1) selected.push(item);
  return selected;
}

/** Kinds of evidence, by the detector that produces them. */
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
  | 'reported latency'
  | 'reported failures'
  | 'resources'
  | 'instance'
  | 'traffic'
  | 'deployment';

/** One change since the onset, as evidence about one service or virtual node. */
export interface Finding {
  readonly kind: EvidenceKind;
  readonly serviceName: string;
  /** Operation of the service, if the change is limited to one. */
  readonly operation?: string;
  /** Deviation from the usual: a standard score or the root of a deviance, which are comparable. */
  readonly score: number;
  /** Absolute impact: added ms for times, excess or missing events for counts, the rise of a level. */
  readonly amount: number;
  /** For times: the usual time, in ms. */
  readonly usual?: number;
  /** Series of the figure in the sentence; absent for evidence without one. */
  readonly stepSeries?: StepSeries;
  /** Sentence with figures, without a full stop. */
  readonly describe: () => string;
}

/** A figure over time, `sum / weight` by bucket, with a step from about `before` to about `after`. */
export interface StepSeries {
  readonly sum: Float64Array;
  readonly weight: Float64Array;
  readonly before: number;
  readonly after: number;
}

/**
 * Index of the first bucket between `from` and `to` from which the series is closer to `after` than to `before`: the
 * cut with the least weighted absolute deviation. Ties: the first one.
 */
export function findStepStart({ sum, weight, before, after }: StepSeries, from: number, to: number): number {
  let best = from;
  let minGain = Infinity;
  let gain = 0;
  for (let i = from; i < to; i++) {
    if (weight[i] <= 0) continue;
    if (gain < minGain) [best, minGain] = [i, gain];
    const value = sum[i] / weight[i];
    gain += weight[i] * (Math.abs(value - before) - Math.abs(value - after));
  }
  return best;
}

/**
 * Index of the first bucket between `from` and `to` from which the series is back at `before`, by the same measure;
 * `to` if it is not.
 */
export function findStepEnd({ sum, weight, before, after }: StepSeries, from: number, to: number): number {
  let best = to;
  let maxGain = 0;
  let gain = 0;
  for (let i = to - 1; i >= from; i--) {
    if (weight[i] <= 0) continue;
    const value = sum[i] / weight[i];
    gain += weight[i] * (Math.abs(value - after) - Math.abs(value - before));
    if (gain > maxGain) [best, maxGain] = [i, gain];
  }
  return best;
}

/** The same change as often before the onset is usual: jobs, and failures that come back. */
const MIN_RECURRENCES = 3;

/**
 * True if a series was where it is now, for at least as long, several times before the onset: what comes back is no
 * news, unless it stays longer than ever.
 */
export function isRecurring({ sum, weight, before, after }: StepSeries, { past, at, to }: Split): boolean {
  let length = 0;
  for (let i = at; i < to; i++) if (weight[i] > 0) length++;
  let [recurrences, run] = [0, 0];
  for (let i = 0; i < past && recurrences < MIN_RECURRENCES; i++) {
    if (weight[i] <= 0) continue;
    const value = sum[i] / weight[i];
    run = Math.abs(value - after) < Math.abs(value - before) || value > after === after > before ? run + 1 : 0;
    if (run === length) recurrences++;
  }
  return recurrences >= MIN_RECURRENCES;
}
