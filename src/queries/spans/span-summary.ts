import { isError, KIND_MASK } from '../../read-models/blocks/span-block.js';
import { DURATIONS_MS, DURATIONS_NS, LABELS, OPERATIONS } from '../../read-models/blocks/span-columns.js';
import { spanKindName } from '../../telemetry/span-kind.js';
import { unixNanos } from '../../telemetry/time.js';
import type { SpanSummary } from '../answers.js';
import type { Turn } from '../giving-way.js';
import type { SpanPlace } from './span-place.js';

/** What lists show of a span; all of it comes from columns. */
export async function spanSummary({ block, row, traceId, spanId, parentId, startUs, startNs }: SpanPlace): Promise<SpanSummary> {
  const { services, operations, flags } = await block.read(LABELS);
  const operationNames = await block.read(OPERATIONS);
  const start = unixNanos(startUs, startNs);
  return {
    traceId,
    spanId,
    parentSpanId: parentId === '' ? null : parentId,
    serviceName: block.document.services[services[row]][0],
    operationName: operationNames[operations[row]],
    spanKind: spanKindName(flags[row] & KIND_MASK),
    status: isError(flags[row]) ? 'ERROR' : 'OK',
    start,
    end: start + BigInt((await block.read(DURATIONS_NS))[row]),
    durationMs: (await block.read(DURATIONS_MS))[row],
  };
}

/** One after the other: rows of one block share its columns. */
export async function spanSummaries(places: readonly SpanPlace[], turn: Turn): Promise<SpanSummary[]> {
  const summaries: SpanSummary[] = [];
  for (const place of places) {
    await turn.giveWay();
    summaries.push(await spanSummary(place));
  }
  return summaries;
}
