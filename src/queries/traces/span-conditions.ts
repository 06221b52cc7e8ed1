import type { CachedBlock } from '../../read-models/blocks/cached-block.js';
import { hasErrorStatus } from '../../read-models/blocks/span-block-codec.js';
import {
  SPAN_DURATIONS_MS,
  SPAN_LABELS,
  SPAN_OPERATIONS,
  SPAN_SERVICE_ROWS,
  SPAN_STARTS,
} from '../../read-models/blocks/span-block-columns.js';
import type { TagCondition } from '../../read-models/blocks/block-search-conditions.js';
import type { SpanBlockDocument } from '../../read-models/documents/block-documents.js';
import type { TraceQuery, SpanStatus, TimeRange } from '../telemetry/telemetry-query-types.js';
import { buildTagConditions, findPostingRows, type RowFilter } from '../telemetry/row-filter.js';
import type { TimeSlice } from '../scheduling/cooperative-scheduler.js';

export type SpanBlock = CachedBlock<SpanBlockDocument>;
const NS_PER_MS = 1e6;
const FLAG_VALUES = 256;

/** Conditions that a single span must meet. */
export interface SpanConditions {
  readonly range: TimeRange;
  readonly serviceName?: string;
  readonly operationName?: string;
  /** Whole ms, inclusive. */
  readonly minDurationMs: number;
  readonly maxDurationMs: number;
  readonly status?: SpanStatus;
  readonly tags: readonly TagCondition[];
}

/** Conditions other than the time range; undefined if the query has none. */
export function buildSpanConditions(query: TraceQuery): SpanConditions | undefined {
  const { range, serviceName, operationName, minDurationMs, maxDurationMs, status } = query;
  const tags = buildTagConditions(query.tags);
  const conditions = [serviceName, operationName, minDurationMs, maxDurationMs, status];
  if (tags.length === 0 && conditions.every((condition) => condition === undefined)) return undefined;
  return {
    range,
    serviceName,
    operationName,
    minDurationMs: minDurationMs ?? -Infinity,
    maxDurationMs: maxDurationMs ?? Infinity,
    status,
    tags,
  };
}

/** Rows of the block that meet all conditions, ascending; undefined if there are none. */
export async function findMatchingRows(
  block: SpanBlock,
  conditions: SpanConditions,
  filter: RowFilter,
  timeSlice: TimeSlice,
): Promise<Uint16Array | undefined> {
  const { document } = block;
  if (!mayMatch(document, conditions)) return undefined;
  await startFilter(block, conditions, filter, timeSlice);
  if (!filter.isEmpty) await filterLabels(block, conditions, filter);
  if (!filter.isEmpty) await filterNumbers(block, conditions, filter);
  return filter.isEmpty ? undefined : filter.take();
}

/** False if the block summary shows that no row can match. */
function mayMatch(document: SpanBlockDocument, { range, serviceName, minDurationMs }: SpanConditions): boolean {
  if (document.minStartUs >= range.toUs || document.maxStartUs < range.fromUs) return false;
  if (document.maxDurationNs / NS_PER_MS < minDurationMs) return false;
  return serviceName === undefined || document.services.some(([name]) => name === serviceName);
}

/** Starts with the smallest set of rows that is available without a scan. */
async function startFilter(
  block: SpanBlock,
  { tags, serviceName }: SpanConditions,
  filter: RowFilter,
  timeSlice: TimeSlice,
): Promise<void> {
  const service = block.document.services.findIndex(([name]) => name === serviceName);
  if (tags.length > 0) {
    filter.startWith(await findPostingRows(block, tags, timeSlice));
    if (serviceName !== undefined && !filter.isEmpty) filter.equal((await block.read(SPAN_LABELS)).services, service);
  } else if (serviceName !== undefined) {
    const { rows, ends } = await block.read(SPAN_SERVICE_ROWS);
    filter.startWith(rows.subarray(service === 0 ? 0 : ends[service - 1], ends[service]));
  } else filter.startWithAll(block.document.rows);
}

async function filterLabels(
  block: SpanBlock,
  { operationName, status }: SpanConditions,
  filter: RowFilter,
): Promise<void> {
  if (operationName === undefined && status === undefined) return;
  const labels = await block.read(SPAN_LABELS);
  if (operationName !== undefined)
    filter.equal(labels.operations, (await block.read(SPAN_OPERATIONS)).indexOf(operationName));
  if (status !== undefined) filter.passing(labels.flags, status === 'ERROR' ? ERROR_FLAGS : OK_FLAGS);
}

async function filterNumbers(
  block: SpanBlock,
  { range, minDurationMs, maxDurationMs }: SpanConditions,
  filter: RowFilter,
): Promise<void> {
  const { minStartUs, maxStartUs } = block.document;
  if (minDurationMs !== -Infinity || maxDurationMs !== Infinity) {
    filter.within(await block.read(SPAN_DURATIONS_MS), minDurationMs, maxDurationMs + 1);
  }
  if (minStartUs >= range.fromUs && maxStartUs < range.toUs) return;
  filter.within(await block.read(SPAN_STARTS), range.fromUs - minStartUs, range.toUs - minStartUs);
}

const ERROR_FLAGS = Uint8Array.from({ length: FLAG_VALUES }, (_, flags) => (hasErrorStatus(flags) ? 1 : 0));
const OK_FLAGS = ERROR_FLAGS.map((error) => 1 - error);
