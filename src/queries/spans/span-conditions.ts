import type { Block } from '../../read-models/blocks/cached-block.js';
import { isError } from '../../read-models/blocks/span-block.js';
import { DURATIONS_MS, LABELS, OPERATIONS, SERVICE_ROWS, STARTS } from '../../read-models/blocks/span-columns.js';
import type { TagCondition } from '../../read-models/blocks/tag-search.js';
import type { SpanBlockDocument } from '../../read-models/spans.js';
import type { FindTraces, SpanStatus, TimeRange } from '../answers.js';
import { rowsMeeting, tagConditions } from '../attribute-search.js';
import type { Turn } from '../giving-way.js';
import type { RowFilter } from '../row-filter.js';

export type SpanBlock = Block<SpanBlockDocument>;

const NS_PER_MS = 1e6;
const FLAG_VALUES = 256;

/** What one and the same span must meet. */
export interface SpanConditions {
  readonly range: TimeRange;
  readonly serviceName?: string;
  readonly operationName?: string;
  /** Whole ms, both inclusive. */
  readonly minDurationMs: number;
  readonly maxDurationMs: number;
  readonly status?: SpanStatus;
  readonly tags: readonly TagCondition[];
}

/** Conditions beside the range; undefined when the question has none. */
export function conditionsOf(question: FindTraces): SpanConditions | undefined {
  const { range, serviceName, operationName, minDurationMs, maxDurationMs, status } = question;
  const tags = tagConditions(question.tags);
  const given = [serviceName, operationName, minDurationMs, maxDurationMs, status];
  if (tags.length === 0 && given.every((condition) => condition === undefined)) return undefined;
  return { range, serviceName, operationName, minDurationMs: minDurationMs ?? -Infinity, maxDurationMs: maxDurationMs ?? Infinity, status, tags };
}

/** Rows of the block that meet all conditions, ascending; undefined when there are none. */
export async function matchingRows(block: SpanBlock, conditions: SpanConditions, filter: RowFilter, turn: Turn): Promise<Uint16Array | undefined> {
  const { document } = block;
  if (!mayMatch(document, conditions)) return undefined;
  await startFilter(block, conditions, filter, turn);
  if (!filter.isEmpty) await filterLabels(block, conditions, filter);
  if (!filter.isEmpty) await filterNumbers(block, conditions, filter);
  return filter.isEmpty ? undefined : filter.take();
}

/** False when the summary alone tells that no row can meet the conditions. */
function mayMatch(document: SpanBlockDocument, { range, serviceName, minDurationMs }: SpanConditions): boolean {
  if (document.minStartUs >= range.toUs || document.maxStartUs < range.fromUs) return false;
  if (document.maxDurationNs / NS_PER_MS < minDurationMs) return false;
  return serviceName === undefined || document.services.some(([name]) => name === serviceName);
}

/** Starts with the fewest rows that are at hand without looking at each. */
async function startFilter(block: SpanBlock, { tags, serviceName }: SpanConditions, filter: RowFilter, turn: Turn): Promise<void> {
  const service = block.document.services.findIndex(([name]) => name === serviceName);
  if (tags.length > 0) {
    filter.startWith(await rowsMeeting(block, tags, turn));
    if (serviceName !== undefined && !filter.isEmpty) filter.equal((await block.read(LABELS)).services, service);
  } else if (serviceName !== undefined) {
    const { rows, ends } = await block.read(SERVICE_ROWS);
    filter.startWith(rows.subarray(service === 0 ? 0 : ends[service - 1], ends[service]));
  } else filter.startWithAll(block.document.rows);
}

async function filterLabels(block: SpanBlock, { operationName, status }: SpanConditions, filter: RowFilter): Promise<void> {
  if (operationName === undefined && status === undefined) return;
  const labels = await block.read(LABELS);
  if (operationName !== undefined) filter.equal(labels.operations, (await block.read(OPERATIONS)).indexOf(operationName));
  if (status !== undefined) filter.passing(labels.flags, status === 'ERROR' ? ERROR_FLAGS : OK_FLAGS);
}

async function filterNumbers(block: SpanBlock, { range, minDurationMs, maxDurationMs }: SpanConditions, filter: RowFilter): Promise<void> {
  const { minStartUs, maxStartUs } = block.document;
  if (minDurationMs !== -Infinity || maxDurationMs !== Infinity) {
    filter.within(await block.read(DURATIONS_MS), minDurationMs, maxDurationMs + 1);
  }
  if (minStartUs >= range.fromUs && maxStartUs < range.toUs) return;
  filter.within(await block.read(STARTS), range.fromUs - minStartUs, range.toUs - minStartUs);
}

const ERROR_FLAGS = Uint8Array.from({ length: FLAG_VALUES }, (_, flags) => (isError(flags) ? 1 : 0));
const OK_FLAGS = ERROR_FLAGS.map((error) => 1 - error);
