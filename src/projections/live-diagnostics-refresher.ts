import {
  asyncScheduler,
  BehaviorSubject,
  defer,
  delayWhen,
  filter,
  from,
  lastValueFrom,
  map,
  merge,
  type Observable,
  retry,
  type SchedulerLike,
  Subject,
  takeUntil,
  tap,
  timer,
} from 'rxjs';
import type { Logger } from '../self-telemetry/logger.js';
import {
  LIVE_DIAGNOSTICS,
  LIVE_TOPICS,
  type LiveDiagnosticsDocument,
  liveDiagnosticsId,
  type LiveDiagnosticsSource,
  type LiveTopic,
} from '../read-models/documents/live-diagnostics-documents.js';
import type { DocumentChange, ReadModelStore } from '../read-models/read-model-store.js';
import type { LiveFeed } from '../streams/live/live-feed.js';
import { backoffDelayMs, createPollingLoop, type PollingIntervals, type PollResult } from './engine/polling-loop.js';
import { eq } from '../read-models/document-filter.js';

export interface LiveDiagnosticsRefresherParts {
  readonly source: LiveDiagnosticsSource;
  readonly store: ReadModelStore;
  readonly feed: LiveFeed;
  readonly log: Logger;
  readonly pollingIntervals?: PollingIntervals;
  readonly scheduler?: SchedulerLike;
}

/** Twice a second while diagnostics change; without a hint, once a second. */
const REFRESH_INTERVALS: PollingIntervals = { everyMs: 500, idleMs: 1_000 };

/**
 * Refreshing Grids that nobody follows is followed by a pause of nine times its duration, so that they use about a tenth
 * of a core at most; that of followed ones by a pause as long as it took, and no longer than this (ms): with many Grids a
 * round takes seconds, and results would be twice as old. Other queries get their turns during a round as well.
 */
const REST_FACTOR = 9;
const MAX_FOLLOWED_REST_MS = 500;

/** After this time (ms) the Grids that nobody follows are refreshed after the followed ones. */
const UNFOLLOWED_SLICE_MS = 200;

/**
 * Refreshes the live documents of the Grids whose diagnostics may have changed, one round after the other: results are
 * computed, committed, and announced if they changed. Failures are retried with backoff.
 */
export class LiveDiagnosticsRefresher {
  private readonly documents: LiveDocumentWriter;
  private readonly stopped = new BehaviorSubject(false);
  private readonly wakeups = new Subject<void>();
  private readonly scheduler: SchedulerLike;
  /** By Grid: consecutive failures, and when (by the scheduler) to retry. */
  private readonly failing = new Map<string, { readonly failures: number; readonly until: number }>();
  private failures = 0;
  private round: Promise<unknown> = Promise.resolve();
  private lastMs = 0;
  /** When (by the scheduler) Grids that nobody follows are refreshed again, and the last one that was. */
  private unfollowedFrom = -Infinity;
  private lastUnfollowed: string | undefined;
  private lastUnfollowedMs = 0;
  /** When the first commit was announced that the next round will include. */
  private committedAt: number | undefined;

  constructor(private readonly parts: LiveDiagnosticsRefresherParts) {
    this.documents = new LiveDocumentWriter(parts.store, parts.feed);
    this.scheduler = parts.scheduler ?? asyncScheduler;
  }

  /** Runs until it is stopped. Call once. Never rejects. */
  async start(): Promise<void> {
    const hints = this.parts.feed.hints.pipe(
      filter(({ topic }) => topic === 'projected'),
      tap(() => (this.committedAt ??= this.scheduler.now())),
    );
    const polls = createPollingLoop(
      () => this.poll(),
      merge(hints, this.wakeups),
      this.parts.pollingIntervals ?? REFRESH_INTERVALS,
      this.scheduler,
    ).pipe(
      retry({ delay: (error) => timer(this.recordFailure(error), this.scheduler) }),
      takeUntil(this.stopped.pipe(filter((stopped) => stopped))),
    );
    await lastValueFrom(polls, { defaultValue: 'empty' });
  }

