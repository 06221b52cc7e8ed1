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

/** What a turn found: so much that the next should follow at once (`full`), little (`drained`), or nothing (`empty`). */
export type PollResult = 'full' | 'drained' | 'empty';

export interface PollingIntervals {
  /** Turns that left nothing behind start at least this far apart (ms), so that a trickle is committed in groups. */
  readonly everyMs: number;
  /** Without a hint the next look is this long (ms) after an empty one. */
  readonly lookMs: number;
}

/** A lone event shows at once, a trickle within 250 ms, and a lost hint costs half a second. */
export const LIVE_POLLING_INTERVALS: PollingIntervals = { everyMs: 250, lookMs: 500 };

/**
 * Takes turns without end, never two at a time: at once while there is more, in even steps under a trickle, and
 * with the first hint after a pause. A hint that comes while a turn runs is not lost. A turn's error ends it.
 */
export function createPollingLoop(
  turn: () => Observable<PollResult>,
  hints: Observable<unknown>,
  pace: PollingIntervals,
  scheduler: SchedulerLike = asyncScheduler,
): Observable<PollResult> {
  return defer(() => {
    let bell = new ReplaySubject<unknown>(1);
    let started = 0;
    let found: PollResult = 'empty';
    const listening = hints.subscribe((hint) => bell.next(hint));
    const wait = (): Observable<unknown> => {
      if (found === 'full') return timer(0, scheduler);
      // The clock may have been set back meanwhile: no wait is longer than a step.
      if (found === 'drained')
        return timer(Math.min(pace.everyMs, Math.max(0, started + pace.everyMs - scheduler.now())), scheduler);
      return race(bell, timer(pace.lookMs, scheduler));
    };
    return defer(() => {
      bell = new ReplaySubject<unknown>(1);
      started = scheduler.now();
      return turn();
    }).pipe(
      tap((latest) => (found = latest)),
      repeat({ delay: wait }),
      finalize(() => listening.unsubscribe()),
    );
  });
}

/** Delay (ms) before the attempt after `failures` failures in a row: doubling from 100 ms to 10 s. */
export function backoffDelayMs(failures: number): number {
  return Math.min(10_000, 100 * 2 ** Math.min(failures - 1, 10));
}

/** Bounds of one read: a batch is held in memory while its portions are committed. */
export const READ_LIMITS = { limit: 4096, maxBytes: 8 * 1024 * 1024 };

/** A block of 8,192 spans comes in about so many bytes. */
const FULL_BATCH = { events: 1024, bytes: 512 * 1024 };

/** Whether waiting for company would gain nothing: the batch fills a block of its own, and more is likely to wait behind it. */
export function isFullBatch(batch: readonly RecordedEvent[]): boolean {
  if (batch.length >= FULL_BATCH.events) return true;
  const bytes = batch.reduce((sum, event) => sum + (event.body?.byteLength ?? 0), 0);
  return bytes >= FULL_BATCH.bytes;
}
