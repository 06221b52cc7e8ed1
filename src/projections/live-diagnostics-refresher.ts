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
  readonly pace?: PollingIntervals;
  readonly scheduler?: SchedulerLike;
}

/** Twice a second while there is something to tell; without a hint, a look each second. */
const REFRESH_INTERVALS: PollingIntervals = { everyMs: 500, lookMs: 1_000 };

/** A round is followed by a rest of nine times its length: so live documents take about a tenth of a core at most. */
const REST_FACTOR = 9;

/**
 * Keeps the live documents of the Grids that have something to tell, one round after the other: answers are computed,
 * committed, and announced where they changed. What fails is tried again, after a pause that grows.
 */
export class LiveDiagnosticsRefresher {
  private readonly documents: LiveDocumentWriter;
  private readonly stopped = new BehaviorSubject(false);
  private readonly bell = new Subject<void>();
  private readonly scheduler: SchedulerLike;
  /** Failures in a row by Grid, and when (by the scheduler) it is tried again. */
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
    const turns = createPollingLoop(
      () => this.poll(),
      merge(hints, this.bell),
      this.parts.pace ?? REFRESH_INTERVALS,
      this.scheduler,
    ).pipe(
      retry({ delay: (error) => timer(this.recordFailure(error), this.scheduler) }),
      takeUntil(this.stopped.pipe(filter((stopped) => stopped))),
    );
    await lastValueFrom(turns, { defaultValue: 'empty' });
  }

  /** Somebody waits for the answers of a Grid: after a pause a round begins at once. */
  wake(): void {
    this.bell.next();
  }

  /** Ends it after the Grid under way, and waits for that. Legal twice, and before the start. */
  async stop(): Promise<void> {
    this.stopped.next(true);
    await this.round.catch(() => undefined); // its failure was reported by the pipeline, or no longer matters
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

  /** By the shorter of the last two rounds: a cold cache, or an answer that is seldom due, says nothing of the next. */
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
      const { at, answers, markStored: kept } = await this.parts.source.computeFor(gridId);
      await this.documents.write(gridId, at, answers);
      kept();
      this.failing.delete(gridId);
    } catch (error) {
      const failures = (this.failing.get(gridId)?.failures ?? 0) + 1;
      const delayMs = backoffDelayMs(failures);
      this.failing.set(gridId, { failures, until: this.scheduler.now() + delayMs });
      this.parts.log.warn('live diagnostics failed and will be tried again', { gridId, error, failures, delayMs });
    }
  }

  private recordFailure(error: unknown): number {
    const delayMs = backoffDelayMs(++this.failures);
    this.parts.log.warn('live diagnostics cannot read what changed and will try again', {
      error,
      failures: this.failures,
      delayMs,
    });
    return delayMs;
  }
}

interface WrittenDocument {
  readonly version: number;
  /** What makes the answer another one. */
  readonly content: string;
}

/** Grids whose documents are remembered, to tell a changed answer from the same. */
const MAX_GRIDS = 1_000;

/** Writes live documents, and announces those whose answer differs from the one before. */
export class LiveDocumentWriter {
  private readonly kept = new Map<string, Map<LiveTopic, WrittenDocument>>();
  /** Highest version that was forgotten: whoever remembers it must not take another answer for the same. */
  private forgotten = 0;

  constructor(
    private readonly store: ReadModelStore,
    private readonly feed: LiveFeed,
  ) {}

  /** Answers about a Grid of one moment, in one commit. */
  async write(gridId: string, at: number, answers: ReadonlyMap<LiveTopic, object>): Promise<void> {
    const before = this.kept.get(gridId) ?? (await this.load(gridId));
    const after = new Map(before);
    for (const [topic, answer] of answers) after.set(topic, this.nextVersion(before.get(topic), topic, answer));
    await this.store.commit(
      [...answers].map(([topic, answer]) => put({ gridId, topic, version: after.get(topic)!.version, at, answer })),
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
    const before = this.kept.get(gridId) ?? (await this.load(gridId));
    await this.store.commit(
      LIVE_TOPICS.map((topic) => ({
        kind: 'delete',
        collection: LIVE_DIAGNOSTICS,
        id: liveDiagnosticsId(gridId, topic),
      })),
      [],
    );
    this.kept.delete(gridId);
    for (const { version } of before.values()) this.forgotten = Math.max(this.forgotten, version);
  }

  private async load(gridId: string): Promise<Map<LiveTopic, WrittenDocument>> {
    const found = await this.store.find(LIVE_DIAGNOSTICS, { filter: eq('gridId', gridId) });
    return new Map(
      found.map(({ document: { topic, version, answer } }) => [
        topic,
        { version, content: toComparableContent(topic, answer) },
      ]),
    );
  }

  private nextVersion(before: WrittenDocument | undefined, topic: LiveTopic, answer: object): WrittenDocument {
    const content = toComparableContent(topic, answer);
    return before?.content === content ? before : { version: (before?.version ?? this.forgotten) + 1, content };
  }

  private remember(gridId: string, documents: Map<LiveTopic, WrittenDocument>): void {
    this.kept.delete(gridId);
    this.kept.set(gridId, documents);
    if (this.kept.size > MAX_GRIDS) this.kept.delete(this.kept.keys().next().value!);
  }
}

/** Answers name their members in one order. When health was computed is no part of what it says. */
function toComparableContent(topic: LiveTopic, answer: object): string {
  return JSON.stringify(topic === 'health' ? { ...answer, timestamp: 0 } : answer);
}

function put(document: LiveDiagnosticsDocument): DocumentChange {
  return {
    kind: 'put',
    collection: LIVE_DIAGNOSTICS,
    id: liveDiagnosticsId(document.gridId, document.topic),
    document,
  };
}
