import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { ProjectionRun } from '../src/projections/projection.js';
import { PROJECTION_GROUPS } from '../src/projections/projection-groups.js';
import { tracesProjection } from '../src/projections/traces-projection.js';
import { SqliteReadModelStore } from '../src/read-models/adapters/sqlite/read-model-store.js';
import type { ReadModelStore } from '../src/read-models/read-model-store.js';
import { MemoryEventStore } from '../src/streams/adapters/memory/memory-event-store.js';
import type { Position, RecordedEvent } from '../src/streams/event-store.js';
import type { TelemetryReceived } from '../src/streams/events/telemetry-events.js';
import { telemetryStream } from '../src/streams/stream-names.js';
import { VariedSpans } from './load/varied-spans.js';
import type { Measurement } from './measurement-table.js';

const GRID = '0f0c4b2a-0000-4000-8000-000000000001';
const START_MS = 1_764_399_960_000;
/** Share of the spans that are folded before the measurement begins. */
const WARM_UP = 0.4;

interface Arrival {
  readonly perSecond: number;
  readonly seconds: number;
  readonly spansPerRequest: number;
  /** Spans of one commit. */
  readonly commitSpans: number;
}

/** What arrives at 1,000 and 10,000 spans a second, committed four times and (about) twice a second; a full backlog. */
const ARRIVALS: readonly Arrival[] = [
  { perSecond: 1_000, seconds: 150, spansPerRequest: 100, commitSpans: 250 },
  { perSecond: 1_000, seconds: 150, spansPerRequest: 100, commitSpans: 500 },
  { perSecond: 10_000, seconds: 20, spansPerRequest: 512, commitSpans: 2_500 },
  { perSecond: 10_000, seconds: 20, spansPerRequest: 512, commitSpans: 4_280 },
  { perSecond: 10_000, seconds: 40, spansPerRequest: 512, commitSpans: 32_768 },
];

/** CPU and bytes that the projector spends on varied spans by the size of its commits; without the other threads. */
export async function run(): Promise<Measurement[]> {
  const rows: Measurement[] = [];
  for (const arrival of ARRIVALS) rows.push(...(await measure(arrival)));
  return rows;
}

async function measure(arrival: Arrival): Promise<Measurement[]> {
  const events = recordRequests(arrival);
  const folder = mkdtempSync(join(tmpdir(), 'hindsight-bench-'));
  const store = new SqliteReadModelStore(join(folder, 'read-models.db'));
  try {
    const projector = await CommittingProjector.create(store);
    const warm = Math.floor(events.length * WARM_UP);
    await projector.fold(events.slice(0, warm), arrival.commitSpans);
    const cpu = process.cpuUsage();
    const written = readWrittenBytes();
    await projector.fold(events.slice(warm), arrival.commitSpans);
    const { user, system } = process.cpuUsage(cpu);
    const spans = (events.length - warm) * arrival.spansPerRequest;
    const name = `${arrival.perSecond} a second, ${arrival.commitSpans} a commit`;
    return [
      { name: `CPU, ${name}`, value: (user + system) / spans, unit: 's per million spans', note: 'all threads' },
      { name: `written, ${name}`, value: (readWrittenBytes() - written) / spans, unit: 'B/span' },
    ];
  } finally {
    await store.close();
    rmSync(folder, { recursive: true });
  }
}

function recordRequests({ perSecond, seconds, spansPerRequest }: Arrival): RecordedEvent[] {
  const spans = new VariedSpans(7919, BigInt(START_MS) * 1_000_000n, 1e6 / perSecond);
  return Array.from({ length: Math.floor((perSecond * seconds) / spansPerRequest) }, (_, n) => {
    const body = spans.next(spansPerRequest);
    const recordedAt = START_MS + Math.floor((n * spansPerRequest * 1000) / perSecond);
    const data: TelemetryReceived = {
      gridId: GRID,
      signal: 'traces',
      accepted: spansPerRequest,
      rejected: [],
      keyId: 'bench',
      receivedAt: recordedAt,
      identity: createHash('sha256').update(body).digest('hex'),
      encoding: 'gzip',
      inflatedBytes: body.byteLength,
    };
    return {
      id: String(n),
      type: 'TracesReceived.v1',
      stream: telemetryStream(GRID),
      revision: n,
      position: String(n).padStart(16, '0') as Position,
      recordedAt,
      data,
      body: gzipSync(body),
    };
  });
}

/** Folds and commits as a projection runner does, with commits of a given size. */
class CommittingProjector {
  private position: Position | undefined;

  private constructor(
    private readonly run: ProjectionRun,
    private readonly store: ReadModelStore,
  ) {}

  static async create(store: ReadModelStore): Promise<CommittingProjector> {
    const group = PROJECTION_GROUPS.find(({ name }) => name === 'telemetry')!;
    const versions = new Map([[tracesProjection.name, tracesProjection.schema]]);
    const run = group.createRun(versions, 'live', { events: new MemoryEventStore(), store, hold: { readers: 0 } });
    await run.fold.restore();
    return new CommittingProjector(run, store);
  }

  async fold(events: readonly RecordedEvent[], commitSpans: number): Promise<void> {
    let batch: RecordedEvent[] = [];
    let spans = 0;
    for (const [n, event] of events.entries()) {
      batch.push(event);
      spans += (event.data as TelemetryReceived).accepted;
      if (spans < commitSpans && n < events.length - 1) continue;
      await this.commit(batch);
      [batch, spans] = [[], 0];
    }
  }

  private async commit(events: readonly RecordedEvent[]): Promise<void> {
    const changes = await this.run.fold.fold(events);
    const { position } = events[events.length - 1];
    const expected = this.position;
    const checkpoints = this.run.checkpoints.map((projection) => ({ projection, expected, position }));
    const { ok } = await this.store.commit(changes, checkpoints);
    if (!ok) throw new Error('another projector writes these read models');
    this.position = position;
  }
}

function readWrittenBytes(): number {
  return Number(/^write_bytes: (\d+)$/m.exec(readFileSync('/proc/self/io', 'utf8'))?.[1] ?? Number.NaN);
}
