import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { randomBytes, randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { toEventLogPath } from '../src/streams/adapters/sqlite/data-folder.js';
import { openEventStore } from '../src/streams/adapters/sqlite/sqlite-event-store.js';
import type { EventStore } from '../src/streams/event-store.js';
import { InProcessFeed } from '../src/streams/live/in-process-feed.js';
import { percentile } from './measurement-table.js';
import type { Measurement } from './measurement-table.js';
import { readProcessWrittenBytes } from './service-metrics.js';

const WRITERS = 16;

/** Sizes of gzip bodies of 512 and of 100 spans. */
const BODY_SIZES = [43_000, 10_000];

/**
 * Acknowledged appends per second of 16 writers that each wait for the acknowledgement, compared with `write +
 * fdatasync` of single bodies on the same disk in the same minute.
 */
export async function run(seconds = 5): Promise<Measurement[]> {
  const rows: Measurement[] = [];
  for (const size of BODY_SIZES) {
    const dir = mkdtempSync(join(tmpdir(), 'hindsight-bench-'));
    try {
      const raw = measureRawWriteRate(join(dir, 'raw'), size, seconds / 5);
      rows.push({ name: `raw write + fdatasync, ${size / 1000} KB`, value: raw, unit: '1/s', note: 'calibration' });
      rows.push(...(await measureAppends(join(dir, 'log'), size, seconds, raw)));
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  }
  return rows;
}

function measureRawWriteRate(file: string, size: number, seconds: number): number {
  const body = randomBytes(size);
  const descriptor = openSync(file, 'w');
  const end = performance.now() + seconds * 1000;
  let writes = 0;
  for (; performance.now() < end; writes++) {
    writeSync(descriptor, body);
    fdatasyncSync(descriptor);
  }
  closeSync(descriptor);
  return writes / seconds;
}

async function measureAppends(dir: string, size: number, seconds: number, raw: number): Promise<Measurement[]> {
  const feed = new InProcessFeed(dir);
  const store = await openEventStore(dir, feed);
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const cpuBefore = process.cpuUsage();
  const writtenBefore = await readProcessWrittenBytes(process.pid);
  const acks = await measureAckLatencies(store, randomBytes(size), seconds);
  delay.disable();
  await store.close();
  await feed.close();
  const written = (await readProcessWrittenBytes(process.pid)) - writtenBefore;
  const { user, system } = process.cpuUsage(cpuBefore);
  const stored = statSync(toEventLogPath(dir)).size;
  const rate = acks.length / seconds;
  const name = `append ${size / 1000} KB, ${WRITERS} writers`;
  return [
    { name, value: rate, unit: 'acks/s', note: `${(rate / raw).toFixed(2)} x raw` },
    { name: `${name}, ack p50`, value: percentile(acks, 50), unit: 'ms' },
    {
      name: `${name}, ack p99`,
      value: percentile(acks, 99),
      unit: 'ms',
      note: `max ${percentile(acks, 100).toFixed(1)}`,
    },
    {
      name: `${name}, event loop delay p99`,
      value: delay.percentile(99) / 1e6,
      unit: 'ms',
      note: 'serving thread, sampled each ms',
    },
    {
      name: `${name}, written`,
      value: written / acks.length / size,
      unit: '× body',
      note: `until closed, write-ahead log included; ${(stored / acks.length / size).toFixed(2)} × stay in the file`,
    },
    { name: `${name}, CPU`, value: (user + system) / acks.length, unit: 'µs/ack', note: 'all threads' },
  ];
}

/** Latency (ms) of each acknowledgement. */
async function measureAckLatencies(store: EventStore, body: Uint8Array, seconds: number): Promise<number[]> {
  const acks: number[] = [];
  const end = performance.now() + seconds * 1000;
  const data = { gridId: randomUUID(), accepted: 512, rejected: [] };
  const writer = async (stream: string): Promise<void> => {
    for (let start = performance.now(); start < end; start = performance.now()) {
      const event = { id: randomUUID(), type: 'TracesReceived.v1', data, body: new Uint8Array(body) };
      await store.append(stream, 'any', [event]);
      acks.push(performance.now() - start);
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, (_, i) => writer(`telemetry.0${i % 4}-grid`)));
  return acks;
}
