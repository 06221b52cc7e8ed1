import type { CachedBlock } from '../../read-models/blocks/cached-block.js';
import { LOG_ID_BLOOMS, LOG_IDS, LOG_LABELS, LOG_TIMES } from '../../read-models/blocks/log-block-columns.js';
import { findLocalTrace, traceHash } from '../../read-models/blocks/record-column-codec.js';
import {
  phraseCondition,
  prefixCondition,
  UNORDERED_BODIES,
  wordCondition,
} from '../../read-models/blocks/block-search-conditions.js';
import { intersectRows } from '../../read-models/blocks/posting-lists.js';
import { hashPair, asWords32 } from '../../read-models/blocks/uint32-words.js';
import type { LogBlockDocument } from '../../read-models/documents/block-documents.js';
import { parseHexId, SPAN_ID_BYTES, TRACE_ID_BYTES } from '../../telemetry/trace-identifiers.js';
import { severityRange } from '../../telemetry/log-severity.js';
import type { TextQuery } from '../../telemetry/full-text.js';
import type { LogQuery, TimeRange } from '../telemetry/telemetry-query-types.js';
import { buildTagConditions, findPostingRows, type PostingCondition, type RowFilter } from '../telemetry/row-filter.js';
import type { TimeSlice } from '../scheduling/cooperative-scheduler.js';

export type LogBlock = CachedBlock<LogBlockDocument>;

/** Conditions on a log record that columns can answer. */
export interface LogConditions {
  readonly range: TimeRange;
  readonly serviceName?: string;
  /** Inclusive range of severity numbers. */
  readonly severity?: { readonly first: number; readonly last: number };
  /** The id as 32-bit words. */
  readonly traceId?: Uint32Array;
  readonly spanId?: Uint32Array;
  readonly postings: readonly PostingCondition<LogBlockDocument>[];
}

/** Undefined if the query contains an id that no record can have. */
export function buildLogConditions(query: LogQuery, text: TextQuery): LogConditions | undefined {
  const { traceId, spanId, severityLevel } = query;
  const trace = traceId === undefined ? undefined : parseHexId(traceId, TRACE_ID_BYTES);
  const span = spanId === undefined ? undefined : parseHexId(spanId, SPAN_ID_BYTES);
  if ((traceId !== undefined && trace === undefined) || (spanId !== undefined && span === undefined)) return undefined;
  return {
    range: query.range,
    serviceName: query.serviceName,
    severity: severityLevel === undefined ? undefined : severityRange(severityLevel),
    traceId: trace && asWords32(trace),
    spanId: span && asWords32(span),
    postings: [...buildTagConditions(query.attributes), ...buildBodyConditions(text)],
  };
}

/** Conditions that columns answer; phrases only for rows that `selectUnordered` does not name. */
export function buildBodyConditions({ words, prefixes, phrases }: TextQuery): PostingCondition<LogBlockDocument>[] {
  return [...words.map(wordCondition), ...phrases.map(phraseCondition), ...prefixes.map(prefixCondition)];
}

/** Those of the rows whose body must be compared with phrases, since the block does not have the order of its words. */
export async function selectUnordered(block: LogBlock, rows: Uint16Array): Promise<Uint16Array> {
  return intersectRows(rows, await block.read(UNORDERED_BODIES));
}

/** Leaves in `filter` the rows of the block that meet all conditions. */
export async function applyLogConditions(
  block: LogBlock,
  conditions: LogConditions,
  filter: RowFilter,
  timeSlice: TimeSlice,
): Promise<void> {
  filter.startWith(new Uint16Array(0));
  if (!mayMatch(block.document, conditions) || !(await mayHoldIds(block, conditions))) return;
  if (conditions.postings.length === 0) filter.startWithAll(block.document.rows);
  else filter.startWith(await findPostingRows(block, conditions.postings, timeSlice));
  if (!filter.isEmpty) await filterIds(block, conditions, filter);
  if (!filter.isEmpty) await filterLabels(block, conditions, filter);
  if (!filter.isEmpty) await filterTimes(block, conditions, filter);
}

function mayMatch(document: LogBlockDocument, { range, serviceName, severity }: LogConditions): boolean {
  if (document.minTimeUs >= range.toUs || document.maxTimeUs < range.fromUs) return false;
  if (severity !== undefined && (document.severities & severityBits(severity)) === 0) return false;
  return serviceName === undefined || document.services.some(([name]) => name === serviceName);
}

function severityBits({ first, last }: { first: number; last: number }): number {
  return 2 ** (last + 1) - 2 ** first;
}

async function mayHoldIds(block: LogBlock, { traceId, spanId }: LogConditions): Promise<boolean> {
  if (traceId === undefined && spanId === undefined) return true;
  const { traces, spans } = await block.read(LOG_ID_BLOOMS);
  if (traceId !== undefined && !traces.has(traceHash(traceId, 0))) return false;
  return spanId === undefined || spans.has(hashPair(spanId[0], spanId[1]));
}

async function filterIds(block: LogBlock, { traceId, spanId }: LogConditions, filter: RowFilter): Promise<void> {
  if (traceId === undefined && spanId === undefined) return;
  const { traces, spans } = await block.read(LOG_IDS);
  if (traceId !== undefined) filter.equal(traces.local, findLocalTrace(traces, traceId, 0));
  if (spanId !== undefined) filter.equalPair(spans, spanId[0], spanId[1]);
}

async function filterLabels(
  block: LogBlock,
  { serviceName, severity }: LogConditions,
  filter: RowFilter,
): Promise<void> {
  if (serviceName === undefined && severity === undefined) return;
  const { services, severities } = await block.read(LOG_LABELS);
  if (serviceName !== undefined)
    filter.equal(
      services,
      block.document.services.findIndex(([name]) => name === serviceName),
    );
  if (severity !== undefined) filter.within(severities, severity.first, severity.last + 1);
}

async function filterTimes(block: LogBlock, { range }: LogConditions, filter: RowFilter): Promise<void> {
  const { minTimeUs, maxTimeUs } = block.document;
  if (minTimeUs >= range.fromUs && maxTimeUs < range.toUs) return;
  filter.within(await block.read(LOG_TIMES), range.fromUs - minTimeUs, range.toUs - minTimeUs);
}
