import { asyncScheduler, BehaviorSubject, defer, delayWhen, filter, from, lastValueFrom, map, merge, retry, Subject, takeUntil, timer, type Observable, type SchedulerLike } from 'rxjs';
import type { Logger } from '../log.js';
import type { LiveSource } from '../read-models/live-diagnostics.js';
import type { ReadModelStore } from '../read-models/store.js';
import type { LiveFeed } from '../streams/live/live-feed.js';
import { LiveDocuments } from './live-documents.js';
import { backOff, paced, type Found, type Pace } from './pace.js';

export interface LiveDiagnosticsParts {
  readonly source: LiveSource;
  readonly store: ReadModelStore;
  readonly feed: LiveFeed;
  readonly log: Logger;
  readonly pace?: Pace;
  readonly scheduler?: SchedulerLike;
}

/** Twice a second while there is something to tell; without a hint, a look each second. */
const PACE: Pace = { everyMs: 500, lookMs: 1_000 };

/** A round is followed by a rest of nine times its length: so live documents take about a tenth of a core at most. */
const REST = 9;

/**
 * Keeps the live documents of the Grids that have something to tell, one round after the other: answers are computed,
 * committed, and announced where they changed. What fails is tried again, after a pause that grows.
 */
export class LiveDiagnostics {
  private readonly documents: LiveDocuments;
  private readonly stopped = new BehaviorSubject(false);
  private readonly bell = new Subject<void>();
  private readonly scheduler: SchedulerLike;
  /** Failures in a row by Grid, and when (by the scheduler) it is tried again. */
  private readonly failing = new Map<string, { readonly failures: number; readonly until: number }>();
  private failures = 0;
  private round: Promise<unknown> = Promise.resolve();
  private lastMs = 0;

  constructor(private readonly parts: LiveDiagnosticsParts) {
    this.documents = new LiveDocuments(parts.store, parts.feed);
    this.scheduler = parts.scheduler ?? asyncScheduler;
  }

  /** Runs until it is stopped. Call once. Never rejects. */
  async start(): Promise<void> {
    const hints = this.parts.feed.hints.pipe(filter(({ topic }) => topic === 'projected'));
    const turns = paced(() => this.turn(), merge(hints, this.bell), this.parts.pace ?? PACE, this.scheduler).pipe(
      retry({ delay: (error) => timer(this.failed(error), this.scheduler) }),
      takeUntil(this.stopped.pipe(filter((stopped) => stopped))),
    );
    await lastValueFrom(turns, { defaultValue: 'empty' });
  }

  /** Somebody waits for the answers of a Grid: after a pause a round begins at once. */
  ring(): void {
    this.bell.next();
  }

  /** Ends it after the Grid under way, and waits for that. Legal twice, and before the start. */
  async stop(): Promise<void> {
    this.stopped.next(true);
    await this.round.catch(() => undefined); // its failure was reported by the pipeline, or no longer matters
  }

  private turn(): Observable<Found> {
    return defer(() => {
      const startedAt = this.scheduler.now();
      const round = this.refreshDue();
      this.round = round;
      return from(round).pipe(
        delayWhen(() => timer(this.restAfter(this.scheduler.now() - startedAt), this.scheduler)),
        map((refreshed) => (refreshed > 0 ? 'drained' : 'empty')),
      );
    });
  }

  /** By the shorter of the last two rounds: a cold cache, or an answer that is seldom due, says nothing of the next. */
  private restAfter(tookMs: number): number {
    const usualMs = Math.min(tookMs, this.lastMs);
    this.lastMs = tookMs;
    return usualMs * REST;
  }

  private async refreshDue(): Promise<number> {
    const due = await this.parts.source.due();
    this.failures = 0;
    for (const gridId of this.parts.source.released()) await this.forget(gridId);
    let refreshed = 0;
    for (const gridId of due) {
      if (this.stopped.value) return refreshed;
      if ((this.failing.get(gridId)?.until ?? 0) > this.scheduler.now()) continue;
      await this.refresh(gridId);
      refreshed++;
    }
    return refreshed;
  }

  private async forget(gridId: string): Promise<void> {
    this.failing.delete(gridId);
    await this.documents.forget(gridId);
  }

  private async refresh(gridId: string): Promise<void> {
    try {
      const { at, answers, kept } = await this.parts.source.of(gridId);
      await this.documents.keep(gridId, at, answers);
      kept();
      this.failing.delete(gridId);
    } catch (error) {
      const failures = (this.failing.get(gridId)?.failures ?? 0) + 1;
      const delayMs = backOff(failures);
      this.failing.set(gridId, { failures, until: this.scheduler.now() + delayMs });
      this.parts.log.warn('live diagnostics failed and will be tried again', { gridId, error, failures, delayMs });
    }
  }

  private failed(error: unknown): number {
    const delayMs = backOff(++this.failures);
    this.parts.log.warn('live diagnostics cannot read what changed and will try again', { error, failures: this.failures, delayMs });
    return delayMs;
  }
}
