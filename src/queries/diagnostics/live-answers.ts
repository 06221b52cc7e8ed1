import { framesOf, HISTORY_LENGTHS, MINUTE_MS } from '../../diagnostics/timeframe.js';
import { ALERTS_PROJECTION } from '../../read-models/alerts.js';
import type { LiveTopic } from '../../read-models/live-diagnostics.js';
import { activeVersion } from '../../read-models/projections.js';
import type { ReadModelReader } from '../../read-models/store.js';
import type { Turn } from '../giving-way.js';
import { needOf, partFor } from './answering.js';
import type { CurrentAnswers } from './current-answers.js';
import type { DiagnosticsData } from './diagnostics-data.js';
import { LIVE_QUESTIONS } from './live-questions.js';
import type { AskTraces, Question } from './question.js';

/** Rates divide by now: so often (ms) they are computed anew where nothing else has changed. */
const RATES_MS = 5_000;

/** Longest stretch of the past that a live answer looks at. */
const LOOKS_BACK_MINUTES = HISTORY_LENGTHS.currentMinutes + HISTORY_LENGTHS.baselineMinutes;

/** All live answers about one Grid. */
export interface LiveAnswersOfGrid {
  /** The moment that they are about, ms. */
  readonly at: number;
  readonly answers: ReadonlyMap<LiveTopic, object>;
  /** Call once they can be read. */
  readonly kept: () => void;
}

interface Refresh {
  readonly look: number;
  readonly at: number;
  readonly settled: string;
}

/** Computes the answers that are kept current, and tells of which Grids they may have changed. */
export class LiveAnswers {
  private readonly refreshes = new Map<string, Refresh>();

  constructor(
    private readonly store: ReadModelReader,
    private readonly data: DiagnosticsData,
    private readonly current: CurrentAnswers,
  ) {}

  /**
   * Grids whose answers may differ from those that were kept last: telemetry, an alert or a setting has come, the
   * window has moved, or rates have grown old. Grids without telemetry in the windows of any answer are none of them.
   */
  async due(): Promise<readonly string[]> {
    const { rollups } = this.data;
    await rollups.look();
    const settled = await this.settled();
    const now = this.data.clock();
    return [...rollups.grids()].filter((gridId) => {
      if (!this.isAwake(gridId, now)) {
        this.refreshes.delete(gridId);
        return false;
      }
      const last = this.refreshes.get(gridId);
      return last === undefined || last.settled !== settled || rollups.lastChange(gridId) > last.look || hasMoved(last.at, now);
    });
  }

  /** All parts are read once. */
  async of(gridId: string, turn: Turn, traces: AskTraces): Promise<LiveAnswersOfGrid> {
    const settled = await this.settled();
    const look = await this.data.rollups.look();
    const at = this.data.clock();
    const asked = askedAt(at);
    const input = await this.data.input(gridId, asked.map(({ need }) => need));
    const answers = new Map<LiveTopic, object>();
    for (const { topic, question, frames, need } of asked) {
      await turn.giveWay();
      answers.set(topic, await question.answer(partFor(input, need), frames, traces));
    }
    const kept = (): void => {
      this.refreshes.set(gridId, { look, at, settled });
      this.current.refreshedAt(gridId, look);
    };
    return { at, answers, kept };
  }

  private isAwake(gridId: string, now: number): boolean {
    const newest = this.data.rollups.newestMinute(gridId);
    return newest !== undefined && newest >= Math.floor(now / MINUTE_MS) - LOOKS_BACK_MINUTES;
  }

  /** How far the log of Grids and alerts is projected. */
  private async settled(): Promise<string> {
    const positions: string[] = [];
    for (const projection of ['access', ALERTS_PROJECTION]) {
      const version = await activeVersion(this.store, projection);
      positions.push(`${version}/${await this.store.checkpoint(`${projection}.v${version}`)}`);
    }
    return positions.join();
  }
}

function askedAt(nowMs: number) {
  return Object.entries<Question<object>>(LIVE_QUESTIONS).map(([topic, question]) => {
    const frames = framesOf({}, nowMs, question.lengths);
    return { topic: topic as LiveTopic, question, frames, need: needOf(question, frames) };
  });
}

function hasMoved(at: number, now: number): boolean {
  return now >= at + RATES_MS || Math.floor(at / MINUTE_MS) !== Math.floor(now / MINUTE_MS);
}
