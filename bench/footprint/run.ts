import type { Row } from '../report.js';
import { keepFootprint, type CommitPart, type Footprint } from './figures.js';
import { measureFootprint } from './measure.js';

/** CPU and bytes of each part of a cluster, over the adapters of EventStoreDB and MongoDB and the doubles of the tests. Times are of CPU. */
export async function run(): Promise<Row[]> {
  return rowsOf(await measureFootprint());
}

/** The same, and keeps the figures for the simulation and docs/scaling.md, which `npm run docs` writes anew. */
export async function kept(): Promise<Row[]> {
  const footprint = await measureFootprint();
  keepFootprint(footprint);
  return rowsOf(footprint);
}

function rowsOf(footprint: Footprint): Row[] {
  const { measured, spansIn, recordsIn, projected, commit, commitOfGrid, commitOfBusyGrid, embedded, idleShareCpuMillis, questions, callCpuMillis } = footprint;
  return [
    { name: 'load of the machine at the start', value: measured.load, unit: '', note: `${measured.cores} cores of ${measured.cpu}, Node ${measured.node}` },
    ...Object.entries(spansIn).map(([way, cost]) => ({ name: `ingest, ${way}`, value: cost.cpuMicros, unit: 'µs/span', note: bytesIn(cost) })),
    ...Object.entries(recordsIn).map(([signal, cost]) => ({ name: `ingest of ${signal}, http-gzip`, value: cost.cpuMicros, unit: 'µs/record', note: bytesIn(cost) })),
    ...Object.entries(projected).flatMap(([signal, cost]) => [
      { name: `project ${signal}`, value: cost.cpuMicros, unit: 'µs/record', note: `a backlog; ${cost.fromLogBytes.toFixed(0)} B from the log, ${cost.toReadStoreBytes.toFixed(0)} B to the read store` },
      { name: `… kept in log and read models`, value: cost.logBytes + cost.readModelBytes, unit: 'B/record', note: `${cost.logBytes.toFixed(0)} and ${cost.readModelBytes.toFixed(0)}, before the engines compress or index` },
    ]),
    { name: 'project traces, embedded', value: embedded.cpuMicros, unit: 'µs/span' },
    ...commitRows('each commit beside its records', commit),
    ...commitRows('… and each quiet Grid in it', commitOfGrid),
    ...commitRows('… a busy Grid', commitOfBusyGrid),
    { name: '… of one quiet Grid, embedded', value: embedded.commitCpuMillis, unit: 'ms' },
    { name: 'a share that receives nothing', value: idleShareCpuMillis, unit: 'ms/s' },
    ...questions.map(({ kind, cpuMillis }) => ({ name: `question: ${kind}`, value: cpuMillis, unit: 'ms' })),
    { name: 'the call around a question', value: callCpuMillis, unit: 'ms' },
  ];
}

function bytesIn({ requestBytes, toLogBytes }: { readonly requestBytes: number; readonly toLogBytes: number }): string {
  return `${requestBytes.toFixed(0)} B in, ${toLogBytes.toFixed(0)} B to the log`;
}

function commitRows(name: string, { cpuMillis, toReadStoreBytes }: CommitPart): Row[] {
  return [{ name, value: cpuMillis, unit: 'ms', note: `${(toReadStoreBytes / 1000).toFixed(0)} kB to the read store` }];
}
