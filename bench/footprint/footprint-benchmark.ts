import type { Measurement } from '../measurement-table.js';
import { saveFootprint, type CommitCost, type Footprint } from './footprint-file.js';
import { measureFootprint } from './footprint-measurement.js';

/**
 * CPU and bytes of each process of a cluster, over the adapters of EventStoreDB and MongoDB and the test doubles. Times
 * are CPU time.
 */
export async function run(): Promise<Measurement[]> {
  return toMeasurements(await measureFootprint());
}

/** Also stores the figures for the simulation and docs/scaling.md, which `npm run docs` regenerates. */
export async function runAndSave(): Promise<Measurement[]> {
  const footprint = await measureFootprint();
  saveFootprint(footprint);
  return toMeasurements(footprint);
}

function toMeasurements(footprint: Footprint): Measurement[] {
  const {
    measured,
    spansIn,
    recordsIn,
    projected,
    commit,
    commitOfGrid,
    commitOfBusyGrid,
    embedded,
    idleShareCpuMillis,
    questions,
    callCpuMillis,
  } = footprint;
  return [
    {
      name: 'load of the machine at the start',
      value: measured.load,
      unit: '',
      note: `${measured.cores} cores of ${measured.cpu}, Node ${measured.node}`,
    },
    ...Object.entries(spansIn).map(([way, cost]) => ({
      name: `ingest, ${way}`,
      value: cost.cpuMicros,
      unit: 'µs/span',
      note: formatIngestBytes(cost),
    })),
    ...Object.entries(recordsIn).map(([signal, cost]) => ({
      name: `ingest of ${signal}, http-gzip`,
      value: cost.cpuMicros,
      unit: 'µs/record',
      note: formatIngestBytes(cost),
    })),
    ...Object.entries(projected).flatMap(([signal, cost]) => [
      {
        name: `project ${signal}`,
        value: cost.cpuMicros,
        unit: 'µs/record',
        note: `a backlog; ${cost.fromLogBytes.toFixed(0)} B from the log, ${cost.toReadStoreBytes.toFixed(0)} B to the read store`,
      },
      {
        name: `… kept in log and read models`,
        value: cost.logBytes + cost.readModelBytes,
        unit: 'B/record',
        note: `${cost.logBytes.toFixed(0)} and ${cost.readModelBytes.toFixed(0)}, before the engines compress or index`,
      },
    ]),
    { name: 'project traces, embedded', value: embedded.cpuMicros, unit: 'µs/span' },
    ...toCommitMeasurements('each commit beside its records', commit),
    ...toCommitMeasurements('… and each quiet Grid in it', commitOfGrid),
    ...toCommitMeasurements('… a busy Grid', commitOfBusyGrid),
    { name: '… of one quiet Grid, embedded', value: embedded.commitCpuMillis, unit: 'ms' },
    { name: 'a share that receives nothing', value: idleShareCpuMillis, unit: 'ms/s' },
    ...questions.map(({ kind, cpuMillis }) => ({ name: `question: ${kind}`, value: cpuMillis, unit: 'ms' })),
    { name: 'the call around a question', value: callCpuMillis, unit: 'ms' },
  ];
}

function formatIngestBytes({
  requestBytes,
  toLogBytes,
}: {
  readonly requestBytes: number;
  readonly toLogBytes: number;
}): string {
  return `${requestBytes.toFixed(0)} B in, ${toLogBytes.toFixed(0)} B to the log`;
}

function toCommitMeasurements(name: string, { cpuMillis, toReadStoreBytes }: CommitCost): Measurement[] {
  return [{ name, value: cpuMillis, unit: 'ms', note: `${(toReadStoreBytes / 1000).toFixed(0)} kB to the read store` }];
}
