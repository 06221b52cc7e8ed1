import type { TelemetryBodyReader } from '../../telemetry/telemetry-body-reader.js';
import type { ReaderForGrid } from '../../read-models/sharding/shard-readers.js';
import type { ReadModelReader } from '../../read-models/read-model-store.js';
import type { TelemetryQueries } from './telemetry-query-types.js';
import { findLogFilterOptions, findTraceFilterOptions } from './filter-option-queries.js';
import { findHeldAttributes } from './held-attributes.js';
import { findLogs, findTraceLogs, readLogDetail } from '../logs/log-queries.js';
import { findTraces, findTraceSpans, readSpanDetail, readSpanEvents, readSpanTags } from '../traces/trace-queries.js';
import { QueryTurns, type TimeSlice } from '../scheduling/cooperative-scheduler.js';
import { QueryMemoryPool } from '../scheduling/query-memory.js';
import { QueryConcurrencyLimiter, type QueryLimits, SLOTS_FACTOR } from '../scheduling/query-concurrency-limiter.js';
import { createRecordRuleQueries, type RecordRuleQueries } from '../alerting/record-rule-queries.js';
import { CONCURRENT_RULE_EVALUATIONS } from '../alerting/rule-evaluation-limits.js';
import { readErrorGroupChanges } from '../errors/error-group-status.js';
import { createAlertQueries } from '../diagnostics/alert-queries.js';
import { createQueryExecution } from '../query/query-execution.js';
import { RecordSourceOpener } from '../query/record-source-opener.js';
import { RecordReader } from './record-reader.js';
import { BlockSnapshotReader, retryOnCompaction } from './block-snapshots.js';
import { findTraceComparison } from '../traces/trace-comparison-query.js';
import { findTraceErrors, type TraceSources } from '../traces/trace-error-queries.js';
import { HindsightError } from '../../errors.js';
import type { ThreadCaches } from '../../thread-memory.js';

export interface TelemetryQueryOptions extends QueryLimits {
  /** Reader of the shard that holds a Grid. Default: `store` for every Grid. */
  readonly getReader?: ReaderForGrid;
  /** Limit of cached decoded columns, in bytes. Default 384 MB. */
  readonly cacheBytes?: number;
  /** Memory that groups of all queries and rules may take, beside what the cache lends them. Default: no limit. */
  readonly groupBytes?: number;
  /** Receives the caches, so that they can give memory back. */
  readonly caches?: ThreadCaches;
}

/**
 * Aggregations of one owner that run at the same time; of the whole thread twice as many. Large ones that wait for memory
 * are not among them, nor those that have got it after a wait.
 */
const MAX_CONCURRENT_AGGREGATIONS = 2;

/** Part of the cache that is lent to large queries while they run: columns are decoded again, groups are not. */
const LENT_PART = 3 / 4;

