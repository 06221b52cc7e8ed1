import type { ExtremesOf } from './extremes.js';
import type { Finding } from './finding.js';
import type { Splits } from './screen.js';
import type { Series, ServiceSeries } from './series.js';
import { total, type Split } from './statistics.js';
import type { Timeline } from './timeline.js';

export interface Setting {
  /** First split that is tried. */
  readonly first: number;
  readonly extremes: ExtremesOf;
}

/** Prepares what does not depend on the split, then finds what speaks against whom at one split after another. */
export type Signal = (series: Series, setting: Setting) => (split: Split) => Finding[];

/** Something to look at closely, at some splits. */
export interface Watched<T> {
  readonly of: T;
  readonly splits: Splits;
}

/**
 * Whether a service has past enough for more than errors and pressure to be judged: a complete stretch. The first stretch of
 * a Grid counts for nothing: it may be the last second of a minute. Quiet services have few requests however long one waits,
 * so that it is not their number that counts here.
 */
export function hasPast({ requests, spans }: Pick<ServiceSeries, 'requests' | 'spans'>, { firstComplete }: Timeline, { past }: Split): boolean {
  return total(requests.some((each) => each > 0) ? requests : spans, firstComplete, past) > 0;
}

/** Nothing where there is no such split. */
export function watch<T>(of: T, splits: Splits | undefined): Watched<T>[] {
  return splits === undefined ? [] : [{ of, splits }];
}

/** The same split without the stretches of which parts may still be on their way; undefined where nothing is left after it. */
export function settledPart({ past, at, to }: Split, settled: number): Split | undefined {
  return at >= settled ? undefined : { past, at, to: Math.min(to, settled) };
}

export function atSplit<T>(watched: readonly Watched<T>[], { at }: Split): T[] {
  const found: T[] = [];
  for (const { of, splits } of watched) if (splits[at] === 1) found.push(of);
  return found;
}
