import { OrchestratorEventCollector } from '../../diagnostics/changes/orchestrator-event-collector.js';
import type { OrchestratorEvent } from '../../diagnostics/changes/orchestrator-event.js';
import { CHANGE_REASONS } from '../../diagnostics/changes/orchestrator-events.js';
import { MINUTE_MS, type TimeWindow } from '../../diagnostics/time-windows.js';
import { MAX_BLOCK_ROWS } from '../../read-models/blocks/block.js';
import { tagCondition, wordCondition } from '../../read-models/blocks/block-search-conditions.js';
import { LOG_LOCATIONS, LOG_TIMES } from '../../read-models/blocks/log-block-columns.js';
import type { LogBlockDocument } from '../../read-models/documents/block-documents.js';
import { EVENT_NAME_KEY } from '../../telemetry/attribute-tokens.js';
import { decodeLogRecord } from '../../telemetry/otlp/decoding/record-decoder.js';
import { readResourceAt } from '../../telemetry/otlp/decoding/record-resource.js';
import type { TelemetryBodyReader } from '../../telemetry/telemetry-body-reader.js';
import type { LogBlock } from '../logs/log-conditions.js';
import type { TimeSlice } from '../scheduling/cooperative-scheduler.js';
import { type BlockSnapshotReader, retryOnCompaction } from '../telemetry/block-snapshots.js';
import { RecordReader, toIntact, recordLocation } from '../telemetry/record-reader.js';
import { findPostingRows, type PostingCondition } from '../telemetry/row-filter.js';
import type { GridEventCache, OrchestratorEventCache } from './orchestrator-event-cache.js';
import { DEPLOYMENT, EVENT_OBJECTS, OBJECT_TYPE, readOrchestratorEvent } from './orchestrator-event-record.js';

/**
 * Conditions of which a record must meet all of one list: the reason as an attribute, as the receiver `k8s_events` of
 * the OpenTelemetry Collector writes it, or in the body; or the name that deployment tools give their events, as an
 * attribute or in the field for it.
 */
const CONDITIONS: readonly (readonly PostingCondition<LogBlockDocument>[])[] = [
  ...CHANGE_REASONS.flatMap((reason) => [
    [tagCondition('k8s.event.reason', reason)],
    [tagCondition(OBJECT_TYPE, EVENT_OBJECTS), wordCondition(reason.toLowerCase())],
  ]),
  [tagCondition('event.name', DEPLOYMENT)],
  [tagCondition(EVENT_NAME_KEY, DEPLOYMENT)],
];

const US_PER_MS = 1000;

/**
 * How much later than its event a record may be: Kubernetes keeps and lists events for an hour. And how much earlier,
 * since clocks differ. Records are selected by this, whatever block they are in.
 */
const MAX_DELAY_MS = 60 * MINUTE_MS;
const MAX_LEAD_MS = 5 * MINUTE_MS;

/** Reads log records about changes of an orchestrator. Blocks are immutable: what was read of one is cached. */
export class OrchestratorEventReader {
  constructor(
    private readonly blocks: BlockSnapshotReader,
    private readonly bodies: TelemetryBodyReader,
    private readonly cache: OrchestratorEventCache,
  ) {}

  /**
   * Events that happened within the window of whole minutes, also where their records are later, in no particular
   * order; of more than MAX_EVENTS, the most important.
   */
  read(gridId: string, { fromMs, toMs }: TimeWindow, timeSlice: TimeSlice): Promise<readonly OrchestratorEvent[]> {
    return retryOnCompaction(timeSlice, async () => {
      const { blocks } = await this.blocks.readLogs(gridId, timeSlice);
      const records = new RecordReader(this.bodies, gridId, timeSlice);
      const found = new OrchestratorEventCollector();
      const known = this.cache.open(gridId);
      for (const block of blocks) {
        const { minTimeUs, maxTimeUs } = block.document;
        if (minTimeUs >= (toMs + MAX_DELAY_MS) * US_PER_MS || maxTimeUs < (fromMs - MAX_LEAD_MS) * US_PER_MS) continue;
        await timeSlice.yieldIfDue();
        for (const event of await readBlock(block, records, known))
          if (event.atMs >= fromMs && event.atMs < toMs) found.add(event);
      }
      return found.events();
    });
  }
}

async function readBlock(
  block: LogBlock,
  records: RecordReader,
  known: GridEventCache,
): Promise<readonly OrchestratorEvent[]> {
  let events = known.get(block);
  if (events === undefined) known.set(block, (events = await readEvents(block, records)));
  return events;
}

async function readEvents(block: LogBlock, records: RecordReader): Promise<readonly OrchestratorEvent[]> {
  const rows = new Set<number>();
  for (const conditions of CONDITIONS)
    for (const row of await findPostingRows(block, conditions, records.timeSlice)) rows.add(row);
  if (rows.size === 0) return [];
  const [columns, times] = [await block.read(LOG_LOCATIONS), await block.read(LOG_TIMES)];
  const found = [...rows];
  const read = await records.read(
    found.map((row) => recordLocation(columns, row)),
    (body, { offset, length }) =>
      readOrchestratorEvent(decodeLogRecord(body, offset, length), readResourceAt(body, offset).attributes),
  );
  const events = new OrchestratorEventCollector(MAX_BLOCK_ROWS);
  read.forEach((stored, i) => {
    const event = toIntact(stored);
    if (event === undefined) return;
    const recordMs = Math.floor((block.document.minTimeUs + times[found[i]]) / US_PER_MS);
    const { atMs = recordMs } = event;
    if (recordMs - atMs > MAX_DELAY_MS || atMs - recordMs > MAX_LEAD_MS) return;
    events.add({ ...event, atMs, lastMs: atMs, count: 1 });
  });
  return events.events();
}
