import { resolveAnalysisWindows, HISTORY_WINDOW_LENGTHS, MINUTE_MS } from '../../diagnostics/time-windows.js';
import { ALERTS_PROJECTION } from '../../read-models/documents/alert-documents.js';
import type { GridLiveDiagnostics, LiveTopic } from '../../read-models/documents/live-diagnostics-documents.js';
import { readActiveVersion } from '../../read-models/documents/projection-documents.js';
import type { ReadModelReader } from '../../read-models/read-model-store.js';
import type { TimeSlice } from '../scheduling/cooperative-scheduler.js';
import { type DiagnosticsInputReader, inputRequirement, restrictInput } from './diagnostics-input-reader.js';
import type { RecentlyQueriedGrids } from './recently-queried-grids.js';
import type { DiagnosticsResultCache } from './diagnostics-result-cache.js';
import { type CountImpactedTraces, type DiagnosticQuery, LIVE_QUERIES } from './diagnostic-query-definitions.js';

/** Rates divide by now: so often (ms) they are computed anew where nothing else has changed. */
const RATE_REFRESH_MS = 5_000;

/** A topic rests twenty times as long as it took: one that takes long is told of less often, and does not hold the others up. */
const PAUSE_FACTOR = 20;

const TOPICS = Object.keys(LIVE_QUERIES) as LiveTopic[];

/** Longest stretch of the past that a live answer looks at. */
const LOOKBACK_MINUTES = HISTORY_WINDOW_LENGTHS.currentMinutes + HISTORY_WINDOW_LENGTHS.baselineMinutes;

/** How a topic of a Grid was computed last. */
interface TopicRefresh {
  readonly look: number;
  readonly at: number;
  readonly settled: ProjectionPositions;
  readonly tookMs: number;
}

/** What answers are made of, beside telemetry. */
interface RefreshContext {
  readonly now: number;
  readonly settled: ProjectionPositions;
}

/** How far the logs of Grids and of alerts are projected. */
interface ProjectionPositions {
  readonly settings: string;
  readonly alerts: string;
}

/** Computes the answers that are kept current, and tells of which Grids they may have changed. */
export class LiveDiagnosticsRefresher {
  private readonly refreshes = new Map<string, Map<LiveTopic, TopicRefresh>>();

  constructor(
    private readonly store: ReadModelReader,
    private readonly data: DiagnosticsInputReader,
    private readonly current: DiagnosticsResultCache,
    /** Grids whose answers are kept current; absent: all. */
    private readonly asked?: RecentlyQueriedGrids,
    private readonly stopwatch: () => number = () => performance.now(),
  ) {}

  /**
   * Grids whose answers may differ from those that were kept last: telemetry, an alert or a setting has come, the
   * window has moved, or rates have grown old. Grids without telemetry in the windows of any answer are none of them.
   */
  async findDueGrids(): Promise<readonly string[]> {
    const { rollups } = this.data;
    const grids = this.asked?.grids();
    await (grids === undefined ? rollups.refreshShards() : rollups.refreshGrids(grids));
    const moment = await this.readRefreshContext();
    for (const gridId of this.refreshes.keys())
      if (!this.hasRecentTelemetry(gridId, moment.now)) this.refreshes.delete(gridId);
    return [...(grids ?? rollups.grids())].filter(
      (gridId) =>
        this.hasRecentTelemetry(gridId, moment.now) && TOPICS.some((topic) => this.isDue(gridId, topic, moment)),
    );
  }

  /** Grids whose answers are kept no longer; each is told once. */
  takeReleasedGrids(): readonly string[] {
    const released = this.asked?.takeEvicted() ?? [];
    for (const gridId of released) {
      this.refreshes.delete(gridId);
      this.current.evict(gridId);
    }
    return released;
  }

  /** Those of the due topics; all that they look at is read once. */
  async refresh(gridId: string, turn: TimeSlice, traces: CountImpactedTraces): Promise<GridLiveDiagnostics> {
    const moment = await this.readRefreshContext();
    const look = await this.data.rollups.refresh(gridId);
    const asked = TOPICS.filter((topic) => this.isDue(gridId, topic, moment)).map((topic) =>
      prepareTopic(topic, moment.now),
    );
    const input = await this.data.readInput(
      gridId,
      asked.map(({ need }) => need),
    );
    const answers = new Map<LiveTopic, object>();
    const refreshes = new Map(this.refreshes.get(gridId));
    for (const { topic, question, frames, need } of asked) {
      await turn.yieldIfDue();
      const startedAt = this.stopwatch();
      answers.set(topic, await question.answer(restrictInput(input, need), frames, traces));
      refreshes.set(topic, { look, at: moment.now, settled: moment.settled, tookMs: this.stopwatch() - startedAt });
    }
    const settings = JSON.stringify(input.settings);
    const kept = (): void => {
      this.refreshes.set(gridId, refreshes);
      for (const topic of answers.keys()) this.current.markRefreshed(gridId, topic, look, settings);
    };
    return { at: moment.now, answers, markStored: kept };
  }

  /** Its answer may be another by now, and it does not take more than its share of the thread, unless somebody has changed settings and waits for it. */
  private isDue(gridId: string, topic: LiveTopic, { now, settled }: RefreshContext): boolean {
    const last = this.refreshes.get(gridId)?.get(topic);
    if (last === undefined) return true;
    if (last.settled.settings !== settled.settings) return true;
    const isOutdated =
      last.settled.alerts !== settled.alerts ||
      this.data.rollups.lastChange(gridId) > last.look ||
      hasWindowMoved(last.at, now);
    // A clock that was set back must not hold answers up until it is where it was.
    return isOutdated && (now < last.at || now >= last.at + last.tookMs * PAUSE_FACTOR);
  }

  private hasRecentTelemetry(gridId: string, now: number): boolean {
    const newest = this.data.rollups.newestMinute(gridId);
    return newest !== undefined && newest >= Math.floor(now / MINUTE_MS) - LOOKBACK_MINUTES;
  }

  private async readRefreshContext(): Promise<RefreshContext> {
    const settled: ProjectionPositions = {
      settings: await this.readProjectionPosition('access'),
      alerts: await this.readProjectionPosition(ALERTS_PROJECTION),
    };
    return { now: this.data.clock(), settled };
  }

  private async readProjectionPosition(projection: string): Promise<string> {
    const version = await readActiveVersion(this.store, projection);
    return `${version}/${await this.store.readCheckpoint(`${projection}.v${version}`)}`;
  }
}

function prepareTopic(topic: LiveTopic, nowMs: number) {
  const question: DiagnosticQuery<object> = LIVE_QUERIES[topic];
  const frames = resolveAnalysisWindows({}, nowMs, question.lengths);
  return { topic, question, frames, need: inputRequirement(question, frames) };
}

function hasWindowMoved(at: number, now: number): boolean {
  return now >= at + RATE_REFRESH_MS || Math.floor(at / MINUTE_MS) !== Math.floor(now / MINUTE_MS);
}
