import type { TelemetryBodyReader } from '../../telemetry/telemetry-body-reader.js';
import type { ReaderForGrid } from '../../read-models/sharding/shard-readers.js';
import type { ReadModelReader } from '../../read-models/read-model-store.js';
import type { TelemetryQueries } from './telemetry-query-types.js';
import { findLogFilterOptions, findTraceFilterOptions } from './filter-option-queries.js';
import { findLogs, findTraceLogs, readLogDetail } from '../logs/log-queries.js';
import { findTraces, findTraceSpans, readSpanDetail, readSpanEvents, readSpanTags } from '../traces/trace-queries.js';
import type { TimeSlice } from '../scheduling/cooperative-scheduler.js';
import { QueryConcurrencyLimiter, type QueryLimits } from '../scheduling/query-concurrency-limiter.js';
import { RecordReader } from './record-reader.js';
import { BlockSnapshotReader, retryOnCompaction } from './block-snapshots.js';
import { findTraceErrors } from '../traces/trace-error-queries.js';
import { HindsightError } from '../../errors.js';

export interface TelemetryQueryOptions extends QueryLimits {
  /** Where Grids are shared out: who reads what is known of one. Default: the store. */
  readonly readerOf?: ReaderForGrid;
  /** Bound of the decoded columns in memory. Default 384 MB. */
  readonly cacheBytes?: number;
}

/** All questions about traces and logs, over one cache of blocks and one thread's time: make one a thread. */
export function createTelemetryQueries(
  store: ReadModelReader,
  bodies: TelemetryBodyReader,
  options: TelemetryQueryOptions = {},
): TelemetryQueries {
  const { readerOf = () => store, cacheBytes } = options;
  const blocks = new BlockSnapshotReader(readerOf, cacheBytes);
  const underWay = new QueryConcurrencyLimiter(options);
  const ask = async <T>(query: (turn: TimeSlice) => Promise<T>): Promise<T> => {
    const answer = await underWay.run((turn) => retryOnCompaction(turn, () => query(turn)));
    assertResultSize(answer);
    return answer;
  };
  const records = (gridId: string, turn: TimeSlice): RecordReader => new RecordReader(bodies, gridId, turn);
  return {
    findTraces: (question) =>
      ask(async (turn) => findTraces(await blocks.readForTraceSearch(question.gridId, turn), question)),
    spanDetail: (gridId, spanId) =>
      ask(async (turn) => readSpanDetail(await blocks.readSpans(gridId, turn), records(gridId, turn), spanId)),
    spanEvents: (gridId, spanId) =>
      ask(async (turn) => readSpanEvents(await blocks.readSpans(gridId, turn), records(gridId, turn), spanId)),
    spanTags: (gridId, spanId) =>
      ask(async (turn) => readSpanTags(await blocks.readSpans(gridId, turn), records(gridId, turn), spanId)),
    traceSpans: (gridId, traceId) =>
      ask(async (turn) =>
        findTraceSpans(await blocks.readSpans(gridId, turn), await blocks.readLogs(gridId, turn), traceId),
      ),
    traceLogs: (gridId, traceId) =>
      ask(async (turn) =>
        findTraceLogs(
          await blocks.readSpans(gridId, turn),
          await blocks.readLogs(gridId, turn),
          records(gridId, turn),
          traceId,
        ),
      ),
    traceErrors: (gridId, traceId) =>
      ask(async (turn) =>
        findTraceErrors(
          {
            spans: await blocks.readSpans(gridId, turn),
            logs: await blocks.readLogs(gridId, turn),
            records: records(gridId, turn),
          },
          traceId,
        ),
      ),
    traceFilterOptions: (gridId) => ask(() => findTraceFilterOptions(readerOf(gridId), gridId)),
    findLogs: (question) =>
      ask(async (turn) =>
        findLogs(await blocks.readLogs(question.gridId, turn), records(question.gridId, turn), question),
      ),
    logDetail: (gridId, id) =>
      ask(async (turn) => readLogDetail(await blocks.readLogs(gridId, turn), records(gridId, turn), id)),
    logFilterOptions: (gridId) => ask(() => findLogFilterOptions(readerOf(gridId), gridId)),
  };
}

/** Characters of text that an answer may hold. A trace of 100,000 spans with short names is 20 MB of JSON. */
const MAX_RESULT_CHARACTERS = 64 * 1024 * 1024;

/**
 * Refuses an answer that is too large to leave the thread. Its rows share long strings here (a name, a resource), but
 * each gets a copy of its own on the way out: a few MB could become gigabytes for everybody. Throws `invalid-request`.
 */
export function assertResultSize(answer: unknown, limit = MAX_RESULT_CHARACTERS): void {
  let characters = 0;
  const open: unknown[] = [answer];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === 'string') characters += value.length;
    else if (Array.isArray(value)) for (const item of value) open.push(item);
    else if (typeof value === 'object' && value !== null) {
      for (const [key, member] of Object.entries(value)) {
        characters += key.length;
        open.push(member);
      }
    }
    if (characters > limit) throw resultTooLarge(limit);
  }
}

function resultTooLarge(limit: number): HindsightError {
  return new HindsightError(
    'invalid-request',
    `The answer would hold more than ${limit} characters. Ask for a smaller page or a narrower range.`,
  );
}