  /** A client waits for the diagnostics of a Grid: the next round starts at once. */
  wake(): void {
    this.wakeups.next();
  }

  /** Ends after the Grid in progress, and waits for it. Idempotent; may be called before `start`. */
  async stop(): Promise<void> {
    this.stopped.next(true);
    await this.round.catch(() => undefined); // its failure was logged by the pipeline or no longer matters
  }

  private poll(): Observable<PollResult> {
    return defer(() => {
      const round = this.refreshDue();
      this.round = round;
      return from(round).pipe(
        delayWhen(({ followedMs }) => timer(this.restMs(followedMs), this.scheduler)),
        map(({ refreshed }) => (refreshed > 0 ? 'drained' : 'empty')),
      );
    });
  }

  /**
   * Pause by the shorter of the last two rounds: a cold cache, or a diagnostic that is rarely due, does not predict the
   * next round.
   */
  private restMs(tookMs: number): number {
    const usualMs = Math.min(tookMs, this.lastMs);
    this.lastMs = tookMs;
    return Math.min(usualMs, MAX_FOLLOWED_REST_MS);
  }

  private async refreshDue(): Promise<{ readonly refreshed: number; readonly followedMs: number }> {
    const since = this.committedAt;
    this.committedAt = undefined;
    const due = await this.parts.source.findDueGrids();
    this.failures = 0;
    for (const gridId of this.parts.source.takeReleasedGrids()) await this.forget(gridId);
    const startedAt = this.scheduler.now();
    const followed = due.filter((gridId) => this.parts.source.isFollowed(gridId));
    const refreshed = await this.refreshAll(followed, since);
    const followedMs = this.scheduler.now() - startedAt;
    return { refreshed: refreshed + (await this.refreshUnfollowed(due, since)), followedMs };
  }

  private async refreshAll(gridIds: readonly string[], since: number | undefined, untilMs = Infinity): Promise<number> {
    let refreshed = 0;
    for (const gridId of gridIds) {
      if (this.stopped.value || this.scheduler.now() >= untilMs) return refreshed;
      if ((this.failing.get(gridId)?.until ?? 0) > this.scheduler.now()) continue;
      await this.refresh(gridId, since);
      refreshed++;
    }
    return refreshed;
  }

  /** For a limited time, in turn: those that remain are due again in the next round. */
  private async refreshUnfollowed(due: readonly string[], since: number | undefined): Promise<number> {
    const startedAt = this.scheduler.now();
    if (startedAt < this.unfollowedFrom) return 0;
    const unfollowed = due.filter((gridId) => !this.parts.source.isFollowed(gridId)).sort();
    const next = unfollowed.findIndex((gridId) => gridId > (this.lastUnfollowed ?? ''));
    const inTurn = [...unfollowed.slice(Math.max(0, next)), ...unfollowed.slice(0, Math.max(0, next))];
    const refreshed = await this.refreshAll(inTurn, since, startedAt + UNFOLLOWED_SLICE_MS);
    this.lastUnfollowed = inTurn.at(refreshed - 1);
    const tookMs = this.scheduler.now() - startedAt;
    this.unfollowedFrom = this.scheduler.now() + REST_FACTOR * Math.min(tookMs, this.lastUnfollowedMs);
    this.lastUnfollowedMs = tookMs;
    return refreshed;
  }

  private async forget(gridId: string): Promise<void> {
    this.failing.delete(gridId);
    await this.documents.remove(gridId);
  }

  private async refresh(gridId: string, since: number | undefined): Promise<void> {
    try {
      const { at, answers: results, markStored } = await this.parts.source.computeFor(gridId);
      await this.documents.write(gridId, { at, ...(since !== undefined && { since }) }, results);
      markStored();
      this.failing.delete(gridId);
    } catch (error) {
      const failures = (this.failing.get(gridId)?.failures ?? 0) + 1;
      const delayMs = backoffDelayMs(failures);
      this.failing.set(gridId, { failures, until: this.scheduler.now() + delayMs });
      this.parts.log.warn('Live diagnostics failed; retrying', { gridId, error, failures, delayMs });
    }
  }

