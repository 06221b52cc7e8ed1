import { HindsightError } from '../../errors.js';
import { retryOnCompaction } from '../telemetry/block-snapshots.js';
import type { TimeSlice } from '../scheduling/cooperative-scheduler.js';
import type { TelemetryQueries } from '../telemetry/telemetry-query-types.js';
import type { QueryConcurrencyLimiter } from '../scheduling/query-concurrency-limiter.js';
import { readErrorGroup } from '../errors/error-group-detail.js';
import { findErrorGroups } from '../errors/error-group-search.js';
import { readErrorGroupChanges, type StatusContext } from '../errors/error-group-status.js';
import { ErrorRecurrences } from '../errors/error-recurrences.js';
import { lookUpErrorGroup } from '../errors/error-group-lookup.js';
import type { ErrorGroupQueries } from '../errors/error-group-query-types.js';
import type { ReadModelReader } from '../../read-models/read-model-store.js';
import { findDifferences } from './differences.js';
import type { RecordSourceOpener } from './record-source-opener.js';
import { answerQuery } from './telemetry-query.js';

/**
 * Runs queries within the turns of their Grids' owners, until they are answered or cancelled. `administration`
 * has the read models of what people did.
 */
export function createQueryExecution(
  sources: RecordSourceOpener,
  limiter: QueryConcurrencyLimiter,
  administration: ReadModelReader,
): Pick<TelemetryQueries, 'runQuery' | 'findDifferences' | 'cancelQuery' | keyof ErrorGroupQueries> {
  const running = new Map<string, AbortController>();
  const recurrences = new ErrorRecurrences();
  const statusContext = (gridId: string): StatusContext => ({
    readChanges: (groupIds) => readErrorGroupChanges(administration, gridId, groupIds),
    recurrences,
  });
  const run = async <T>(gridId: string, queryId: string, answer: (timeSlice: TimeSlice) => Promise<T>): Promise<T> => {
    const call = new AbortController();
    running.set(queryId, call);
    try {
      const inSlices = (timeSlice: TimeSlice): Promise<T> => retryOnCompaction(timeSlice, () => answer(timeSlice));
      return await limiter.run(gridId, inSlices, call.signal);
    } finally {
      running.delete(queryId);
    }
  };
  return {
    runQuery: (query, queryId) =>
      run(query.gridId, queryId, async (timeSlice) => answerQuery(query, await sources.openRecords(query, timeSlice))),
    findDifferences: (query, queryId) =>
      run(query.gridId, queryId, async (timeSlice) =>
        findDifferences(query, await sources.openRecords(query, timeSlice)),
      ),
    findErrorGroups: (query, queryId) =>
      run(query.gridId, queryId, async (timeSlice) =>
        findErrorGroups(await sources.openExceptions(query.gridId, timeSlice), query, statusContext(query.gridId)),
      ),
    readErrorGroup: (query, queryId) =>
      run(query.gridId, queryId, async (timeSlice) =>
        readErrorGroup(await sources.openExceptions(query.gridId, timeSlice), query, statusContext(query.gridId)),
      ),
    lookUpErrorGroup: (query, queryId) =>
      run(query.gridId, queryId, async (timeSlice) =>
        lookUpErrorGroup(await sources.openExceptions(query.gridId, timeSlice), query, statusContext(query.gridId)),
      ),
    async cancelQuery(queryId) {
      running.get(queryId)?.abort(new HindsightError('unavailable', 'The query was cancelled.'));
    },
  };
}
