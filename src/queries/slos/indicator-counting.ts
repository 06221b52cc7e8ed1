import type { Indicator } from '../../diagnostics/slos/slo-model.js';
import { HindsightError } from '../../errors.js';
import { LOG_LOCATIONS, LOG_TIMES } from '../../read-models/blocks/log-block-columns.js';
import { hasErrorStatus, KIND_MASK, ROOT_FLAG } from '../../read-models/blocks/span-block-codec.js';
import {
  SPAN_DURATIONS_NS,
  SPAN_LABELS,
  SPAN_LOCATIONS,
  SPAN_OPERATIONS,
  SPAN_SERVICE_ROWS,
  SPAN_STARTS,
} from '../../read-models/blocks/span-block-columns.js';
import { isEntryKind } from '../../telemetry/span-kind.js';
import type { BatchContext } from '../query/columns/block-batch.js';
import { LogSource } from '../query/columns/log-source.js';
import type { RecordSource, Rows } from '../query/columns/record-batch.js';
import { SpanSource } from '../query/columns/span-source.js';
import { PredicateEvaluator } from '../query/predicate-evaluator.js';
import { compileQuery } from '../query/query-compiler.js';
import type { Predicate, QuerySignal } from '../query/query-model.js';
import type { LogSnapshot, SpanSnapshot } from '../telemetry/block-snapshots.js';
import { type BlockCounts, NO_COUNTS, BlockCountsBuilder } from './block-counts.js';

export type SpanBlock = SpanSnapshot['blocks'][number];
export type LogBlock = LogSnapshot['blocks'][number];

const NS_PER_MS = 1e6;
/** Decimal digits that a double holds exactly. */
const SAFE_DIGITS = 15;
const NS_PER_US = 1e3;
const US_PER_MINUTE = 60e6;
const ALL_TIMES = { fromUs: -Infinity, toUs: Infinity };

/**
 * Counts the events of an indicator in a block of spans. Of the rows, only those whose telemetry has a revision above
 * `after` count. A span counts in the minute of its end, as in rollups.
 */
export async function countSpans(
  block: SpanBlock,
  indicator: Indicator,
  after: number,
  context: BatchContext,
): Promise<BlockCounts> {
  const found =
    indicator.type === 'query'
      ? await findQueried(
          indicator,
          new SpanSource({ blocks: [block], timeSlice: context.records.timeSlice }, ALL_TIMES, context),
        )
      : await findRequests(block, indicator);
  if (found.rows.length === 0) return NO_COUNTS;
  const [starts, durations] = [await block.read(SPAN_STARTS), await block.read(SPAN_DURATIONS_NS)];
  const { startNs, revision } = await block.read(SPAN_LOCATIONS);
  const { minStartUs } = block.document;
  const endUs = (row: number): number =>
    minStartUs + starts[row] + Math.floor((startNs[row] + Math.max(0, durations[row])) / NS_PER_US);
  return countRows(found, (row) => revision[row] > after, endUs);
}

/** The same of a block of log records, which count in the minute of their time. */
export async function countLogs(
  block: LogBlock,
  indicator: Indicator,
  after: number,
  context: BatchContext,
): Promise<BlockCounts> {
  const snapshot = { blocks: [block], timeSlice: context.records.timeSlice };
  const found = await findQueried(indicator, new LogSource(snapshot, ALL_TIMES, context));
  if (found.rows.length === 0) return NO_COUNTS;
  const [times, { revision }] = [await block.read(LOG_TIMES), await block.read(LOG_LOCATIONS)];
  const { minTimeUs } = block.document;
  return countRows(
    found,
    (row) => revision[row] > after,
    (row) => minTimeUs + times[row],
  );
}

interface FoundEvents {
  readonly rows: Rows;
  readonly isGood: (row: number) => boolean;
}

const NOTHING: FoundEvents = { rows: new Uint16Array(0), isGood: () => false };

function countRows({ rows, isGood }: FoundEvents, isNew: (row: number) => boolean, timeUs: (row: number) => number) {
  const builder = new BlockCountsBuilder();
  for (const row of rows) if (isNew(row)) builder.add(Math.floor(timeUs(row) / US_PER_MINUTE), isGood(row));
  return builder.build();
}

/** Entry spans of the service and operation. */
async function findRequests(
  block: SpanBlock,
  { type, serviceName, operation, thresholdMs }: Indicator,
): Promise<FoundEvents> {
  const local = block.document.services.findIndex(([name]) => name === serviceName);
  if (local < 0) return NOTHING;
  const { rows, ends } = await block.read(SPAN_SERVICE_ROWS);
  const { flags, operations } = await block.read(SPAN_LABELS);
  const durations = await block.read(SPAN_DURATIONS_NS);
  const named = operation === '' ? undefined : (await block.read(SPAN_OPERATIONS)).indexOf(operation);
  const thresholdNs = toNanoseconds(thresholdMs);
  return {
    rows: rows
      .subarray(local === 0 ? 0 : ends[local - 1], ends[local])
      .filter((row) => isEntry(flags[row]) && (named === undefined || operations[row] === named)),
    isGood: type === 'latency' ? (row) => durations[row] < thresholdNs : (row) => !hasErrorStatus(flags[row]),
  };
}

/** Without the error of the product: 4.03 ms are 4,030,000 ns, not a little more, which would count as good. */
function toNanoseconds(thresholdMs: number): number {
  return Number((thresholdMs * NS_PER_MS).toPrecision(SAFE_DIGITS));
}

function isEntry(flags: number): boolean {
  return isEntryKind(flags & KIND_MASK) || (flags & ROOT_FLAG) !== 0;
}

/** Records that meet the conditions of a query; `source` has one block. */
async function findQueried({ signal, all, good }: Indicator, source: RecordSource): Promise<FoundEvents> {
  const conditions = Object.entries({ all, good }).map(([name, where]) =>
    compileCondition(signal as QuerySignal, name, where),
  );
  for await (const batch of source.batches()) {
    let rows = await batch.selectRange(ALL_TIMES);
    const selected: Rows[] = [];
    for (const condition of conditions) {
      if (condition !== undefined) rows = await new PredicateEvaluator(condition, source.timeSlice).select(batch, rows);
      selected.push(rows);
    }
    const goodRows = new Set(selected[1]);
    return { rows: selected[0], isGood: (row) => goodRows.has(row) };
  }
  return NOTHING;
}

/** The conditions were checked when the objective was saved, maybe by a release with another language. */
function compileCondition(signal: QuerySignal, name: string, where: string): Predicate | undefined {
  const compiled = compileQuery({ signal, where });
  if (!('errors' in compiled)) return compiled.plan.where;
  const reasons = compiled.errors.map(({ message }) => `indicator.${name} ${message}`).join('; ');
  // The stored definition is at fault, not a field of the request.
  throw new HindsightError('conflict', `The stored condition of the objective cannot be read: ${reasons}`);
}
