import type { BodyReader } from '../read-models/body-reader.js';
import type { ReadModelReader } from '../read-models/store.js';
import type { TelemetryQueries } from './answers.js';
import { logFilterOptions, traceFilterOptions } from './filter-options.js';
import { findLogs } from './find-logs.js';
import { findTraces } from './find-traces.js';
import { logDetail } from './log-detail.js';
import { Records } from './records.js';
import { spanDetail } from './span-detail.js';
import { spanEvents } from './span-events.js';
import { spanTags } from './span-tags.js';
import { retryWhenBlocksMove, TelemetryBlocks } from './telemetry-blocks.js';
import { traceErrors } from './trace-errors.js';
import { traceLogs } from './trace-logs.js';
import { traceSpans } from './trace-spans.js';

export interface TelemetryQueryOptions {
  /** Bound of the decoded columns in memory. Default 384 MB. */
  readonly cacheBytes?: number;
}

/** All questions about traces and logs, over one cache of blocks: make one a thread. */
export function createTelemetryQueries(store: ReadModelReader, bodies: BodyReader, options: TelemetryQueryOptions = {}): TelemetryQueries {
  const blocks = new TelemetryBlocks(store, options.cacheBytes);
  const records = (gridId: string): Records => new Records(bodies, gridId);
  return {
    findTraces: (question) => retryWhenBlocksMove(async () => findTraces(await blocks.spanSearch(question.gridId), question)),
    spanDetail: (gridId, spanId) => retryWhenBlocksMove(async () => spanDetail(await blocks.spans(gridId), records(gridId), spanId)),
    spanEvents: (gridId, spanId) => retryWhenBlocksMove(async () => spanEvents(await blocks.spans(gridId), records(gridId), spanId)),
    spanTags: (gridId, spanId) => retryWhenBlocksMove(async () => spanTags(await blocks.spans(gridId), records(gridId), spanId)),
    traceSpans: (gridId, traceId) => retryWhenBlocksMove(async () => traceSpans(await blocks.spans(gridId), await blocks.logs(gridId), traceId)),
    traceLogs: (gridId, traceId) => retryWhenBlocksMove(async () => traceLogs(await blocks.spans(gridId), await blocks.logs(gridId), records(gridId), traceId)),
    traceErrors: (gridId, traceId) =>
      retryWhenBlocksMove(async () => traceErrors({ spans: await blocks.spans(gridId), logs: await blocks.logs(gridId), records: records(gridId) }, traceId)),
    traceFilterOptions: (gridId) => traceFilterOptions(store, gridId),
    findLogs: (question) => retryWhenBlocksMove(async () => findLogs(await blocks.logs(question.gridId), records(question.gridId), question)),
    logDetail: (gridId, id) => retryWhenBlocksMove(async () => logDetail(await blocks.logs(gridId), records(gridId), id)),
    logFilterOptions: (gridId) => logFilterOptions(store, gridId),
  };
}
