import {
  asyncScheduler,
  defer,
  finalize,
  type Observable,
  race,
  repeat,
  ReplaySubject,
  type SchedulerLike,
  tap,
  timer,
} from 'rxjs';
import type { RecordedEvent } from '../../streams/event-store.js';

/**
 * Result of a poll: so much that the next should follow immediately (`full`), little (`drained`), or nothing (`empty`).
 */
export type PollResult = 'full' | 'drained' | 'empty';

export interface PollingIntervals {
  /**
   * Polls that left nothing behind start at least this far apart (ms), so that a trickle of events is committed in
   * groups.
   */
  readonly everyMs: number;
  /**
   * What is visible only after the next poll waits for that poll as well: the distance shrinks by this multiple of the
   * time that a poll took. Default: 0.
   */
  readonly shrinkFactor?: number;
  /** Delay (ms) after an empty poll before the next one, unless a hint arrives earlier. */
  readonly idleMs: number;
}

/** A lone event is visible at once, a trickle within 250 ms, and a lost hint costs half a second. */
export const LIVE_POLLING_INTERVALS: PollingIntervals = { everyMs: 250, idleMs: 500 };

/**
 * For telemetry: a large part of what a commit costs does not depend on its size, as it rewrites the rollups of open
 * minutes and adds small blocks that have to be merged. What arrives is visible after 400 ms, however long a poll takes
 * up to half of that: the goal is half a second for 99 of 100.
 */
export const TELEMETRY_POLLING_INTERVALS: PollingIntervals = { everyMs: 400, shrinkFactor: 1, idleMs: 500 };

/**
 * Polls without end and never concurrently: immediately while there is more, in even steps under a trickle, and at the
 * first hint when idle. A hint that arrives during a poll is not lost. An error of a poll ends the loop.
 */
export function createPollingLoop(
  poll: () => Observable<PollResult>,
  hints: Observable<unknown>,
  intervals: PollingIntervals,
  scheduler: SchedulerLike = asyncScheduler,
): Observable<PollResult> {
  return defer(() => {
    let pendingHint = new ReplaySubject<unknown>(1);
    let startedAt = 0;
    let lastResult: PollResult = 'empty';
    const subscription = hints.subscribe((hint) => pendingHint.next(hint));
    const wait = (): Observable<unknown> => {
      if (lastResult === 'full') return timer(0, scheduler);
      if (lastResult === 'drained') return timer(computeDelayMs(intervals, scheduler.now() - startedAt), scheduler);
      return race(pendingHint, timer(intervals.idleMs, scheduler));
    };
    return defer(() => {
      pendingHint = new ReplaySubject<unknown>(1);
      startedAt = scheduler.now();
      return poll();
    }).pipe(
      tap((latest) => (lastResult = latest)),
      repeat({ delay: wait }),
      finalize(() => subscription.unsubscribe()),
    );
  });
}

/** Delay (ms) after a poll that left nothing behind. `tookMs` is negative if the clock was set back meanwhile. */
function computeDelayMs({ everyMs, shrinkFactor = 0 }: PollingIntervals, tookMs: number): number {
  const took = Math.max(0, tookMs);
  return Math.max(0, everyMs - (1 + shrinkFactor) * took);
}

/** Delay (ms) before the attempt after `failures` failures in a row: doubling from 100 ms to 10 s. */
export function backoffDelayMs(failures: number): number {
  return Math.min(10_000, 100 * 2 ** Math.min(failures - 1, 10));
}

/** Limits of one read: the events stay in memory until all of them are committed. */
export const READ_LIMITS = { limit: 4096, maxBytes: 8 * 1024 * 1024 };

/** Half of what one read may return: with compressed bodies more than a commit takes. */
const FULL_BATCH = { events: READ_LIMITS.limit / 2, bytes: READ_LIMITS.maxBytes / 2 };

/** Whether waiting for more events gains nothing: the batch fills a commit, and more events are likely to follow. */
export function isFullBatch(batch: readonly RecordedEvent[]): boolean {
  if (batch.length >= FULL_BATCH.events) return true;
  const bytes = batch.reduce((sum, event) => sum + (event.body?.byteLength ?? 0), 0);
  return bytes >= FULL_BATCH.bytes;
}
