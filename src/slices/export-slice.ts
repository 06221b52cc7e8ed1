import { HindsightError } from '../errors.js';
import { START, type EventReader } from '../streams/event-store.js';
import { eventsAfter } from '../streams/events-after.js';
import type { GridEvent } from '../streams/events/grid-events.js';
import { GRID_PREFIX, gridStream } from '../streams/stream-names.js';
import { SLICE_FORMAT, SLICE_VERSION, type SliceCounts, type SliceHeader } from './format.js';
import { secretAttributes } from './secret-attributes.js';
import { slicedGrid } from './sliced-grid.js';
import { firstArrival, slicedEvents, type SliceBounds } from './sliced-events.js';
import { writeSlice } from './slice-writer.js';

export interface ExportOptions {
  readonly gridId: string;
  /** Times are ms since 1970; spans of time ms. */
  readonly fromMs: number;
  readonly toMs: number;
  /** How much before `fromMs` telemetry is taken: what diagnoses compare with. */
  readonly baselineMs: number;
  readonly lateMs: number;
  /** Attributes whose values are taken out. */
  readonly strip: readonly string[];
  readonly now: number;
  readonly hindsight: string;
  /** Telemetry is written up to this moment of log time, of which there are so many. */
  readonly onProgress: (progress: { readonly done: number; readonly total: number }) => void;
}

export interface Exported extends SliceCounts {
  readonly file: string;
  readonly gridName: string;
  readonly sha256: string;
}

type Log = Pick<EventReader, 'readStream' | 'readAll' | 'readEvent'>;

const MINUTE_MS = 60_000;
/** Events of Grids that are in memory at a time. */
const BATCH = 1_000;

/** Writes a slice of a Grid into the new file, without keys, members, actors, conversations and usage. */
export async function exportSlice(log: Log, file: string, options: ExportOptions): Promise<Exported> {
  const { gridId, fromMs, toMs, baselineMs, strip, now, hindsight, onProgress } = options;
  if (!(fromMs < toMs)) throw new HindsightError('invalid-request', 'The slice has faults.', [{ field: 'to', message: 'must be later than from' }]);
  const bounds: SliceBounds = { baselineFromMs: Math.floor((fromMs - baselineMs) / MINUTE_MS) * MINUTE_MS, toMs, lateMs: options.lateMs };
  const grid = slicedGrid(gridId, await log.readStream(gridStream(gridId)), firstArrival(bounds), toMs);
  const iso = (ms: number): string => new Date(ms).toISOString();
  const header: SliceHeader = {
    format: SLICE_FORMAT, formatVersion: SLICE_VERSION, hindsight, exportedAt: iso(now),
    slice: { from: iso(fromMs), to: iso(toMs), baselineFrom: iso(bounds.baselineFromMs) }, grid, strippedAttributes: strip,
  };
  const { end } = await writeSlice(file, header, async (add) => {
    for await (const { event, records } of slicedEvents(log, gridId, bounds, secretAttributes(strip))) {
      await add(event, records);
      const { receivedAt } = event.data;
      if (typeof receivedAt === 'number') onProgress(howFar(receivedAt, bounds));
    }
  });
  return { file, gridName: grid.settings.name, ...end };
}

/** In seconds of the time that is exported. */
function howFar(receivedAt: number, { baselineFromMs, toMs }: SliceBounds): { done: number; total: number } {
  const total = Math.ceil((toMs - baselineFromMs) / 1000);
  return { done: Math.max(0, Math.min(total, Math.round((receivedAt - baselineFromMs) / 1000))), total };
}

/** The id of the Grid with this id or name. Rejects with `not-found`, and with `conflict` where several have the name. */
export async function findGrid(log: Pick<EventReader, 'readAll'>, idOrName: string): Promise<string> {
  const names = new Map<string, string>();
  for await (const { type, data } of eventsAfter(log, START, { prefixes: [GRID_PREFIX], limit: BATCH })) {
    const event = { type, data } as GridEvent;
    if (event.type === 'GridCreated.v1') names.set(event.data.gridId, event.data.name);
    else if (event.type === 'GridSettingsChanged.v1' && event.data.changes.name !== undefined) names.set(event.data.gridId, event.data.changes.name);
  }
  if (names.has(idOrName)) return idOrName;
  const found = [...names].filter(([, name]) => name === idOrName).map(([gridId]) => gridId);
  if (found.length === 1) return found[0];
  throw found.length === 0
    ? new HindsightError('not-found', `There is no Grid "${idOrName}".`)
    : new HindsightError('conflict', `Several Grids are called "${idOrName}": name one of ${found.join(', ')}.`);
}
