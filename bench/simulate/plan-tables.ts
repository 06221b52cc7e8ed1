import type { Footprint } from '../footprint/figures.js';
import { figure, markdown } from './markdown.js';
import { ASSUMED, furthestReach, planFor, reachOf } from './plan.js';

const MB = 1e6;

/** What the log holds while nothing is projected, and how long it takes to work that off. */
export function standstillTable({ projected: { traces } }: Footprint): string {
  const rates = [10_000, 100_000, 1_000_000, 10_000_000];
  const gigabytes = (rate: number, seconds: number): string => figure((rate * seconds * traces.logBytes) / 1e9);
  const rows = [['an hour', 3_600], ['a night of 12 hours', 43_200], ['a weekend of 60 hours', 216_000]] as const;
  return markdown(
    ['projectors are away for', ...rates.map((rate) => `GB at ${figure(rate)} spans/s`), 'until fresh again, projectors busy to 50 %', 'to 75 %'],
    rows.map(([name, seconds]) => [name, ...rates.map((rate) => gigabytes(rate, seconds)), hours(seconds), hours(3 * seconds)]),
  );
}

/** Work waits for `away` × use, and is worked off by what is not used: away × use / (1 - use). */
const hours = (seconds: number): string => `${figure(seconds / 3_600)} h`;

export function reachTable(footprint: Footprint): string {
  const rows = [1, 2, 4, 8, 16, 32, 64].map((projectors) => {
    const { shares, rate, limit } = reachOf(footprint, projectors, ASSUMED);
    const { spansIn: { 'http-gzip': { toLogBytes } }, projected: { traces } } = footprint;
    const each = (bytes: number): string => figure((rate * bytes) / MB);
    return [projectors, shares, figure(rate), limit, each(toLogBytes), each(toLogBytes * shares), figure((rate / 512) * shares), each(traces.toReadStoreBytes)];
  });
  return markdown(['projectors', 'shares', 'spans/s that one installation carries', 'limited by', 'MB/s into the log', 'looked through while all catch up, MB/s', 'looked at while all follow, events/s', 'MB/s into the read store'], rows);
}

/** What it changes when a log cluster takes more than is assumed. */
export function sensitivityTable(footprint: Footprint): string {
  const rows = [[50, 500], [50, 2_000], [100, 2_000], [200, 8_000]].map(([logAppendMBs, logScanMBs]) => {
    const assumed = { ...ASSUMED, logAppendMBs, logScanMBs };
    const { rate, shares, projectors, limit } = furthestReach(footprint, assumed);
    const { installations, projectors: all } = planFor(footprint, 10_000_000, assumed);
    return [logAppendMBs, figure(logScanMBs, 4), figure(rate), limit, shares, projectors, installations, all];
  });
  return markdown(['log takes, MB/s', 'log looks through, MB/s', 'spans/s of one installation at most', 'limited by', 'shares', 'projectors', 'installations for 10 million', 'projectors of them all'], rows);
}

export function plansTable(footprint: Footprint): string {
  const plans = [10_000, 100_000, 300_000, 1_000_000, 10_000_000].map((rate) => planFor(footprint, rate));
  const row = (name: string, of: (plan: (typeof plans)[number]) => number, digits = 2): string[] => [name, ...plans.map((plan) => figure(of(plan), digits))];
  return markdown(['', ...plans.map(({ rate }) => `${figure(rate)} spans/s`)], [
    row('installations (one log cluster each)', ({ installations }) => installations, 4),
    row('shares of each', ({ shares }) => shares, 4),
    row('ingest processes of 4 cores', ({ ingestProcesses }) => ingestProcesses, 4),
    row('projectors of 1 core', ({ projectors }) => projectors, 4),
    row('API processes of 2 cores, 50 questions/s', ({ apiProcesses }) => apiProcesses, 4),
    row('cores of Hindsight', ({ cores }) => cores, 4),
    row('nodes of the log', ({ logNodes }) => logNodes, 4),
    row('shards of the read store, nodes', ({ readStoreShards }) => readStoreShards, 4).map((cell, n) => (n === 0 ? cell : `${cell}, ${figure(plans[n - 1].readStoreNodes, 4)}`)),
    row('senders to ingest, MB/s', ({ network }) => network.senders),
    row('ingest to the log, 3 copies, MB/s', ({ network }) => network.log),
    row('log to projectors, MB/s', ({ network }) => network.projectors),
    row('projectors to the read store, 3 copies, MB/s', ({ network }) => network.readStore),
    row('log, 3 copies, TB a day', ({ storage }) => storage.log),
    row('read models, 3 copies, TB a day', ({ storage }) => storage.readModels),
  ]);
}
