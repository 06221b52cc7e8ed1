import { createHash, randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { NewEvent } from '../../src/streams/event-store.js';
import { TELEMETRY_RECEIVED_TYPES, type TelemetryReceived } from '../../src/streams/events/telemetry-events.js';
import { ShardMap } from '../../src/streams/shard-map.js';
import type { Signal } from '../../src/telemetry/signals.js';
import { createTelemetryGenerator, type TelemetryGenerator } from '../../test/support/telemetry-generator.js';

export const GRID = '3f2b8c54-93a1-4b0e-8a51-0d4f6f7c0000';
export const SHARD_MAP = new ShardMap(16);
/** The measured Grid. */
export const MEASURED_SHARD = SHARD_MAP.shardFor(GRID);
/** Default batch size of an SDK. */
export const RECORDS = 512;

/** Telemetry of the simulated shop that ends about now; every span is unique. */
export function createShopGenerator(seed: number, perSecond: number): TelemetryGenerator {
  return createTelemetryGenerator(seed, { startNs: BigInt(Date.now() - 60_000) * 1_000_000n, perSecond });
}

/** A protobuf export request of 512 records. */
export function generateRequest(shop: TelemetryGenerator, signal: Signal): Buffer {
  if (signal === 'metrics') return shop.metrics(RECORDS);
  return signal === 'logs' ? shop.logs(RECORDS) : shop.traces(RECORDS);
}

/** The request as ingestion appends it, gzip as exporters send it. */
export function toTelemetryEvent(body: Uint8Array, signal: Signal, gridId = GRID): NewEvent {
  const data: TelemetryReceived = {
    gridId,
    signal,
    accepted: RECORDS,
    rejected: [],
    keyId: 'bench',
    receivedAt: Date.now(),
    identity: createHash('sha256').update(body).digest('hex'),
    encoding: 'gzip',
    inflatedBytes: body.byteLength,
  };
  return { id: randomUUID(), type: TELEMETRY_RECEIVED_TYPES[signal], data, body: gzipSync(body, { level: 6 }) };
}

/** Ids of Grids after the first `skipped` ones, of which the first is GRID: all of the measured shard. */
export function createGridIds(count: number, skipped = 0): string[] {
  const grids: string[] = [];
  for (let n = 0; grids.length < skipped + count; n++) {
    const grid = GRID.slice(0, -4) + n.toString(16).padStart(4, '0');
    if (SHARD_MAP.shardFor(grid) === MEASURED_SHARD) grids.push(grid);
  }
  return grids.slice(skipped);
}
