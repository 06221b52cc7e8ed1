import type { When } from '../../diagnostics/timeframe.js';
import { HindsightError } from '../../errors.js';
import type { LiveSource, LiveTopic } from '../../read-models/live-diagnostics.js';
import type { GridRollups } from '../../read-models/rollups/grid-rollups.js';
import { RollupReader } from '../../read-models/rollups/rollup-reader.js';
import type { ReaderOf } from '../../read-models/shares/readers-by-grid.js';
import type { ReadModelReader } from '../../read-models/store.js';
import { createAlertQueries } from '../alerts.js';
import type { Turn } from '../giving-way.js';
import { QuestionsUnderWay, type QuestionLimits } from '../questions-under-way.js';
import { TelemetryBlocks } from '../telemetry-blocks.js';
import { alertsQuestion } from './alerts.js';
import { answerTo } from './answering.js';
import type { AskedLately } from './asked-lately.js';
import { awakeGrids } from './awake-grids.js';
import { backtestOf } from './backtest.js';
import { compareWindows } from './compare.js';
import { CurrentAnswers } from './current-answers.js';
import { DiagnosticsData } from './diagnostics-data.js';
import { evaluationsOf } from './evaluations.js';
import { ImpactedTraces } from './impacted-traces.js';
import { LiveAnswers } from './live-answers.js';
import { LIVE_QUESTIONS } from './live-questions.js';
import type { AskTraces, Question } from './question.js';
import type { DiagnosticsQueries } from './questions.js';
import { detailOfService } from './service-detail.js';

/** Decoded columns of span blocks kept for counting traces. */
const BLOCK_CACHE_BYTES = 96 * 1024 * 1024;

export interface DiagnosticsParts {
  readonly store: ReadModelReader;
  /** Where Grids are shared out: who reads what is known of one. Default: the store. */
  readonly readerOf?: ReaderOf;
  /** Where the live documents are. */
  readonly live: ReadModelReader;
  /** ms since 1970. Default: the clock of the machine. */
  readonly now?: () => number;
  readonly limits?: QuestionLimits;
  /** Shared with other questions of the same thread; one of its own unless given. */
  readonly rollups?: GridRollups;
  /** Told of every question about now: the answers of these Grids are kept current, and of no others. Absent: those of all. */
  readonly asked?: AskedLately;
  /** Bound of the decoded columns that are kept. */
  readonly blockCacheBytes?: number;
}

/** All questions of diagnostics, over one cache and one thread's time: make one a thread. */
export function createDiagnosticsQueries({
  store, readerOf = () => store, live, now = Date.now, limits = {}, rollups = new RollupReader(store), asked, blockCacheBytes = BLOCK_CACHE_BYTES,
}: DiagnosticsParts): {
  readonly queries: DiagnosticsQueries;
  /** What the live documents are made with. */
  readonly liveSource: LiveSource;
} {
  const data = new DiagnosticsData(readerOf, rollups, createAlertQueries(store), now);
  const current = new CurrentAnswers(live, data.rollups, now, async (gridId) => JSON.stringify(await data.settings(gridId)));
  const liveAnswers = new LiveAnswers(store, data, current, asked);
  const impacted = new ImpactedTraces(new TelemetryBlocks(readerOf, blockCacheBytes));
  const underWay = new QuestionsUnderWay(limits);
  // Apart from what people ask: however many do, alerts fire and live documents stay current.
  const ownUnderWay = new QuestionsUnderWay(limits);
  const tracesOf = (gridId: string, turn: Turn): AskTraces => (impact, telling) => impacted.count(gridId, impact, telling, turn);
  const compute = <Answer extends object>(gridId: string, question: Question<Answer>, when: When): Promise<Answer> =>
    underWay.answer((turn) => answerTo(data, gridId, question, when, tracesOf(gridId, turn)));
  const ask = <Answer extends object>(topic: LiveTopic, question: Question<Answer>) => (gridId: string, when: When): Promise<Answer> => {
    if (!isNow(when)) return compute(gridId, question, when);
    asked?.note(gridId); // without room its answers are computed
    return current.answer(gridId, topic, () => compute(gridId, question, when));
  };
  const queries: DiagnosticsQueries = {
    health: ask('health', LIVE_QUESTIONS.health),
    alerts: (gridId, when) => compute(gridId, alertsQuestion(when), when),
    diagnosis: ask('diagnosis', LIVE_QUESTIONS.diagnosis),
    pressure: ask('pressure', LIVE_QUESTIONS.pressure),
    trends: ask('trends', LIVE_QUESTIONS.trends),
    serviceMap: ask('services', LIVE_QUESTIONS.services),
    timeline: ask('timeline', LIVE_QUESTIONS.timeline),
    slowestEndpoints: ask('slowest-endpoints', LIVE_QUESTIONS['slowest-endpoints']),
    changes: ask('changes', LIVE_QUESTIONS.changes),
    serviceDetail: (gridId, serviceName, when) => underWay.answer(() => detailOfService(data, gridId, serviceName, when)),
    compare: (gridId, window, baseline) => underWay.answer(() => compareWindows(data, gridId, window, baseline)),
    backtest: (gridId, rule, range) => underWay.answer((turn) => backtestOf(data, gridId, rule, range, turn)),
    evaluations: (gridId) => ownUnderWay.answer((turn) => evaluationsOf(data, gridId, turn)),
    alertRules: (gridId) => data.alerts.alertRules(gridId),
    awakeGrids: (shares) => awakeGrids(data, shares),
    async live(gridId, topic) {
      if (asked?.note(gridId) === false) throw new HindsightError('overloaded', 'the answers of as many Grids are kept current as may be');
      return current.document(gridId, topic);
    },
  };
  const liveSource: LiveSource = {
    due: () => liveAnswers.due(),
    of: (gridId) => ownUnderWay.answer((turn) => liveAnswers.of(gridId, turn, tracesOf(gridId, turn))),
    released: () => liveAnswers.released(),
  };
  return { queries, liveSource };
}

function isNow({ asOfMs, range }: When): boolean {
  return asOfMs === undefined && range === undefined;
}
