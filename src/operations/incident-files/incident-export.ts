import { HindsightError } from '../../errors.js';
import { START, type EventReader } from '../../streams/event-store.js';
import { readEventsAfter } from '../../streams/event-log-scans.js';
import type { GridEvent } from '../../streams/events/grid-events.js';
import { GRID_PREFIX, gridStream } from '../../streams/stream-names.js';
import {
  INCIDENT_FILE_FORMAT,
  INCIDENT_FILE_VERSION,
  type IncidentFileCounts,
  type IncidentFileHeader,
} from './incident-file-format.js';
import { createSecretAttributeFilter } from './secret-attributes.js';
import { buildGridSnapshot } from './grid-snapshot.js';
import { computeEarliestArrival, readExportedEvents, type ExportBounds } from './exported-events.js';
import { writeIncidentFile } from './incident-file-writer.js';

export interface ExportOptions {
  readonly gridId: string;
  /** Times are ms since 1970, durations ms. */
  readonly fromMs: number;
  readonly toMs: number;
  /** How much telemetry before `fromMs` is included, as the baseline of diagnoses. */
  readonly baselineMs: number;
  readonly lateMs: number;
  /** Attribute names whose values are removed. */
  readonly strip: readonly string[];
  readonly now: number;
  readonly hindsight: string;
  /** Progress in seconds of exported time. */
  readonly onProgress: (progress: { readonly done: number; readonly total: number }) => void;
}

export interface ExportResult extends IncidentFileCounts {
  readonly file: string;
  readonly gridName: string;
  readonly sha256: string;
}

type ExportLog = Pick<EventReader, 'readStream' | 'readAll' | 'readEvent'>;
const MINUTE_MS = 60_000;
/** Grid events in memory at a time. */
const BATCH_EVENTS = 1_000;

/**
 * Writes a time range of a Grid into a new file, without API keys, members, actors, conversations and usage. Rejects
 * with `invalid-request` when the range is empty, `not-found` when the Grid does not exist.
 */
export async function exportIncidentFile(log: ExportLog, file: string, options: ExportOptions): Promise<ExportResult> {
  const { gridId, fromMs, toMs, baselineMs, strip, now, hindsight, onProgress } = options;
  if (!(fromMs < toMs))
    throw new HindsightError('invalid-request', 'The time range is invalid.', [
      { field: 'to', message: 'must be later than from' },
    ]);
  const bounds: ExportBounds = {
    baselineFromMs: Math.floor((fromMs - baselineMs) / MINUTE_MS) * MINUTE_MS,
    toMs,
    lateMs: options.lateMs,
  };
  const grid = buildGridSnapshot(
    gridId,
    await log.readStream(gridStream(gridId)),
    computeEarliestArrival(bounds),
    toMs,
  );
  const toIso = (ms: number): string => new Date(ms).toISOString();
  const header: IncidentFileHeader = {
    format: INCIDENT_FILE_FORMAT,
    formatVersion: INCIDENT_FILE_VERSION,
    hindsight,
    exportedAt: toIso(now),
    slice: { from: toIso(fromMs), to: toIso(toMs), baselineFrom: toIso(bounds.baselineFromMs) },
    grid,
    strippedAttributes: strip,
  };
  const { end } = await writeIncidentFile(file, header, async (add) => {
    for await (const { event, records } of readExportedEvents(
      log,
      gridId,
      bounds,
      createSecretAttributeFilter(strip),
    )) {
      await add(event, records);
      const { receivedAt } = event.data;
      if (typeof receivedAt === 'number') onProgress(computeProgress(receivedAt, bounds));
    }
  });
  return { file, gridName: grid.settings.name, ...end };
}

/** In seconds of exported time. */
function computeProgress(receivedAt: number, { baselineFromMs, toMs }: ExportBounds): { done: number; total: number } {
  const total = Math.ceil((toMs - baselineFromMs) / 1000);
  return { done: Math.max(0, Math.min(total, Math.round((receivedAt - baselineFromMs) / 1000))), total };
}

/**
 * Finds the id of the Grid with this id or name. Rejects with `not-found`, or with `conflict` when several Grids have
 * the name.
 */
export async function findGridId(log: Pick<EventReader, 'readAll'>, idOrName: string): Promise<string> {
  const names = new Map<string, string>();
  for await (const { type, data } of readEventsAfter(log, START, { prefixes: [GRID_PREFIX], limit: BATCH_EVENTS })) {
    const event = { type, data } as GridEvent;
    if (event.type === 'GridCreated.v1') names.set(event.data.gridId, event.data.name);
    else if (event.type === 'GridSettingsChanged.v1' && event.data.changes.name !== undefined)
      names.set(event.data.gridId, event.data.changes.name);
  }
  if (names.has(idOrName)) return idOrName;
  const gridIds = [...names].filter(([, name]) => name === idOrName).map(([gridId]) => gridId);
  if (gridIds.length === 1) return gridIds[0];
  throw gridIds.length === 0
    ? new HindsightError('not-found', `There is no Grid "${idOrName}".`)
    : new HindsightError(
        'conflict',
        `Several Grids have the name "${idOrName}". Use one of the ids ${gridIds.join(', ')}.`,
      );
}
