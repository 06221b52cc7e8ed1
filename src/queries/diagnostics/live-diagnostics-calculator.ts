import { resolveAnalysisWindows, HISTORY_WINDOW_LENGTHS, MINUTE_MS } from '../../diagnostics/time-windows.js';
import { ALERTS_PROJECTION } from '../../read-models/documents/alert-documents.js';
import type { GridLiveDiagnostics, LiveTopic } from '../../read-models/documents/live-diagnostics-documents.js';
import { readActiveVersion } from '../../read-models/documents/projection-documents.js';
import type { ReadModelReader } from '../../read-models/read-model-store.js';
import type { Diagnosis } from '../../diagnostics/diagnostic-results.js';
import type { TimeSlice } from '../scheduling/cooperative-scheduler.js';
import { type DiagnosticsInputReader, inputRequirement, restrictInput } from './diagnostics-input-reader.js';
import { SubscribedTopics } from './subscribed-topics.js';
import type { RecentlyQueriedGrids } from './recently-queried-grids.js';
import type { DiagnosticsResultCache } from './diagnostics-result-cache.js';
import { type CountImpactedTraces, type DiagnosticQuery, LIVE_QUERIES } from './diagnostic-query-definitions.js';

/** Rates depend on the current time, so they are recomputed at this interval (ms) even without changes. */
const RATE_REFRESH_MS = 5_000;

/**
 * After a refresh, a topic pauses for this multiple of the time it took, so that expensive topics do not delay the
 * others.
 */
const PAUSE_FACTOR = 20;

const TOPICS = Object.keys(LIVE_QUERIES) as LiveTopic[];

/** Pause (ms) between refreshes of a topic that nobody follows, of a Grid of which others are followed. */
const SECONDARY_PAUSE_MS = 5_000;

/** Longest time range of any live query. */
const LOOKBACK_MINUTES = HISTORY_WINDOW_LENGTHS.currentMinutes + HISTORY_WINDOW_LENGTHS.baselineMinutes;

/** The last refresh of a topic of a Grid. */
interface TopicRefresh {
  readonly rollupChange: number;
  readonly at: number;
  readonly positions: ProjectionPositions;
  readonly tookMs: number;
}

/** Input of live queries beside telemetry. */
interface RefreshContext {
  readonly now: number;
  readonly positions: ProjectionPositions;
}

/** Checkpoints of the projections of Grid settings and of alerts. */
interface ProjectionPositions {
  readonly settings: string;
  readonly alerts: string;
}

/** Their results name causes of the diagnosis, and are refreshed with it. */
const CAUSE_TOPICS = TOPICS.filter((topic) => 'nameCauses' in LIVE_QUERIES[topic]);

/** Refreshes the results that are kept up to date, and determines which Grids need a refresh. */
export class LiveDiagnosticsCalculator {
  private readonly refreshes = new Map<string, Map<LiveTopic, TopicRefresh>>();
  /** The last diagnosis by Grid, for results that name causes. */
  private readonly diagnoses = new Map<string, readonly Diagnosis[]>();

  constructor(
    private readonly store: ReadModelReader,
    private readonly inputReader: DiagnosticsInputReader,
    private readonly results: DiagnosticsResultCache,
    /** Grids whose results are kept up to date. Default: all. */
    private readonly recentGrids?: RecentlyQueriedGrids,
    private readonly followed: SubscribedTopics = new SubscribedTopics(),
    private readonly monotonicClock: () => number = () => performance.now(),
  ) {}

  /**
   * Grids whose results may have changed since their last refresh: new telemetry, alerts or settings, a moved window,
   * or outdated rates. Grids without telemetry in the window of any query are not included.
   */
  async findDueGrids(): Promise<readonly string[]> {
    const { rollups } = this.inputReader;
    const grids = this.recentGrids?.grids();
    await (grids === undefined ? rollups.refreshShards() : rollups.refreshGrids(grids));
    const context = await this.readRefreshContext();
    for (const gridId of this.refreshes.keys()) if (!this.hasRecentTelemetry(gridId, context.now)) this.forget(gridId);
    return [...(grids ?? rollups.grids())].filter(
      (gridId) =>
        this.hasRecentTelemetry(gridId, context.now) && TOPICS.some((topic) => this.isDue(gridId, topic, context)),
    );
  }

  /** Grids whose results are no longer kept up to date; each is returned once. */
  takeReleasedGrids(): readonly string[] {
    const released = this.recentGrids?.takeEvicted() ?? [];
    for (const gridId of released) {
      this.forget(gridId);
      this.results.evict(gridId);
    }
    return released;
  }

  private forget(gridId: string): void {
    this.refreshes.delete(gridId);
    this.diagnoses.delete(gridId);
  }

