import type { Block } from '../../read-models/blocks/cached-block.js';
import { LOG_ID_BLOOMS, LOG_IDS, LOG_LABELS, TIMES } from '../../read-models/blocks/log-columns.js';
import { localTrace, traceHash } from '../../read-models/blocks/trace-column.js';
import { prefixCondition, wordCondition } from '../../read-models/blocks/word-search.js';
import { hashPair, words32 } from '../../read-models/blocks/words32.js';
import type { LogBlockDocument } from '../../read-models/logs.js';
import { parseId, SPAN_ID_BYTES, TRACE_ID_BYTES } from '../../telemetry/ids.js';
import { severityRange } from '../../telemetry/severity.js';
import type { TextQuery } from '../../telemetry/words.js';
import type { FindLogs, TimeRange } from '../answers.js';
import { rowsMeeting, tagConditions, type PostingCondition } from '../attribute-search.js';
import type { Turn } from '../giving-way.js';
import type { RowFilter } from '../row-filter.js';

export type LogBlock = Block<LogBlockDocument>;

/** What a log record must meet, short of what only its text can tell. */
export interface LogConditions {
  readonly range: TimeRange;
  readonly serviceName?: string;
  /** Inclusive severity numbers. */
  readonly severity?: { readonly first: number; readonly last: number };
  /** Words of the id. */
  readonly traceId?: Uint32Array;
  readonly spanId?: Uint32Array;
  readonly postings: readonly PostingCondition[];
}

/** Undefined when the question asks for an id that no record can have. */
export function logConditions(question: FindLogs, text: TextQuery): LogConditions | undefined {
  const { traceId, spanId, severityLevel } = question;
  const trace = traceId === undefined ? undefined : parseId(traceId, TRACE_ID_BYTES);
  const span = spanId === undefined ? undefined : parseId(spanId, SPAN_ID_BYTES);
  if ((traceId !== undefined && trace === undefined) || (spanId !== undefined && span === undefined)) return undefined;
  return {
    range: question.range,
    serviceName: question.serviceName,
    severity: severityLevel === undefined ? undefined : severityRange(severityLevel),
    traceId: trace && words32(trace),
    spanId: span && words32(span),
    postings: [...tagConditions(question.attributes), ...wordConditions(text)],
  };
}

/** A body with a phrase has each of its words. */
function wordConditions({ words, prefixes, phrases }: TextQuery): PostingCondition[] {
  const whole = new Set([...words, ...phrases.flat()]);
  return [...[...whole].map(wordCondition), ...prefixes.map(prefixCondition)];
}

/** Leaves the rows of the block that meet all conditions in the filter. */
export async function filterLogs(block: LogBlock, conditions: LogConditions, filter: RowFilter, turn: Turn): Promise<void> {
  filter.startWith(new Uint16Array(0));
  if (!mayMatch(block.document, conditions) || !(await mayHoldIds(block, conditions))) return;
  if (conditions.postings.length === 0) filter.startWithAll(block.document.rows);
  else filter.startWith(await rowsMeeting(block, conditions.postings, turn));
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
  if (traceId !== undefined) filter.equal(traces.local, localTrace(traces, traceId, 0));
  if (spanId !== undefined) filter.equalPair(spans, spanId[0], spanId[1]);
}

async function filterLabels(block: LogBlock, { serviceName, severity }: LogConditions, filter: RowFilter): Promise<void> {
  if (serviceName === undefined && severity === undefined) return;
  const { services, severities } = await block.read(LOG_LABELS);
  if (serviceName !== undefined) filter.equal(services, block.document.services.findIndex(([name]) => name === serviceName));
  if (severity !== undefined) filter.within(severities, severity.first, severity.last + 1);
}

async function filterTimes(block: LogBlock, { range }: LogConditions, filter: RowFilter): Promise<void> {
  const { minTimeUs, maxTimeUs } = block.document;
  if (minTimeUs >= range.fromUs && maxTimeUs < range.toUs) return;
  filter.within(await block.read(TIMES), range.fromUs - minTimeUs, range.toUs - minTimeUs);
}
