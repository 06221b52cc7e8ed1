import type { CommitPart, Footprint } from '../footprint/figures.js';
import { SIGNALS } from '../../src/telemetry/signals.js';
import { figure, markdown } from './markdown.js';

const NAMES = { traces: 'span', logs: 'log record', metrics: 'data point' } as const;

/** What a record costs on its way, by kind. */
export function measuredTable(footprint: Footprint): string {
  const { measured, spansIn, recordsIn, projected, commit, commitOfGrid, commitOfBusyGrid, embedded, idleShareCpuMillis } = footprint;
  const perCore = (micros: number): string => figure(1e6 / micros);
  const ways = Object.entries(spansIn).map(([way, cost]) => [
    `ingest, a span, ${way.replace('-', ', ')}`, `${figure(cost.cpuMicros)} µs`, `${perCore(cost.cpuMicros)} spans/s`, `${figure(cost.requestBytes)} B in, ${figure(cost.toLogBytes)} B to the log`,
  ]);
  const others = SIGNALS.filter((signal) => signal !== 'traces').map((signal) => {
    const cost = recordsIn[signal];
    return [`ingest, a ${NAMES[signal]}, http, gzip`, `${figure(cost.cpuMicros)} µs`, `${perCore(cost.cpuMicros)}/s`, `${figure(cost.requestBytes)} B in, ${figure(cost.toLogBytes)} B to the log`];
  });
  const folded = SIGNALS.map((signal) => {
    const cost = projected[signal];
    return [
      `project, a ${NAMES[signal]}`, `${figure(cost.cpuMicros)} µs`, `${perCore(cost.cpuMicros)}/s`,
      `${figure(cost.fromLogBytes)} B from the log, ${figure(cost.toReadStoreBytes)} B to the read store; kept: ${figure(cost.logBytes)} B in the log, ${figure(cost.readModelBytes)} B read models`,
    ];
  });
  const { on, cpu, cores, node, load } = measured;
  const told = `On ${on.replace('T', ' ')} UTC, ${cores} cores of ${cpu}, Node ${node.slice(1)}, with a load of ${figure(load)} on them when it began.`;
  const table = markdown(['', 'CPU', 'on one core', 'bytes'], [
    ...ways,
    ...others,
    ...folded,
    ['project, a span, on the embedded engines', `${figure(embedded.cpuMicros)} µs`, `${perCore(embedded.cpuMicros)}/s`, ''],
    ['each commit of a share, beside its records', `${figure(commit.cpuMillis)} ms`, '', kilobytes(commit)],
    ['… and for each quiet Grid in it', `${figure(commitOfGrid.cpuMillis)} ms`, '', kilobytes(commitOfGrid)],
    ['… for a busy Grid', `${figure(commitOfBusyGrid.cpuMillis)} ms`, '', kilobytes(commitOfBusyGrid)],
    ['… of one quiet Grid on the embedded engines', `${figure(embedded.commitCpuMillis)} ms`, '', ''],
    ['a share that receives nothing', `${figure(idleShareCpuMillis)} ms a second`, '', ''],
  ]);
  return `${told}\n\n${table}`;
}

const kilobytes = ({ toReadStoreBytes }: CommitPart): string => `${figure(toReadStoreBytes / 1000)} kB to the read store`;

export function questionsTable({ questions, callCpuMillis }: Footprint): string {
  return markdown(['question, warm', 'CPU of the API process', 'on one core, the call included'], [
    ...questions.map(({ kind, cpuMillis }) => [kind, `${figure(cpuMillis)} ms`, `${figure(1000 / (cpuMillis + callCpuMillis))}/s`]),
    ['the call around each: HTTP, credentials, rate, JSON', `${figure(callCpuMillis)} ms`, ''],
  ]);
}
