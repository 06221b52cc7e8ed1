import { parseKubernetesEvent } from '../../diagnostics/changes/kubernetes-event.js';
import { CHANGE_REASONS, type OrchestratorEvent } from '../../diagnostics/changes/orchestrator-events.js';
import { isNameless } from '../../diagnostics/requests/request-attributes.js';
import type { TimeWindow } from '../../diagnostics/time-windows.js';
import { tagCondition, wordCondition } from '../../read-models/blocks/block-search-conditions.js';
import { LOG_LOCATIONS, LOG_TIMES } from '../../read-models/blocks/log-block-columns.js';
import type { Attributes } from '../../telemetry/attributes.js';
import { decodeLogRecord, type LogRecord } from '../../telemetry/otlp/decoding/record-decoder.js';
import { readResourceAt } from '../../telemetry/otlp/decoding/record-resource.js';
import type { TelemetryBodyReader } from '../../telemetry/telemetry-body-reader.js';
import type { LogBlock } from '../logs/log-conditions.js';
import type { TimeSlice } from '../scheduling/cooperative-scheduler.js';
import { type BlockSnapshotReader, retryOnCompaction } from '../telemetry/block-snapshots.js';
import { RecordReader, readable, recordLocation } from '../telemetry/record-reader.js';
import { findPostingRows, type PostingCondition } from '../telemetry/row-filter.js';

const DEPLOYMENT = 'deployment';

/** Attribute of the records of the receiver `k8sobjects`, which have the event in their bodies. */
const OBJECT_TYPE = 'k8s.resource.name';
const EVENT_OBJECTS = 'events';

/**
 * Conditions of which a record must meet all of one list: the reason as an attribute, as the receiver `k8s_events` of
 * the OpenTelemetry Collector writes it, or in the body; or the name that deployment tools give their events.
 */
const CONDITIONS: readonly (readonly PostingCondition[])[] = [
  ...CHANGE_REASONS.flatMap((reason) => [
    [tagCondition('k8s.event.reason', reason)],
    [tagCondition(OBJECT_TYPE, EVENT_OBJECTS), wordCondition(reason.toLowerCase())],
  ]),
  [tagCondition('event.name', DEPLOYMENT)],
];

/** Events read of one block: of more in a block of records only the first ones count. */
const MAX_PER_BLOCK = 200;

const US_PER_MS = 1000;

/** Reads log records that tell changes of an orchestrator. Blocks are immutable: what was read of one is kept with it. */
export class OrchestratorEventReader {
  private readonly known = new WeakMap<LogBlock, readonly OrchestratorEvent[]>();

  constructor(
    private readonly blocks: BlockSnapshotReader,
    private readonly bodies: TelemetryBodyReader,
  ) {}

  /** Events within the window, in no particular order. */
  read(gridId: string, { fromMs, toMs }: TimeWindow, timeSlice: TimeSlice): Promise<readonly OrchestratorEvent[]> {
    return retryOnCompaction(timeSlice, async () => {
      const { blocks } = await this.blocks.readLogs(gridId, timeSlice);
      const records = new RecordReader(this.bodies, gridId, timeSlice);
      const found: OrchestratorEvent[] = [];
      for (const block of blocks) {
        const { minTimeUs, maxTimeUs } = block.document;
        if (minTimeUs >= toMs * US_PER_MS || maxTimeUs < fromMs * US_PER_MS) continue;
        await timeSlice.yieldIfDue();
        found.push(...(await this.readBlock(block, records)));
      }
      return found.filter(({ atMs }) => atMs >= fromMs && atMs < toMs);
    });
  }

  private async readBlock(block: LogBlock, records: RecordReader): Promise<readonly OrchestratorEvent[]> {
    let events = this.known.get(block);
    if (events === undefined) this.known.set(block, (events = await readEvents(block, records)));
    return events;
  }
}

async function readEvents(block: LogBlock, records: RecordReader): Promise<readonly OrchestratorEvent[]> {
  const rows = new Set<number>();
  for (const conditions of CONDITIONS)
    for (const row of await findPostingRows(block, conditions, records.timeSlice)) rows.add(row);
  if (rows.size === 0) return [];
  const [columns, times] = [await block.read(LOG_LOCATIONS), await block.read(LOG_TIMES)];
  const first = [...rows].sort((a, b) => a - b).slice(0, MAX_PER_BLOCK);
  const read = await records.read(
    first.map((row) => recordLocation(columns, row)),
    (body, { offset, length }) => ({
      record: decodeLogRecord(body, offset, length),
      resource: readResourceAt(body, offset).attributes,
    }),
  );
  return read.flatMap((stored, i) => {
    const found = readable(stored);
    const atMs = Math.floor((block.document.minTimeUs + times[first[i]]) / US_PER_MS);
    const event = found && toEvent(found.record, found.resource, atMs);
    return event === undefined || !REASONS.has(event.reason) ? [] : [event];
  });
}

/** Posting lists are found by hashes, which other attributes may share, and by words that stand anywhere in a body. */
const REASONS: ReadonlySet<string> = new Set([...CHANGE_REASONS, DEPLOYMENT]);

function toEvent({ attributes, body }: LogRecord, resource: Attributes, atMs: number): OrchestratorEvent {
  const text = (...keys: readonly string[]): string => {
    for (const key of keys) {
      const value = attributes[key] ?? resource[key];
      if (value !== undefined && value !== '' && value !== null) return String(value);
    }
    return '';
  };
  const service = text('service.name');
  const object = text(OBJECT_TYPE) === EVENT_OBJECTS ? parseKubernetesEvent(body) : undefined;
  return {
    atMs,
    reason: text('k8s.event.reason') || text('event.name'),
    objectKind: text('k8s.object.kind'),
    objectName: text('k8s.object.name'),
    serviceName: isNameless(service)
      ? text('k8s.deployment.name', 'k8s.statefulset.name', 'k8s.daemonset.name', 'k8s.cronjob.name')
      : service,
    version: text('service.version', 'deployment.version'),
    message: body,
    ...(object && { ...object, atMs: object.atMs ?? atMs }),
  };
}
