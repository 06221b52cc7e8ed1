import { setTimeout as pause } from 'node:timers/promises';
import type { Position } from '../../src/streams/event-store.js';
import { telemetryStream } from '../../src/streams/stream-names.js';
import type { Signal } from '../../src/telemetry/signals.js';
import type { MeasuredEngines, StoredBytes } from './measured-engines.js';
import { MeasuredProcess } from './measured-process.js';
import {
  toTelemetryEvent,
  createGridIds,
  RECORDS,
  generateRequest,
  createShopGenerator,
} from './generated-requests.js';

/** What comes to a projector: so many requests of 512 records for each of so many Grids. */
export interface TelemetrySupply {
  readonly requests: number;
  readonly grids: number;
  /** Not to the first Grid, which is busy by what it has received: to others. */
  readonly isQuiet?: boolean;
  /** 0: all at once; else one request a Grid each so many ms. */
  readonly everyMs: number;
  /** Nothing comes for so long after that. */
  readonly restMs?: number;
}

/** What a supply cost, in all. */
export interface ProjectionCost {
  readonly records: number;
  readonly commits: number;
  readonly seconds: number;
  readonly cpuMicros: number;
  readonly fromLogBytes: number;
  readonly toReadStoreBytes: number;
  readonly fromReadStoreBytes: number;
  /** By how much the log and the read models grew. */
  readonly stored: StoredBytes;
}

/** Requests that are appended together. */
const CONCURRENT_APPENDS = 8;

/** A projector process with one share follows a log that is supplied once and again; what each supply cost. */
export async function measureProjection(
  engines: MeasuredEngines,
  signal: Signal,
  supplies: readonly TelemetrySupply[],
): Promise<ProjectionCost[]> {
  const part = new MeasuredProcess('projector-process');
  try {
    await part.callMethod('start', engines.addresses);
    const supply = createSupplier(engines, signal);
    const costs: ProjectionCost[] = [];
    for (const each of supplies)
      costs.push(await measureSupply(part, engines, () => supply(each), each.requests * each.grids * RECORDS));
    return costs;
  } finally {
    part.stop();
  }
}

async function measureSupply(
  part: MeasuredProcess,
  engines: MeasuredEngines,
  supply: () => Promise<Position>,
  records: number,
): Promise<ProjectionCost> {
  const [cpu, before, stored, commits, began] = [
    await part.readCpuMicros(),
    engines.transferred(),
    await engines.stored(),
    await part.callMethod<number>('commits'),
    performance.now(),
  ];
  await part.callMethod('reach', await supply());
  const [after, kept] = [engines.transferred(), await engines.stored()];
  return {
    records,
    commits: (await part.callMethod<number>('commits')) - commits,
    seconds: (performance.now() - began) / 1000,
    cpuMicros: (await part.readCpuMicros()) - cpu,
    fromLogBytes: after.log.down - before.log.down,
    toReadStoreBytes: after.readStore.up - before.readStore.up,
    fromReadStoreBytes: after.readStore.down - before.readStore.down,
    stored: { log: kept.log - stored.log, readModels: kept.readModels - stored.readModels },
  };
}

/** Appends what it is told, and resolves to the last position. Time of the events moves as if 50,000 came a second. */
function createSupplier({ log }: MeasuredEngines, signal: Signal): (supply: TelemetrySupply) => Promise<Position> {
  const shop = createShopGenerator(11, 50_000);
  const made = (gridId: string) => ({ gridId, event: toTelemetryEvent(generateRequest(shop, signal), signal, gridId) });
  const append = async ({ gridId, event }: ReturnType<typeof made>): Promise<Position> => {
    const appended = await log.append(telemetryStream(gridId), 'any', [event]);
    if (!appended.ok) throw new Error('the log refused a request');
    return appended.position;
  };
  let last: Position | undefined;
  return async ({ requests, grids, everyMs, restMs = 0, isQuiet = false }) => {
    const ids = createGridIds(grids, isQuiet ? 1 : 0);
    // Made ahead: else the log would grow no faster than requests are made, and be no backlog.
    const ahead = everyMs === 0 ? Array.from({ length: requests }, () => ids.map(made)).flat() : [];
    for (let from = 0; from < ahead.length; from += CONCURRENT_APPENDS)
      last = newestPosition(last, await Promise.all(ahead.slice(from, from + CONCURRENT_APPENDS).map(append)));
    for (let n = 0; n < requests && everyMs > 0; n++) {
      last = newestPosition(last, await Promise.all(ids.map(made).map(append)));
      await pause(everyMs);
    }
    await pause(restMs);
    return last!;
  };
}

/** Positions ascend as texts. */
function newestPosition(last: Position | undefined, positions: readonly Position[]): Position | undefined {
  return positions.reduce((latest, each) => (latest === undefined || each > latest ? each : latest), last);
}
