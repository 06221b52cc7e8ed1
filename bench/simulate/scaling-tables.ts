import { type CommitCost, type Footprint, loadFootprint } from '../footprint/footprint-file.js';
import { percentile } from '../measurement-table.js';
import { computeImbalance } from './load-imbalance.js';
import { formatFigure, formatPercent, formatSeconds, renderMarkdownTable } from './markdown-table.js';
import { simulateFailover } from './failover-time.js';
import { type ClusterLoad, type OutageCause, simulateOutage } from './outage-simulation.js';
import { SIGNALS } from '../../src/telemetry/signals.js';
import { computeCapacity, createCapacityPlan, DEFAULT_ASSUMPTIONS, findMaxCapacity } from './capacity-plan.js';

/** Time (ms) from the lease of a shard to its first commit: with open connections and empty caches. */
const TAKEOVER_MS = 1_000;

const SEEDS = 30;

/** Renders the tables of docs/scaling.md by section name. Deterministic for the same figures. */
export function renderScalingTables(footprint: Footprint = loadFootprint()): Readonly<Record<string, string>> {
  return {
    measured: renderCostTable(footprint),
    questions: renderQueryTable(footprint),
    evenness: renderImbalanceTable(),
    moves: renderFailoverTable(),
    'catching-up': renderCatchUpTable(),
    losses: renderOutageTable(),
    standstill: renderBacklogTable(footprint),
    reach: renderCapacityTable(footprint),
    sensitivity: renderSensitivityTable(footprint),
    plans: renderPlanTable(footprint),
  };
}

export function renderImbalanceTable(): string {
  const projectors = [2, 4, 8, 16];
  const cell = (grids: number, exponent: number, count: number): string =>
    [16, 64, 256]
      .map((shares) => formatFigure(computeImbalance({ grids, exponent, shares, projectors: count }).p95))
      .join(' / ');
  const rows = [
    [0, 200],
    [0.8, 200],
    [0.8, 5_000],
    [1, 200],
    [1, 5_000],
    [1.2, 5_000],
  ].map(([exponent, grids]) => {
    const { largestGrid } = computeImbalance({ grids, exponent, shares: 16, projectors: 2 });
    return [
      exponent,
      formatFigure(grids),
      formatPercent(largestGrid),
      ...projectors.map((count) => cell(grids, exponent, count)),
    ];
  });
  return renderMarkdownTable(
    ['Zipf exponent', 'Grids', 'largest Grid', ...projectors.map((count) => `${count} projectors`)],
    rows,
  );
}

export function renderFailoverTable(): string {
  const times = (projectors: number, how: 'kill' | 'leave'): string[] => {
    const all = Array.from({ length: SEEDS }, (_, seed) => simulateFailover(projectors, 64, how, seed));
    return [50, 99].map((p) => formatSeconds(percentile(all, p)));
  };
  return renderMarkdownTable(
    ['projectors', 'killed: p50, s', 'p99', 'stopped gracefully: p50, s', 'p99'],
    [2, 3, 6, 12].map((count) => [count, ...times(count, 'kill'), ...times(count, 'leave')]),
  );
}

const createClusterLoad = (projectors: number, use: number): ClusterLoad => {
  const capacity = 100_000;
  return { projectors, shares: 64, rate: projectors * use * capacity, capacity, takeOverMs: TAKEOVER_MS };
};

export function renderCatchUpTable(): string {
  const uses = [0.3, 0.5, 0.6, 0.7, 0.8];
  const cell = (projectors: number, use: number): string => {
    const { freshAgainMs, worstLagMs } = simulateOutage(createClusterLoad(projectors, use), { killed: 1 }, 120_000);
    if ((use * projectors) / (projectors - 1) >= 1) return 'never';
    return freshAgainMs === undefined ? '> 120' : `${formatSeconds(freshAgainMs)} (${formatSeconds(worstLagMs)})`;
  };
  return renderMarkdownTable(
    ['projectors', ...uses.map((use) => `busy to ${formatPercent(use)}`)],
    [2, 3, 6, 12].map((count) => [count, ...uses.map((use) => cell(count, use))]),
  );
}

/** Maximum failover times of the engines as published by their makers: see docs/scaling.md. */
export const ELECTION_TIMEOUTS = { logAwayMs: 6_000, readStoreAwayMs: 12_000, leasesAwayMs: 9_000 };

const OUTAGE_CAUSES: readonly (readonly [string, OutageCause])[] = [
  ['a projector is stopped gracefully', { left: 1 }],
  ['a projector dies', { killed: 1 }],
  ['the leader of the log dies', { logAwayMs: ELECTION_TIMEOUTS.logAwayMs }],
  ['the primary of the read store dies', { readStoreAwayMs: ELECTION_TIMEOUTS.readStoreAwayMs }],
  ['the leader of NATS dies', { leasesAwayMs: ELECTION_TIMEOUTS.leasesAwayMs }],
  ['a rack of three: a third of everything, all leaders', { killed: 2, ...ELECTION_TIMEOUTS }],
  ['all of NATS is unreachable for a minute', { leasesAwayMs: 60_000 }],
  ['all of the read store is unreachable for a minute', { readStoreAwayMs: 60_000 }],
  ['all of the log is unreachable for a minute', { logAwayMs: 60_000 }],
];

