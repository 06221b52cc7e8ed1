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
  /** Delay (ms) after an empty poll before the next one, unless a hint arrives earlier. */
  readonly idleMs: number;
}

/** A lone event is visible at once, a trickle within 250 ms, and a lost hint costs half a second. */
export const LIVE_POLLING_INTERVALS: PollingIntervals = { everyMs: 250, idleMs: 500 };

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
      // The clock may have been set back meanwhile: never wait longer than one interval.
      if (lastResult === 'drained')
        return timer(
          Math.min(intervals.everyMs, Math.max(0, startedAt + intervals.everyMs - scheduler.now())),
          scheduler,
        );
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

/** Delay (ms) before the attempt after `failures` failures in a row: doubling from 100 ms to 10 s. */
export function backoffDelayMs(failures: number): number {
  return Math.min(10_000, 100 * 2 ** Math.min(failures - 1, 10));
}

/** Limits of one read: the events stay in memory until all of them are committed. */
export const READ_LIMITS = { limit: 4096, maxBytes: 8 * 1024 * 1024 };

/** Events or bytes that typically fill a block of 8,192 spans. */
const FULL_BATCH = { events: 1024, bytes: 512 * 1024 };

/**
 * Whether waiting for more events gains nothing: the batch fills a block on its own, and more events are likely to
 * follow.
 */
export function isFullBatch(batch: readonly RecordedEvent[]): boolean {
  if (batch.length >= FULL_BATCH.events) return true;
  const bytes = batch.reduce((sum, event) => sum + (event.body?.byteLength ?? 0), 0);
  return bytes >= FULL_BATCH.bytes;
}
