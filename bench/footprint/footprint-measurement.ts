import { cpus, loadavg } from 'node:os';
import { SIGNALS, type Signal } from '../../src/telemetry/signals.js';
import { startDistributedEngines, createEmbeddedEngines, type MeasuredEngines } from './measured-engines.js';
import type { CommitCost, Footprint, RecordCost } from './footprint-file.js';
import { measureIngestCost, INGEST_PROTOCOLS, type IngestCost } from './ingest-cost.js';
import { measureProjection, type ProjectionCost, type TelemetrySupply } from './projection-cost.js';
import { measureCallCost, measureQueryCosts } from './query-cost.js';

/** Sizes of the runs: requests of 512 records each. */
const INGEST_REQUESTS = 80;
const GRIDS = 8;
const WARM_UP: TelemetrySupply = { requests: 150, grids: 1, everyMs: 0 };
/** Runs; the cheapest counts, as other load on the machine only adds cost. */
const BACKLOG: TelemetrySupply = { requests: 150, grids: 1, everyMs: 0 };
const SETTLING_SUPPLY: TelemetrySupply = { requests: 12, grids: GRIDS, everyMs: 250, isQuiet: true };
const MANY_QUIET: TelemetrySupply = { ...SETTLING_SUPPLY, requests: 48 };
const ONE_QUIET: TelemetrySupply = { ...MANY_QUIET, grids: 1 };
const BUSY: TelemetrySupply = { ...ONE_QUIET, isQuiet: false };
const IDLE: TelemetrySupply = { requests: 0, grids: 1, everyMs: 0, restMs: 10_000 };

/** Measures all processes, one at a time beside this one, which runs the engines and sends. Takes some minutes. */
export async function measureFootprint(): Promise<Footprint> {
  const load = loadavg()[0];
  const spansIn = await measureEach(INGEST_PROTOCOLS, (way) => measureIngestCost(way, 'traces', INGEST_REQUESTS));
  const otherSignals = SIGNALS.filter((signal) => signal !== 'traces');
  const recordsIn = {
    ...(await measureEach(otherSignals, (signal) => measureIngestCost('http-gzip', signal, INGEST_REQUESTS))),
    traces: spansIn['http-gzip'],
  } as Record<Signal, IngestCost>;
  const spans = await measureSpanProjection(await startDistributedEngines());
  const embedded = await measureSpanProjection(await createEmbeddedEngines());
  const others = await measureEach(otherSignals, measureRecordCost);
  return {
    measured: {
      on: new Date().toISOString().slice(0, 16),
      cpu: cpus()[0].model,
      cores: cpus().length,
      node: process.version,
      load,
    },
    spansIn,
    recordsIn,
    projected: { ...others, traces: spans.record },
    embedded: {
      cpuMicros: embedded.record.cpuMicros,
      commitCpuMillis: embedded.commit.cpuMillis + embedded.commitOfGrid.cpuMillis,
    },
    commit: spans.commit,
    commitOfGrid: spans.commitOfGrid,
    commitOfBusyGrid: spans.commitOfBusyGrid,
    idleShareCpuMillis: spans.idleCpuMillis,
    questions: await measureQueryCosts(4 * BACKLOG.requests),
    callCpuMillis: await measureCallCost(),
  };
}

async function measureEach<Key extends string, Value>(
  keys: readonly Key[],
  measure: (key: Key) => Promise<Value>,
): Promise<Record<Key, Value>> {
  const measured: Partial<Record<Key, Value>> = {};
  for (const key of keys) measured[key] = await measure(key);
  return measured as Record<Key, Value>;
}

async function measureRecordCost(signal: Signal): Promise<RecordCost> {
  const engines = await startDistributedEngines();
  try {
    const [, ...backlogs] = await measureProjection(engines, signal, [WARM_UP, BACKLOG, BACKLOG, BACKLOG]);
    return computeRecordCost(findCheapestRun(backlogs));
  } finally {
    await engines.close();
  }
}

type SpanProjectionCost = ReturnType<typeof computeCommitCosts> & {
  readonly record: RecordCost;
  readonly idleCpuMillis: number;
};

async function measureSpanProjection(engines: MeasuredEngines): Promise<SpanProjectionCost> {
  try {
    const supplies = [WARM_UP, BACKLOG, BACKLOG, BACKLOG, SETTLING_SUPPLY, MANY_QUIET, ONE_QUIET, BUSY, IDLE];
    const [, first, second, third, , many, one, busy, rest] = await measureProjection(engines, 'traces', supplies);
    const record = computeRecordCost(findCheapestRun([first, second, third]));
    return {
      record,
      ...computeCommitCosts(record, { one, many, busy }, GRIDS),
      idleCpuMillis: rest.cpuMicros / rest.seconds / 1000,
    };
  } finally {
    await engines.close();
  }
}

function findCheapestRun(runs: readonly ProjectionCost[]): ProjectionCost {
  return runs.reduce((least, each) => (each.cpuMicros < least.cpuMicros ? each : least));
}

export function computeRecordCost({ records, stored, ...cost }: ProjectionCost): RecordCost {
  return {
    cpuMicros: cost.cpuMicros / records,
    fromLogBytes: cost.fromLogBytes / records,
    toReadStoreBytes: cost.toReadStoreBytes / records,
    fromReadStoreBytes: cost.fromReadStoreBytes / records,
    logBytes: stored.log / records,
    readModelBytes: stored.readModels / records,
  };
}

/**
 * With little load, the cost beyond that of the records is the cost of commits: of one quiet Grid, of `grids` Grids,
 * which yields the cost of each, and of a busy one.
 */
export function computeCommitCosts(
  record: RecordCost,
  { one, many, busy }: Readonly<Record<'one' | 'many' | 'busy', ProjectionCost>>,
  grids: number,
): { readonly commit: CommitCost; readonly commitOfGrid: CommitCost; readonly commitOfBusyGrid: CommitCost } {
  const [ofOne, ofMany, ofBusy] = [one, many, busy].map((run) => subtractRecordCost(record, run));
  const part = (of: (figure: keyof CommitCost) => number): CommitCost => ({
    cpuMillis: of('cpuMillis'),
    toReadStoreBytes: of('toReadStoreBytes'),
  });
  const commitOfGrid = part((figure) => (ofMany[figure] - ofOne[figure]) / (grids - 1));
  const commit = part((figure) => Math.max(0, ofOne[figure] - commitOfGrid[figure]));
  return { commit, commitOfGrid, commitOfBusyGrid: part((figure) => ofBusy[figure] - commit[figure]) };
}

function subtractRecordCost(
  record: RecordCost,
  { records, commits, cpuMicros, toReadStoreBytes }: ProjectionCost,
): CommitCost {
  return {
    cpuMillis: (cpuMicros - record.cpuMicros * records) / commits / 1000,
    toReadStoreBytes: (toReadStoreBytes - record.toReadStoreBytes * records) / commits,
  };
}
