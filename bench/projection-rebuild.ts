import { createHash, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { gzipSync } from 'node:zlib';
import { SILENT_LOGGER } from '../src/self-telemetry/logger.js';
import { PROJECTION_GROUPS } from '../src/projections/projection-groups.js';
import { Replay } from '../src/projections/engine/projection-replay.js';
import { RecentSpans } from '../src/projections/telemetry/deduplication/recent-spans.js';
import { SqliteReadModelStore } from '../src/read-models/adapters/sqlite/read-model-store.js';
import { encodeSpanBlock } from '../src/read-models/blocks/span-block-codec.js';
import { MAX_BLOCK_ROWS } from '../src/read-models/blocks/block.js';
import { MemoryEventStore } from '../src/streams/adapters/memory/memory-event-store.js';
import type { NewEvent } from '../src/streams/event-store.js';
import type { TelemetryReceived } from '../src/streams/events/telemetry-events.js';
import { telemetryStream } from '../src/streams/stream-names.js';
import { decompress } from '../src/telemetry/compression/decompress.js';
import { decodeSpans } from '../src/telemetry/otlp/decoding/span-decoder.js';
import { createSpanColumns } from '../src/telemetry/columns/span-batch-columns.js';
import { createTelemetryGenerator } from '../test/support/telemetry-generator.js';
import type { Measurement } from './measurement-table.js';

const GRID = '0f0c4b2a-0000-4000-8000-000000000001';
const BATCH = 512;

/** Speed of rebuilding traces from the log into SQLite, and the CPU of its phases. */
export async function run(spans: number): Promise<Measurement[]> {
  const requests = generateRequests(spans);
  const total = requests.length * BATCH;
  const rebuilt = await measureRebuild(requests);
  const phases = measurePhases(requests);
  const perSpan = (ms: number): number => (ms * 1000) / total;
  return [
    {
      name: 'rebuild',
      value: total / rebuilt.seconds,
      unit: 'spans/s',
      note: `${total} spans, gzip batches of ${BATCH}, log in memory, read models in SQLite; goal 300,000`,
    },
    { name: 'rebuild per CPU', value: total / rebuilt.cpuSeconds, unit: 'spans/cpu-s' },
    { name: 'inflate', value: perSpan(phases.inflate), unit: 'µs/span' },
    { name: 'decode', value: perSpan(phases.decode), unit: 'µs/span' },
    { name: 'identities', value: perSpan(phases.identities), unit: 'µs/span', note: 'goal 0.3' },
    { name: 'encode', value: perSpan(phases.encode), unit: 'µs/span', note: 'blocks of 8,192' },
    {
      name: 'commit and the rest',
      value:
        (rebuilt.cpuSeconds * 1e6) / total -
        perSpan(phases.inflate + phases.decode + phases.identities + phases.encode),
      unit: 'µs/span',
    },
    { name: 'read model on disk', value: rebuilt.bytes / total, unit: 'B/span' },
  ];
}

/** Export requests as ingestion appends them. */
function generateRequests(spans: number): NewEvent[] {
  const generator = createTelemetryGenerator(42);
  return Array.from({ length: Math.ceil(spans / BATCH) }, () => {
    const body = generator.traces(BATCH);
    const data: TelemetryReceived = {
      gridId: GRID,
      signal: 'traces',
      accepted: BATCH,
      rejected: [],
      keyId: 'bench',
      receivedAt: Date.now(),
      identity: createHash('sha256').update(body).digest('hex'),
      encoding: 'gzip',
      inflatedBytes: body.byteLength,
    };
    return { id: randomUUID(), type: 'TracesReceived.v1', data, body: gzipSync(body, { level: 6 }) };
  });
}

async function measureRebuild(
  requests: readonly NewEvent[],
): Promise<{ seconds: number; cpuSeconds: number; bytes: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'hindsight-bench-'));
  const events = new MemoryEventStore();
  const file = join(folder, 'read-models.db');
  const store = new SqliteReadModelStore(file);
  try {
    for (const request of requests) await events.append(telemetryStream(GRID), 'any', [request]);
    const group = PROJECTION_GROUPS.find(({ name }) => name === 'telemetry')!;
    const replay = new Replay(
      group.createRun(new Map([['traces', 1]]), 'bench', { events, store, hold: { readers: 0 } }),
      { events, store, log: SILENT_LOGGER },
    );
    const cpu = process.cpuUsage();
    const began = performance.now();
    await replay.runTo(await events.head());
    const seconds = (performance.now() - began) / 1000;
    const { user, system } = process.cpuUsage(cpu);
    await store.vacuum(); // also checkpoints the write-ahead log
    return { seconds, cpuSeconds: (user + system) / 1e6, bytes: statSync(file).size };
  } finally {
    await store.close();
    rmSync(folder, { recursive: true });
  }
}

/** Time (ms) of each phase alone, over all requests. */
function measurePhases(requests: readonly NewEvent[]): {
  inflate: number;
  decode: number;
  identities: number;
  encode: number;
} {
  const columns = createSpanColumns();
  const recent = new RecentSpans();
  const took = { inflate: 0, decode: 0, identities: 0, encode: 0 };
  const timed = <T>(phase: keyof typeof took, work: () => T): T => {
    const began = performance.now();
    const result = work();
    took[phase] += performance.now() - began;
    return result;
  };
  const flush = (): void => {
    timed('identities', () => {
      recent.beginBatch(columns);
      recent.beginEvent(0);
      for (let row = 0; row < columns.count; row++) recent.admit(columns, row, 1, 0);
    });
    timed('encode', () =>
      encodeSpanBlock(
        columns,
        Uint32Array.from({ length: columns.count }, (_, row) => row),
      ),
    );
    columns.clear();
  };
  requests.forEach(({ data, body }, revision) => {
    const { encoding, inflatedBytes } = data as TelemetryReceived;
    const inflated = timed('inflate', () => decompress(body!, encoding, inflatedBytes));
    if (!inflated.ok) throw new Error(inflated.message);
    timed('decode', () => decodeSpans(inflated.bytes, revision, [], columns));
    if (columns.count + BATCH > MAX_BLOCK_ROWS) flush();
  });
  return took;
}