export function renderOutageTable(): string {
  const steady = createClusterLoad(6, 0.5);
  const rows = OUTAGE_CAUSES.map(([name, loss]) => {
    const { refusedMs, worstLagMs, freshAgainMs, mostWaiting, accepted, projected, waiting } = simulateOutage(
      steady,
      loss,
      300_000,
    );
    const lost = Math.round(accepted - projected - waiting);
    return [
      name,
      formatSeconds(refusedMs),
      formatSeconds(worstLagMs),
      freshAgainMs === undefined ? '> 300' : formatSeconds(freshAgainMs),
      formatSeconds((mostWaiting / steady.rate) * 1000),
      lost,
    ];
  });
  return renderMarkdownTable(
    [
      'loss',
      'senders must wait, s',
      'oldest that waits, s',
      'fresh again after, s',
      'most that waits, in s of the rate',
      'acknowledged and gone',
    ],
    rows,
  );
}

const RECORD_NAMES = { traces: 'span', logs: 'log record', metrics: 'data point' } as const;

/** Cost of a record by kind. */
function renderCostTable(footprint: Footprint): string {
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
  } = footprint;
  const perCore = (micros: number): string => formatFigure(1e6 / micros);
  const ways = Object.entries(spansIn).map(([way, cost]) => [
    `ingest, a span, ${way.replace('-', ', ')}`,
    `${formatFigure(cost.cpuMicros)} µs`,
    `${perCore(cost.cpuMicros)} spans/s`,
    `${formatFigure(cost.requestBytes)} B in, ${formatFigure(cost.toLogBytes)} B to the log`,
  ]);
  const others = SIGNALS.filter((signal) => signal !== 'traces').map((signal) => {
    const cost = recordsIn[signal];
    return [
      `ingest, a ${RECORD_NAMES[signal]}, http, gzip`,
      `${formatFigure(cost.cpuMicros)} µs`,
      `${perCore(cost.cpuMicros)}/s`,
      `${formatFigure(cost.requestBytes)} B in, ${formatFigure(cost.toLogBytes)} B to the log`,
    ];
  });
  const folded = SIGNALS.map((signal) => {
    const cost = projected[signal];
    return [
      `project, a ${RECORD_NAMES[signal]}`,
      `${formatFigure(cost.cpuMicros)} µs`,
      `${perCore(cost.cpuMicros)}/s`,
      `${formatFigure(cost.fromLogBytes)} B from the log, ${formatFigure(cost.toReadStoreBytes)} B to the read store; kept: ${formatFigure(cost.logBytes)} B in the log, ${formatFigure(cost.readModelBytes)} B read models`,
    ];
  });
  const { on, cpu, cores, node, load } = measured;
  const introduction = `On ${on.replace('T', ' ')} UTC, ${cores} cores of ${cpu}, Node ${node.slice(1)}, with a load of ${formatFigure(load)} on them when it began.`;
  const table = renderMarkdownTable(
    ['', 'CPU', 'on one core', 'bytes'],
    [
      ...ways,
      ...others,
      ...folded,
      [
        'project, a span, on the embedded engines',
        `${formatFigure(embedded.cpuMicros)} µs`,
        `${perCore(embedded.cpuMicros)}/s`,
        '',
      ],
      [
        'each commit of a shard, beside its records',
        `${formatFigure(commit.cpuMillis)} ms`,
        '',
        formatKilobytes(commit),
      ],
      [
        '… and for each quiet Grid in it',
        `${formatFigure(commitOfGrid.cpuMillis)} ms`,
        '',
        formatKilobytes(commitOfGrid),
      ],
      ['… for a busy Grid', `${formatFigure(commitOfBusyGrid.cpuMillis)} ms`, '', formatKilobytes(commitOfBusyGrid)],
      ['… of one quiet Grid on the embedded engines', `${formatFigure(embedded.commitCpuMillis)} ms`, '', ''],
      ['a shard that receives nothing', `${formatFigure(idleShareCpuMillis)} ms a second`, '', ''],
    ],
  );
  return `${introduction}\n\n${table}`;
}

const formatKilobytes = ({ toReadStoreBytes }: CommitCost): string =>
  `${formatFigure(toReadStoreBytes / 1000)} kB to the read store`;

function renderQueryTable({ questions, callCpuMillis }: Footprint): string {
  return renderMarkdownTable(
    ['question, warm', 'CPU of the API process', 'on one core, the call included'],
    [
      ...questions.map(({ kind, cpuMillis }) => [
        kind,
        `${formatFigure(cpuMillis)} ms`,
        `${formatFigure(1000 / (cpuMillis + callCpuMillis))}/s`,
      ]),
      ['the call around each: HTTP, credentials, rate, JSON', `${formatFigure(callCpuMillis)} ms`, ''],
    ],
  );
}

