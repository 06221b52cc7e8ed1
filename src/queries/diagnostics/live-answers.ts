import { framesOf, HISTORY_LENGTHS, MINUTE_MS } from '../../diagnostics/timeframe.js';
import { ALERTS_PROJECTION } from '../../read-models/alerts.js';
import type { LiveAnswersOfGrid, LiveTopic } from '../../read-models/live-diagnostics.js';
import { activeVersion } from '../../read-models/projections.js';
import type { ReadModelReader } from '../../read-models/store.js';
import type { Turn } from '../giving-way.js';
import { needOf, partFor } from './answering.js';
import type { AskedLately } from './asked-lately.js';
import type { CurrentAnswers } from './current-answers.js';
import type { DiagnosticsData } from './diagnostics-data.js';
import { LIVE_QUESTIONS } from './live-questions.js';
import type { AskTraces, Question } from './question.js';

/** Rates divide by now: so often (ms) they are computed anew where nothing else has changed. */
const RATES_MS = 5_000;

/** A topic rests twenty times as long as it took: one that takes long is told of less often, and does not hold the others up. */
const PAUSE = 20;

const TOPICS = Object.keys(LIVE_QUESTIONS) as LiveTopic[];

/** Longest stretch of the past that a live answer looks at. */
const LOOKS_BACK_MINUTES = HISTORY_LENGTHS.currentMinutes + HISTORY_LENGTHS.baselineMinutes;

/** How a topic of a Grid was computed last. */
interface Refresh {
  readonly look: number;
  readonly at: number;
  readonly settled: Settled;
  readonly tookMs: number;
}

/** What answers are made of, beside telemetry. */
interface Moment {
  readonly now: number;
  readonly settled: Settled;
}

/** How far the logs of Grids and of alerts are projected. */
interface Settled {
  readonly settings: string;
  readonly alerts: string;
}

/** Computes the answers that are kept current, and tells of which Grids they may have changed. */
export class LiveAnswers {
  private readonly refreshes = new Map<string, Map<LiveTopic, Refresh>>();

  constructor(
    private readonly store: ReadModelReader,
    private readonly data: DiagnosticsData,
    private readonly current: CurrentAnswers,
    /** Grids whose answers are kept current; absent: all. */
    private readonly asked?: AskedLately,
    private readonly stopwatch: () => number = () => performance.now(),
  ) {}

  /**
   * Grids whose answers may differ from those that were kept last: telemetry, an alert or a setting has come, the
   * window has moved, or rates have grown old. Grids without telemetry in the windows of any answer are none of them.
   */
  async due(): Promise<readonly string[]> {
    const { rollups } = this.data;
    const grids = this.asked?.grids();
    await (grids === undefined ? rollups.lookAtShares() : rollups.lookAtGrids(grids));
    const moment = await this.moment();
    for (const gridId of this.refreshes.keys()) if (!this.isAwake(gridId, moment.now)) this.refreshes.delete(gridId);
    return [...(grids ?? rollups.grids())].filter((gridId) => this.isAwake(gridId, moment.now) && TOPICS.some((topic) => this.isDue(gridId, topic, moment)));
  }

  /** Grids whose answers are kept no longer; each is told once. */
  released(): readonly string[] {
    const released = this.asked?.takeLeft() ?? [];
    for (const gridId of released) {
      this.refreshes.delete(gridId);
      this.current.forget(gridId);
    }
    return released;
  }

  /** Those of the due topics; all that they look at is read once. */
  async of(gridId: string, turn: Turn, traces: AskTraces): Promise<LiveAnswersOfGrid> {
    const moment = await this.moment();
    const look = await this.data.rollups.look(gridId);
    const asked = TOPICS.filter((topic) => this.isDue(gridId, topic, moment)).map((topic) => askedAt(topic, moment.now));
    const input = await this.data.input(gridId, asked.map(({ need }) => need));
    const answers = new Map<LiveTopic, object>();
    const refreshes = new Map(this.refreshes.get(gridId));
    for (const { topic, question, frames, need } of asked) {
      await turn.giveWay();
      const startedAt = this.stopwatch();
      answers.set(topic, await question.answer(partFor(input, need), frames, traces));
      refreshes.set(topic, { look, at: moment.now, settled: moment.settled, tookMs: this.stopwatch() - startedAt });
    }
    const settings = JSON.stringify(input.settings);
    const kept = (): void => {
      this.refreshes.set(gridId, refreshes);
      for (const topic of answers.keys()) this.current.refreshedAt(gridId, topic, look, settings);
    };
    return { at: moment.now, answers, kept };
  }

  /** Its answer may be another by now, and it does not take more than its share of the thread, unless somebody has changed settings and waits for it. */
  private isDue(gridId: string, topic: LiveTopic, { now, settled }: Moment): boolean {
    const last = this.refreshes.get(gridId)?.get(topic);
    if (last === undefined) return true;
    if (last.settled.settings !== settled.settings) return true;
    const isOutdated = last.settled.alerts !== settled.alerts || this.data.rollups.lastChange(gridId) > last.look || hasMoved(last.at, now);
    // A clock that was set back must not hold answers up until it is where it was.
    return isOutdated && (now < last.at || now >= last.at + last.tookMs * PAUSE);
  }

  private isAwake(gridId: string, now: number): boolean {
    const newest = this.data.rollups.newestMinute(gridId);
    return newest !== undefined && newest >= Math.floor(now / MINUTE_MS) - LOOKS_BACK_MINUTES;
  }

  private async moment(): Promise<Moment> {
    const settled: Settled = { settings: await this.positionOf('access'), alerts: await this.positionOf(ALERTS_PROJECTION) };
    return { now: this.data.clock(), settled };
  }

  private async positionOf(projection: string): Promise<string> {
    const version = await activeVersion(this.store, projection);
    return `${version}/${await this.store.checkpoint(`${projection}.v${version}`)}`;
  }
}

function askedAt(topic: LiveTopic, nowMs: number) {
  const question: Question<object> = LIVE_QUESTIONS[topic];
  const frames = framesOf({}, nowMs, question.lengths);
  return { topic, question, frames, need: needOf(question, frames) };
}

function hasMoved(at: number, now: number): boolean {
  return now >= at + RATES_MS || Math.floor(at / MINUTE_MS) !== Math.floor(now / MINUTE_MS);
}
