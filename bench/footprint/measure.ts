import { cpus, loadavg } from 'node:os';
import { SIGNALS, type Signal } from '../../src/telemetry/signals.js';
import { distributedEngines, embeddedEngines, type Engines } from './engines.js';
import type { CommitPart, Footprint, RecordCost } from './figures.js';
import { ingestCost, WAYS_IN, type IngestCost } from './ingest.js';
import { projecting, type Projecting, type Supply } from './projecting.js';
import { callCost, questionCosts } from './questions.js';

/** Sizes of the runs: requests of 512 records each. */
const REQUESTS_IN = 80;
const GRIDS = 8;
const WARM_UP: Supply = { requests: 150, grids: 1, everyMs: 0 };
/** Three times, of which the cheapest counts: neighbours on the machine only ever add to it. */
const BACKLOG: Supply = { requests: 150, grids: 1, everyMs: 0 };
const SETTLING: Supply = { requests: 12, grids: GRIDS, everyMs: 250, isQuiet: true };
const MANY_QUIET: Supply = { ...SETTLING, requests: 48 };
const ONE_QUIET: Supply = { ...MANY_QUIET, grids: 1 };
const BUSY: Supply = { ...ONE_QUIET, isQuiet: false };
const REST: Supply = { requests: 0, grids: 1, everyMs: 0, restMs: 10_000 };

/** Measures everything, one process at a time beside this one, which holds the engines and sends. Takes some minutes. */
export async function measureFootprint(): Promise<Footprint> {
  const load = loadavg()[0];
  const spansIn = await byKey(WAYS_IN, (way) => ingestCost(way, 'traces', REQUESTS_IN));
  const otherSignals = SIGNALS.filter((signal) => signal !== 'traces');
  const recordsIn = { ...(await byKey(otherSignals, (signal) => ingestCost('http-gzip', signal, REQUESTS_IN))), traces: spansIn['http-gzip'] } as Record<Signal, IngestCost>;
  const spans = await spansProjected(await distributedEngines());
  const embedded = await spansProjected(await embeddedEngines());
  const others = await byKey(otherSignals, recordsProjected);
  return {
    measured: { on: new Date().toISOString().slice(0, 16), cpu: cpus()[0].model, cores: cpus().length, node: process.version, load },
    spansIn,
    recordsIn,
    projected: { ...others, traces: spans.record },
    embedded: { cpuMicros: embedded.record.cpuMicros, commitCpuMillis: embedded.commit.cpuMillis + embedded.commitOfGrid.cpuMillis },
    commit: spans.commit,
    commitOfGrid: spans.commitOfGrid,
    commitOfBusyGrid: spans.commitOfBusyGrid,
    idleShareCpuMillis: spans.idleCpuMillis,
    questions: await questionCosts(4 * BACKLOG.requests),
    callCpuMillis: await callCost(),
  };
}

async function byKey<Key extends string, Value>(keys: readonly Key[], measure: (key: Key) => Promise<Value>): Promise<Record<Key, Value>> {
  const measured: Partial<Record<Key, Value>> = {};
  for (const key of keys) measured[key] = await measure(key);
  return measured as Record<Key, Value>;
}

async function recordsProjected(signal: Signal): Promise<RecordCost> {
  const engines = await distributedEngines();
  try {
    const [, ...backlogs] = await projecting(engines, signal, [WARM_UP, BACKLOG, BACKLOG, BACKLOG]);
    return ofRecords(leastOf(backlogs));
  } finally {
    await engines.close();
  }
}

type SpansProjected = ReturnType<typeof ofCommits> & { readonly record: RecordCost; readonly idleCpuMillis: number };

async function spansProjected(engines: Engines): Promise<SpansProjected> {
  try {
    const supplies = [WARM_UP, BACKLOG, BACKLOG, BACKLOG, SETTLING, MANY_QUIET, ONE_QUIET, BUSY, REST];
    const [, first, second, third, , many, one, busy, rest] = await projecting(engines, 'traces', supplies);
    const record = ofRecords(leastOf([first, second, third]));
    return { record, ...ofCommits(record, { one, many, busy }, GRIDS), idleCpuMillis: rest.cpuMicros / rest.seconds / 1000 };
  } finally {
    await engines.close();
  }
}

function leastOf(runs: readonly Projecting[]): Projecting {
  return runs.reduce((least, each) => (each.cpuMicros < least.cpuMicros ? each : least));
}

export function ofRecords({ records, stored, ...cost }: Projecting): RecordCost {
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
 * What a trickle costs beyond its records is the cost of its commits: of one quiet Grid, of `grids` of them, which tells what each of them
 * adds, and of a busy one.
 */
export function ofCommits(
  record: RecordCost, { one, many, busy }: Readonly<Record<'one' | 'many' | 'busy', Projecting>>, grids: number,
): { readonly commit: CommitPart; readonly commitOfGrid: CommitPart; readonly commitOfBusyGrid: CommitPart } {
  const [ofOne, ofMany, ofBusy] = [one, many, busy].map((run) => beyondRecords(record, run));
  const part = (of: (figure: keyof CommitPart) => number): CommitPart => ({ cpuMillis: of('cpuMillis'), toReadStoreBytes: of('toReadStoreBytes') });
  const commitOfGrid = part((figure) => (ofMany[figure] - ofOne[figure]) / (grids - 1));
  const commit = part((figure) => Math.max(0, ofOne[figure] - commitOfGrid[figure]));
  return { commit, commitOfGrid, commitOfBusyGrid: part((figure) => ofBusy[figure] - commit[figure]) };
}

function beyondRecords(record: RecordCost, { records, commits, cpuMicros, toReadStoreBytes }: Projecting): CommitPart {
  return {
    cpuMillis: (cpuMicros - record.cpuMicros * records) / commits / 1000,
    toReadStoreBytes: (toReadStoreBytes - record.toReadStoreBytes * records) / commits,
  };
}
