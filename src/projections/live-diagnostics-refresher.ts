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
 * A round is followed by a pause of nine times its duration, so that live documents use about a tenth of a core at
 * most.
 */
const REST_FACTOR = 9;

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

  constructor(private readonly parts: LiveDiagnosticsRefresherParts) {
    this.documents = new LiveDocumentWriter(parts.store, parts.feed);
    this.scheduler = parts.scheduler ?? asyncScheduler;
  }

  /** Runs until it is stopped. Call once. Never rejects. */
  async start(): Promise<void> {
    const hints = this.parts.feed.hints.pipe(filter(({ topic }) => topic === 'projected'));
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
      const startedAt = this.scheduler.now();
      const round = this.refreshDue();
      this.round = round;
      return from(round).pipe(
        delayWhen(() => timer(this.restMs(this.scheduler.now() - startedAt), this.scheduler)),
        map((refreshed) => (refreshed > 0 ? 'drained' : 'empty')),
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
    return usualMs * REST_FACTOR;
  }

  private async refreshDue(): Promise<number> {
    const due = await this.parts.source.findDueGrids();
    this.failures = 0;
    for (const gridId of this.parts.source.takeReleasedGrids()) await this.forget(gridId);
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
    await this.documents.remove(gridId);
  }

  private async refresh(gridId: string): Promise<void> {
    try {
      const { at, answers: results, markStored } = await this.parts.source.computeFor(gridId);
      await this.documents.write(gridId, at, results);
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

/** Grids whose documents are remembered, to tell whether a result changed. */
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
  async write(gridId: string, at: number, results: ReadonlyMap<LiveTopic, object>): Promise<void> {
    const before = this.documents.get(gridId) ?? (await this.load(gridId));
    const after = new Map(before);
    for (const [topic, result] of results) after.set(topic, this.nextVersion(before.get(topic), topic, result));
    await this.store.commit(
      [...results].map(([topic, result]) =>
        put({ gridId, topic, version: after.get(topic)!.version, at, answer: result }),
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