const MB = 1e6;

/** Backlog while nothing is projected, and the time to process it. */
function renderBacklogTable({ projected: { traces } }: Footprint): string {
  const rates = [10_000, 100_000, 1_000_000, 10_000_000];
  const gigabytes = (rate: number, seconds: number): string => formatFigure((rate * seconds * traces.logBytes) / 1e9);
  const rows = [
    ['an hour', 3_600],
    ['a night of 12 hours', 43_200],
    ['a weekend of 60 hours', 216_000],
  ] as const;
  return renderMarkdownTable(
    [
      'projectors are stopped for',
      ...rates.map((rate) => `GB at ${formatFigure(rate)} spans/s`),
      'until fresh again, projectors busy to 50 %',
      'to 75 %',
    ],
    rows.map(([name, seconds]) => [
      name,
      ...rates.map((rate) => gigabytes(rate, seconds)),
      formatHours(seconds),
      formatHours(3 * seconds),
    ]),
  );
}

/** A backlog of `away` × use is processed with the unused capacity: away × use / (1 - use). */
const formatHours = (seconds: number): string => `${formatFigure(seconds / 3_600)} h`;

function renderCapacityTable(footprint: Footprint): string {
  const rows = [1, 2, 4, 8, 16, 32, 64].map((projectors) => {
    const { shares, rate, limit } = computeCapacity(footprint, projectors, DEFAULT_ASSUMPTIONS);
    const {
      spansIn: {
        'http-gzip': { toLogBytes },
      },
      projected: { traces },
    } = footprint;
    const each = (bytes: number): string => formatFigure((rate * bytes) / MB);
    return [
      projectors,
      shares,
      formatFigure(rate),
      limit,
      each(toLogBytes),
      each(toLogBytes * shares),
      formatFigure((rate / 512) * shares),
      each(traces.toReadStoreBytes),
    ];
  });
  return renderMarkdownTable(
    [
      'projectors',
      'shards',
      'spans/s that one installation carries',
      'limited by',
      'MB/s into the log',
      'scanned while all catch up, MB/s',
      'evaluated while all follow, events/s',
      'MB/s into the read store',
    ],
    rows,
  );
}

/** Effect of a larger capacity of a log cluster. */
function renderSensitivityTable(footprint: Footprint): string {
  const rows = [
    [50, 500],
    [50, 2_000],
    [100, 2_000],
    [200, 8_000],
  ].map(([logAppendMBs, logScanMBs]) => {
    const assumed = { ...DEFAULT_ASSUMPTIONS, logAppendMBs, logScanMBs };
    const { rate, shares, projectors, limit } = findMaxCapacity(footprint, assumed);
    const { installations, projectors: all } = createCapacityPlan(footprint, 10_000_000, assumed);
    return [
      logAppendMBs,
      formatFigure(logScanMBs, 4),
      formatFigure(rate),
      limit,
      shares,
      projectors,
      installations,
      all,
    ];
  });
  return renderMarkdownTable(
    [
      'log takes, MB/s',
      'log scans, MB/s',
      'spans/s of one installation at most',
      'limited by',
      'shards',
      'projectors',
      'installations for 10 million',
      'projectors of them all',
    ],
    rows,
  );
}

function renderPlanTable(footprint: Footprint): string {
  const plans = [10_000, 100_000, 300_000, 1_000_000, 10_000_000].map((rate) => createCapacityPlan(footprint, rate));
  const row = (name: string, of: (plan: (typeof plans)[number]) => number, digits = 2): string[] => [
    name,
    ...plans.map((plan) => formatFigure(of(plan), digits)),
  ];
  return renderMarkdownTable(
    ['', ...plans.map(({ rate }) => `${formatFigure(rate)} spans/s`)],
    [
      row('installations (one log cluster each)', ({ installations }) => installations, 4),
      row('shards of each', ({ shares }) => shares, 4),
      row('ingest processes of 4 cores', ({ ingestProcesses }) => ingestProcesses, 4),
      row('projectors of 1 core', ({ projectors }) => projectors, 4),
      row('API processes of 2 cores, 50 queries/s', ({ apiProcesses }) => apiProcesses, 4),
      row('cores of Hindsight', ({ cores }) => cores, 4),
      row('nodes of the log', ({ logNodes }) => logNodes, 4),
      row('shards of the read store, nodes', ({ readStoreShards }) => readStoreShards, 4).map((cell, n) =>
        n === 0 ? cell : `${cell}, ${formatFigure(plans[n - 1].readStoreNodes, 4)}`,
      ),
      row('senders to ingest, MB/s', ({ network }) => network.senders),
      row('ingest to the log, 3 copies, MB/s', ({ network }) => network.log),
      row('log to projectors, MB/s', ({ network }) => network.projectors),
      row('projectors to the read store, 3 copies, MB/s', ({ network }) => network.readStore),
      row('log, 3 copies, TB a day', ({ storage }) => storage.log),
      row('read models, 3 copies, TB a day', ({ storage }) => storage.readModels),
    ],
  );
}