  /** Computes the topics that are due; the input of all of them is read once. */
  async refresh(gridId: string, timeSlice: TimeSlice, countTraces: CountImpactedTraces): Promise<GridLiveDiagnostics> {
    const context = await this.readRefreshContext();
    const rollupChange = await this.inputReader.rollups.refresh(gridId);
    const dueTopics = this.findDueTopics(gridId, context).map((topic) => prepareTopic(topic, context.now));
    const input = await this.inputReader.readInput(
      gridId,
      dueTopics.map(({ need: requirement }) => requirement),
      timeSlice,
    );
    const answers = new Map<LiveTopic, object>();
    const refreshes = new Map(this.refreshes.get(gridId));
    let diagnoses = this.diagnoses.get(gridId) ?? [];
    for (const { topic, query, frames: windows, need: requirement } of dueTopics) {
      await timeSlice.yieldIfDue();
      const startedAt = this.monotonicClock();
      const answer = await query.compute(restrictInput(input, requirement), windows, { timeSlice, countTraces });
      if (topic === 'diagnosis') diagnoses = answer as readonly Diagnosis[];
      answers.set(topic, query.nameCauses?.(answer, diagnoses) ?? answer);
      refreshes.set(topic, {
        rollupChange,
        at: context.now,
        positions: context.positions,
        tookMs: this.monotonicClock() - startedAt,
      });
    }
    const settings = JSON.stringify(input.settings);
    const markStored = (): void => {
      this.refreshes.set(gridId, refreshes);
      this.diagnoses.set(gridId, diagnoses);
      for (const topic of answers.keys()) this.results.markRefreshed(gridId, topic, rollupChange, settings);
    };
    return { at: context.now, answers, markStored };
  }

  /** The diagnosis comes first, and results that name its causes are due with it. */
  private findDueTopics(gridId: string, context: RefreshContext): readonly LiveTopic[] {
    const due = new Set(TOPICS.filter((topic) => this.isDue(gridId, topic, context)));
    if (!due.delete('diagnosis')) return [...due];
    return [...new Set<LiveTopic>(['diagnosis', ...CAUSE_TOPICS, ...due])];
  }

  /**
   * True if the result may have changed and the pause of the topic is over. Changed settings skip the pause, because
   * a user is waiting for the effect.
   */
  private isDue(gridId: string, topic: LiveTopic, { now, positions }: RefreshContext): boolean {
    const last = this.refreshes.get(gridId)?.get(topic);
    if (last === undefined) return true;
    if (last.positions.settings !== positions.settings) return true;
    const isOutdated =
      last.positions.alerts !== positions.alerts ||
      this.inputReader.rollups.lastChange(gridId) > last.rollupChange ||
      hasWindowMoved(last.at, now);
    // If the clock was set back, refresh at once instead of waiting until it catches up.
    return isOutdated && (now < last.at || now >= last.at + this.pauseMs(gridId, topic, last.tookMs));
  }

  /** Beside topics that clients follow, the others of a Grid are refreshed less often. */
  private pauseMs(gridId: string, topic: LiveTopic, tookMs: number): number {
    const usualMs = tookMs * PAUSE_FACTOR;
    const needing: readonly LiveTopic[] = topic === 'diagnosis' ? [topic, ...CAUSE_TOPICS] : [topic];
    const isSecondary = this.followed.hasGrid(gridId) && !needing.some((each) => this.followed.hasTopic(gridId, each));
    return isSecondary ? Math.max(SECONDARY_PAUSE_MS, usualMs) : usualMs;
  }

  private hasRecentTelemetry(gridId: string, now: number): boolean {
    const newest = this.inputReader.rollups.newestMinute(gridId);
    return newest !== undefined && newest >= Math.floor(now / MINUTE_MS) - LOOKBACK_MINUTES;
  }

  private async readRefreshContext(): Promise<RefreshContext> {
    const positions: ProjectionPositions = {
      settings: await this.readProjectionPosition('access'),
      alerts: await this.readProjectionPosition(ALERTS_PROJECTION),
    };
    return { now: this.inputReader.clock(), positions };
  }

  private async readProjectionPosition(projection: string): Promise<string> {
    const version = await readActiveVersion(this.store, projection);
    return `${version}/${await this.store.readCheckpoint(`${projection}.v${version}`)}`;
  }
}

function prepareTopic(topic: LiveTopic, nowMs: number) {
  const query: DiagnosticQuery<object> = LIVE_QUERIES[topic];
  const windows = resolveAnalysisWindows({}, nowMs, query.lengths);
  return { topic, query, frames: windows, need: inputRequirement(query, windows) };
}

function hasWindowMoved(at: number, now: number): boolean {
  return now >= at + RATE_REFRESH_MS || Math.floor(at / MINUTE_MS) !== Math.floor(now / MINUTE_MS);
}