  private recordFailure(error: unknown): number {
    const delayMs = backoffDelayMs(++this.failures);
    this.parts.log.warn('Cannot read which live diagnostics changed; retrying', {
      error,
      failures: this.failures,
      delayMs,
    });
    return delayMs;
  }
}

interface WrittenDocument {
  readonly version: number;
  /** Canonical text of the result: equal exactly if the result is unchanged. */
  readonly content: string;
}

/** Grids whose documents are remembered, to detect whether a result changed. */
const MAX_GRIDS = 1_000;

/** Writes live documents, and announces those whose result changed. */
export class LiveDocumentWriter {
  private readonly documents = new Map<string, Map<LiveTopic, WrittenDocument>>();
  /** Highest version that was removed: a client that still has it must not mistake a new result for it. */
  private highestRemovedVersion = 0;

  constructor(
    private readonly store: ReadModelStore,
    private readonly feed: LiveFeed,
  ) {}

  /** Writes the results for a Grid at one moment in one commit. */
  async write(
    gridId: string,
    times: Pick<LiveDiagnosticsDocument, 'at' | 'since'>,
    results: ReadonlyMap<LiveTopic, object>,
  ): Promise<void> {
    const before = this.documents.get(gridId) ?? (await this.load(gridId));
    const after = new Map(before);
    for (const [topic, result] of results) after.set(topic, this.nextVersion(before.get(topic), topic, result));
    await this.store.commit(
      [...results].map(([topic, result]) =>
        put({ gridId, topic, version: after.get(topic)!.version, ...times, answer: result }),
      ),
      [],
    );
    this.remember(gridId, after);
    for (const [topic, { version }] of after) {
      if (version !== before.get(topic)?.version)
        this.feed.announce({ topic: 'diagnosed', gridId, diagnostic: topic, version });
    }
  }

  /** Removes the documents of a Grid. */
  async remove(gridId: string): Promise<void> {
    const before = this.documents.get(gridId) ?? (await this.load(gridId));
    await this.store.commit(
      LIVE_TOPICS.map((topic) => ({
        kind: 'delete',
        collection: LIVE_DIAGNOSTICS,
        id: liveDiagnosticsId(gridId, topic),
      })),
      [],
    );
    this.documents.delete(gridId);
    for (const { version } of before.values())
      this.highestRemovedVersion = Math.max(this.highestRemovedVersion, version);
  }

  private async load(gridId: string): Promise<Map<LiveTopic, WrittenDocument>> {
    const found = await this.store.find(LIVE_DIAGNOSTICS, { filter: eq('gridId', gridId) });
    return new Map(
      found.map(({ document: { topic, version, answer: result } }) => [
        topic,
        { version, content: toComparableContent(topic, result) },
      ]),
    );
  }

  private nextVersion(before: WrittenDocument | undefined, topic: LiveTopic, result: object): WrittenDocument {
    const content = toComparableContent(topic, result);
    return before?.content === content
      ? before
      : { version: (before?.version ?? this.highestRemovedVersion) + 1, content };
  }

  private remember(gridId: string, documents: Map<LiveTopic, WrittenDocument>): void {
    this.documents.delete(gridId);
    this.documents.set(gridId, documents);
    if (this.documents.size > MAX_GRIDS) this.documents.delete(this.documents.keys().next().value!);
  }
}

/** Members of results are always in the same order. The time of computation is not part of the health. */
function toComparableContent(topic: LiveTopic, result: object): string {
  return JSON.stringify(topic === 'health' ? { ...result, timestamp: 0 } : result);
}

function put(document: LiveDiagnosticsDocument): DocumentChange {
  return {
    kind: 'put',
    collection: LIVE_DIAGNOSTICS,
    id: liveDiagnosticsId(document.gridId, document.topic),
    document,
  };
}
