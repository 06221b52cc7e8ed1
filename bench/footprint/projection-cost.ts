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

/** Load of a projector: requests of 512 records for each of some Grids. */
export interface TelemetrySupply {
  readonly requests: number;
  readonly grids: number;
  /** Whether to skip the first Grid, which is busy with what it has received. */
  readonly isQuiet?: boolean;
  /** 0: all at once; otherwise one request per Grid at this interval (ms). */
  readonly everyMs: number;
  /** Pause (ms) after the load. */
  readonly restMs?: number;
}

/** Total cost of a load. */
export interface ProjectionCost {
  readonly records: number;
  readonly commits: number;
  readonly seconds: number;
  readonly cpuMicros: number;
  readonly fromLogBytes: number;
  readonly toReadStoreBytes: number;
  readonly fromReadStoreBytes: number;
  /** Growth of log and read models in bytes. */
  readonly stored: StoredBytes;
}

/** Requests per append. */
const CONCURRENT_APPENDS = 8;

/** A projector process with one shard that follows a log; measures the cost of each load. */
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
  const [after, storedAfter] = [engines.transferred(), await engines.stored()];
  return {
    records,
    commits: (await part.callMethod<number>('commits')) - commits,
    seconds: (performance.now() - began) / 1000,
    cpuMicros: (await part.readCpuMicros()) - cpu,
    fromLogBytes: after.log.down - before.log.down,
    toReadStoreBytes: after.readStore.up - before.readStore.up,
    fromReadStoreBytes: after.readStore.down - before.readStore.down,
    stored: { log: storedAfter.log - stored.log, readModels: storedAfter.readModels - stored.readModels },
  };
}

/** Appends the load, and resolves to the last position. Event times advance as with 50,000 records per second. */
function createSupplier({ log }: MeasuredEngines, signal: Signal): (supply: TelemetrySupply) => Promise<Position> {
  const shop = createShopGenerator(11, 50_000);
  const createRequest = (gridId: string) => ({
    gridId,
    event: toTelemetryEvent(generateRequest(shop, signal), signal, gridId),
  });
  const append = async ({ gridId, event }: ReturnType<typeof createRequest>): Promise<Position> => {
    const appended = await log.append(telemetryStream(gridId), 'any', [event]);
    if (!appended.ok) throw new Error('the log refused a request');
    return appended.position;
  };
  let last: Position | undefined;
  return async ({ requests, grids, everyMs, restMs = 0, isQuiet = false }) => {
    const ids = createGridIds(grids, isQuiet ? 1 : 0);
    // Prepared in advance: otherwise the log would grow no faster than requests are generated, without a backlog.
    const ahead = everyMs === 0 ? Array.from({ length: requests }, () => ids.map(createRequest)).flat() : [];
    for (let from = 0; from < ahead.length; from += CONCURRENT_APPENDS)
      last = newestPosition(last, await Promise.all(ahead.slice(from, from + CONCURRENT_APPENDS).map(append)));
    for (let n = 0; n < requests && everyMs > 0; n++) {
      last = newestPosition(last, await Promise.all(ids.map(createRequest).map(append)));
      await pause(everyMs);
    }
    await pause(restMs);
    return last!;
  };
}

/** Positions are ordered as texts. */
function newestPosition(last: Position | undefined, positions: readonly Position[]): Position | undefined {
  return positions.reduce((latest, each) => (latest === undefined || each > latest ? each : latest), last);
}
