import type { BodyReader } from '../read-models/body-reader.js';
import type { ReaderOf } from '../read-models/shares/readers-by-grid.js';
import type { ReadModelReader } from '../read-models/store.js';
import { assertSendable } from './answer-size.js';
import type { TelemetryQueries } from './answers.js';
import { logFilterOptions, traceFilterOptions } from './filter-options.js';
import { findLogs } from './find-logs.js';
import { findTraces } from './find-traces.js';
import type { Turn } from './giving-way.js';
import { logDetail } from './log-detail.js';
import { QuestionsUnderWay, type QuestionLimits } from './questions-under-way.js';
import { Records } from './records.js';
import { spanDetail } from './span-detail.js';
import { spanEvents } from './span-events.js';
import { spanTags } from './span-tags.js';
import { retryWhenBlocksMove, TelemetryBlocks } from './telemetry-blocks.js';
import { traceErrors } from './trace-errors.js';
import { traceLogs } from './trace-logs.js';
import { traceSpans } from './trace-spans.js';

export interface TelemetryQueryOptions extends QuestionLimits {
  /** Where Grids are shared out: who reads what is known of one. Default: the store. */
  readonly readerOf?: ReaderOf;
  /** Bound of the decoded columns in memory. Default 384 MB. */
  readonly cacheBytes?: number;
}

/** All questions about traces and logs, over one cache of blocks and one thread's time: make one a thread. */
export function createTelemetryQueries(store: ReadModelReader, bodies: BodyReader, options: TelemetryQueryOptions = {}): TelemetryQueries {
  const { readerOf = () => store, cacheBytes } = options;
  const blocks = new TelemetryBlocks(readerOf, cacheBytes);
  const underWay = new QuestionsUnderWay(options);
  const ask = async <T>(query: (turn: Turn) => Promise<T>): Promise<T> => {
    const answer = await underWay.answer((turn) => retryWhenBlocksMove(turn, () => query(turn)));
    assertSendable(answer);
    return answer;
  };
  const records = (gridId: string, turn: Turn): Records => new Records(bodies, gridId, turn);
  return {
    findTraces: (question) => ask(async (turn) => findTraces(await blocks.spanSearch(question.gridId, turn), question)),
    spanDetail: (gridId, spanId) => ask(async (turn) => spanDetail(await blocks.spans(gridId, turn), records(gridId, turn), spanId)),
    spanEvents: (gridId, spanId) => ask(async (turn) => spanEvents(await blocks.spans(gridId, turn), records(gridId, turn), spanId)),
    spanTags: (gridId, spanId) => ask(async (turn) => spanTags(await blocks.spans(gridId, turn), records(gridId, turn), spanId)),
    traceSpans: (gridId, traceId) => ask(async (turn) => traceSpans(await blocks.spans(gridId, turn), await blocks.logs(gridId, turn), traceId)),
    traceLogs: (gridId, traceId) => ask(async (turn) => traceLogs(await blocks.spans(gridId, turn), await blocks.logs(gridId, turn), records(gridId, turn), traceId)),
    traceErrors: (gridId, traceId) =>
      ask(async (turn) => traceErrors({ spans: await blocks.spans(gridId, turn), logs: await blocks.logs(gridId, turn), records: records(gridId, turn) }, traceId)),
    traceFilterOptions: (gridId) => ask(() => traceFilterOptions(readerOf(gridId), gridId)),
    findLogs: (question) => ask(async (turn) => findLogs(await blocks.logs(question.gridId, turn), records(question.gridId, turn), question)),
    logDetail: (gridId, id) => ask(async (turn) => logDetail(await blocks.logs(gridId, turn), records(gridId, turn), id)),
    logFilterOptions: (gridId) => ask(() => logFilterOptions(readerOf(gridId), gridId)),
  };
}