/** All trace and log queries, with one block cache, scheduled on the calling thread. Create one instance per thread. */
export function createTelemetryQueries(
  store: ReadModelReader,
  bodies: TelemetryBodyReader,
  options: TelemetryQueryOptions = {},
): TelemetryQueries & RecordRuleQueries {
  const { getReader = () => store, cacheBytes, caches } = options;
  const blocks = new BlockSnapshotReader(getReader, cacheBytes, (cache) => caches?.add('searchBlocks', cache));
  const turns = options.turns ?? new QueryTurns();
  const limiter = new QueryConcurrencyLimiter({ ...options, turns });
  const run = async <T>(gridId: string, query: (timeSlice: TimeSlice) => Promise<T>): Promise<T> => {
    const result = await limiter.run(gridId, (timeSlice) => retryOnCompaction(timeSlice, () => query(timeSlice)));
    assertResultSize(result);
    return result;
  };
  const sources = new RecordSourceOpener(blocks, bodies, getReader, caches);
  const memory = createGroupMemory(options, (bytes) => blocks.lend(bytes));
  const limits = { ...options, turns, ...(memory !== undefined && { memory }) };
  const aggregations = new QueryConcurrencyLimiter({ ...limits, maxConcurrent: MAX_CONCURRENT_AGGREGATIONS });
  const execution = createQueryExecution(sources, aggregations, store);
  const records = (gridId: string, timeSlice: TimeSlice): RecordReader => new RecordReader(bodies, gridId, timeSlice);
  const openTraces = async (gridId: string, timeSlice: TimeSlice): Promise<TraceSources> => ({
    spans: await blocks.readSpans(gridId, timeSlice),
    logs: await blocks.readLogs(gridId, timeSlice),
    records: records(gridId, timeSlice),
  });
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
      run(gridId, async (timeSlice) => findTraceErrors(await openTraces(gridId, timeSlice), traceId)),
    compareTraces: (gridId, traceId, baselineTraceId) =>
      run(gridId, async (timeSlice) =>
        findTraceComparison(await openTraces(gridId, timeSlice), traceId, baselineTraceId),
      ),
    findLogs: (query) =>
      run(query.gridId, async (timeSlice) =>
        findLogs(await blocks.readLogs(query.gridId, timeSlice), records(query.gridId, timeSlice), query),
      ),
    logDetail: (gridId, id) =>
      run(gridId, async (timeSlice) =>
        readLogDetail(await blocks.readLogs(gridId, timeSlice), records(gridId, timeSlice), id),
      ),
    ...execution,
    ...createRuleQueries(sources, store, limits, aggregations),
    async runQuery(query, queryId) {
      const answer = await execution.runQuery(query, queryId);
      assertResultSize(answer);
      return answer;
    },
    ...createFilterQueries(blocks, getReader, run),
  };
}

/** What searches can be filtered by. */
function createFilterQueries(
  blocks: BlockSnapshotReader,
  getReader: ReaderForGrid,
  run: <T>(gridId: string, query: (timeSlice: TimeSlice) => Promise<T>) => Promise<T>,
): Pick<TelemetryQueries, 'traceFilterOptions' | 'logFilterOptions' | 'findHeldAttributes'> {
  return {
    traceFilterOptions: (gridId) => run(gridId, () => findTraceFilterOptions(getReader(gridId), gridId)),
    logFilterOptions: (gridId) => run(gridId, () => findLogFilterOptions(getReader(gridId), gridId)),
    findHeldAttributes: (query) =>
      run(query.gridId, async (timeSlice) =>
        findHeldAttributes(await blocks.readSpans(query.gridId, timeSlice), query),
      ),
  };
}

/**
 * Memory that aggregations and rules share: their own, and a part of the cache. @param lend called with the bytes that the
 * cache lends from now on
 */
function createGroupMemory(
  { groupBytes, cacheBytes = 0 }: TelemetryQueryOptions,
  lend: (bytes: number) => void,
): QueryMemoryPool | undefined {
  if (groupBytes === undefined) return undefined;
  const pool: QueryMemoryPool = new QueryMemoryPool({
    totalBytes: groupBytes + cacheBytes * LENT_PART,
    queries: SLOTS_FACTOR * MAX_CONCURRENT_AGGREGATIONS,
    evaluations: CONCURRENT_RULE_EVALUATIONS.all,
    onUsed: (bytes) => lend(Math.max(0, bytes + pool.smallBytes - groupBytes)),
  });
  return pool;
}

/**
 * Evaluations of rules have slots of their own, and memory: only one that needs more than its part waits for a query that
 * somebody asks, and only a large query for an evaluation. The turns are shared, so that both count for the owner of the
 * Grid.
 */
function createRuleQueries(
  sources: RecordSourceOpener,
  store: ReadModelReader,
  limits: QueryLimits,
  aggregations: QueryConcurrencyLimiter,
): RecordRuleQueries {
  const evaluations = new QueryConcurrencyLimiter({
    ...limits,
    maxConcurrent: CONCURRENT_RULE_EVALUATIONS.ofOwner,
    memoryUse: 'evaluation',
  });
  const run: Parameters<typeof createRecordRuleQueries>[2] = {
    evaluation: (gridId, work) => evaluations.run(gridId, work),
    backtest: (gridId, work) => aggregations.run(gridId, work),
  };
  return createRecordRuleQueries(sources, createAlertQueries(store), run, (gridId, groupIds) =>
    readErrorGroupChanges(store, gridId, groupIds),
  );
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
