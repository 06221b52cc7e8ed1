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
import type { ThreadCaches } from '../../thread-memory.js';

export interface TelemetryQueryOptions extends QueryLimits {
  /** Reader of the shard that holds a Grid. Default: `store` for every Grid. */
  readonly readerOf?: ReaderForGrid;
  /** Limit of cached decoded columns, in bytes. Default 384 MB. */
  readonly cacheBytes?: number;
  /** Receives the caches, so that they can give memory back. */
  readonly caches?: ThreadCaches;
}

/** All trace and log queries, with one block cache, scheduled on the calling thread. Create one instance per thread. */
export function createTelemetryQueries(
  store: ReadModelReader,
  bodies: TelemetryBodyReader,
  options: TelemetryQueryOptions = {},
): TelemetryQueries {
  const { readerOf = () => store, cacheBytes, caches } = options;
  const blocks = new BlockSnapshotReader(readerOf, cacheBytes, (cache) => caches?.add('searchBlocks', cache));
  const limiter = new QueryConcurrencyLimiter(options);
  const run = async <T>(gridId: string, query: (timeSlice: TimeSlice) => Promise<T>): Promise<T> => {
    const result = await limiter.run(gridId, (timeSlice) => retryOnCompaction(timeSlice, () => query(timeSlice)));
    assertResultSize(result);
    return result;
  };
  const records = (gridId: string, timeSlice: TimeSlice): RecordReader => new RecordReader(bodies, gridId, timeSlice);
  return {
    findTraces: (query) =>
      run(query.gridId, async (timeSlice) =>
        findTraces(await blocks.readForTraceSearch(query.gridId, timeSlice), query),
      ),
    spanDetail: (gridId, spanId) =>
      run(gridId, async (timeSlice) =>
        readSpanDetail(await blocks.readSpans(gridId, timeSlice), records(gridId, timeSlice), spanId),
      ),
    spanEvents: (gridId, spanId) =>
      run(gridId, async (timeSlice) =>
        readSpanEvents(await blocks.readSpans(gridId, timeSlice), records(gridId, timeSlice), spanId),
      ),
    spanTags: (gridId, spanId) =>
      run(gridId, async (timeSlice) =>
        readSpanTags(await blocks.readSpans(gridId, timeSlice), records(gridId, timeSlice), spanId),
      ),
    traceSpans: (gridId, traceId) =>
      run(gridId, async (timeSlice) =>
        findTraceSpans(await blocks.readSpans(gridId, timeSlice), await blocks.readLogs(gridId, timeSlice), traceId),
      ),
    traceLogs: (gridId, traceId) =>
      run(gridId, async (timeSlice) =>
        findTraceLogs(
          await blocks.readSpans(gridId, timeSlice),
          await blocks.readLogs(gridId, timeSlice),
          records(gridId, timeSlice),
          traceId,
        ),
      ),
    traceErrors: (gridId, traceId) =>
      run(gridId, async (timeSlice) =>
        findTraceErrors(
          {
            spans: await blocks.readSpans(gridId, timeSlice),
            logs: await blocks.readLogs(gridId, timeSlice),
            records: records(gridId, timeSlice),
          },
          traceId,
        ),
      ),
    traceFilterOptions: (gridId) => run(gridId, () => findTraceFilterOptions(readerOf(gridId), gridId)),
    findLogs: (query) =>
      run(query.gridId, async (timeSlice) =>
        findLogs(await blocks.readLogs(query.gridId, timeSlice), records(query.gridId, timeSlice), query),
      ),
    logDetail: (gridId, id) =>
      run(gridId, async (timeSlice) =>
        readLogDetail(await blocks.readLogs(gridId, timeSlice), records(gridId, timeSlice), id),
      ),
    logFilterOptions: (gridId) => run(gridId, () => findLogFilterOptions(readerOf(gridId), gridId)),
  };
}

/** Maximum number of characters in a result. A trace of 100,000 spans with short names is 20 MB of JSON. */
const MAX_RESULT_CHARACTERS = 64 * 1024 * 1024;

/**
 * Rejects results that are too large to pass to another thread. Rows share long strings (names, resources) here, but
 * each gets its own copy when the result is cloned: a few MB could become gigabytes. Throws `invalid-request`.
 */
export function assertResultSize(result: unknown, limit = MAX_RESULT_CHARACTERS): void {
  let characters = 0;
  const pending: unknown[] = [result];
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value === 'string') characters += value.length;
    else if (Array.isArray(value)) for (const item of value) pending.push(item);
    else if (typeof value === 'object' && value !== null) {
      for (const [key, member] of Object.entries(value)) {
        characters += key.length;
        pending.push(member);
      }
    }
    if (characters > limit) throw resultTooLarge(limit);
  }
}

function resultTooLarge(limit: number): HindsightError {
  return new HindsightError(
    'invalid-request',
    `The result would exceed ${limit} characters. Request a smaller page or a narrower time range.`,
  );
}
