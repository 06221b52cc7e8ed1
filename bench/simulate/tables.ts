import { keptFootprint, type Footprint } from '../footprint/figures.js';
import { percentile } from '../report.js';
import { unevennessOf } from './evenness.js';
import { figure, markdown, percent, seconds } from './markdown.js';
import { measuredTable, questionsTable } from './measured-tables.js';
import { timeToMove } from './moves.js';
import { consequencesOf, type Loss, type Running } from './outage.js';
import { plansTable, reachTable, sensitivityTable, standstillTable } from './plan-tables.js';

/** From the lease of a share to its first commit: connections stand already, caches are empty. */
const TAKE_OVER_MS = 1_000;
const SEEDS = 30;

/** The tables of docs/scaling.md by the names of their sections, of the figures as they are kept. Always the same for the same figures. */
export function scalingTables(footprint: Footprint = keptFootprint()): Readonly<Record<string, string>> {
  return {
    measured: measuredTable(footprint),
    questions: questionsTable(footprint),
    evenness: evennessTable(),
    moves: movesTable(),
    'catching-up': catchingUpTable(),
    losses: lossesTable(),
    standstill: standstillTable(footprint),
    reach: reachTable(footprint),
    sensitivity: sensitivityTable(footprint),
    plans: plansTable(footprint),
  };
}

export function evennessTable(): string {
  const projectors = [2, 4, 8, 16];
  const cell = (grids: number, exponent: number, count: number): string =>
    [16, 64, 256].map((shares) => figure(unevennessOf({ grids, exponent, shares, projectors: count }).p95)).join(' / ');
  const rows = [[0, 200], [0.8, 200], [0.8, 5_000], [1, 200], [1, 5_000], [1.2, 5_000]].map(([exponent, grids]) => {
    const { largestGrid } = unevennessOf({ grids, exponent, shares: 16, projectors: 2 });
    return [exponent, figure(grids), percent(largestGrid), ...projectors.map((count) => cell(grids, exponent, count))];
  });
  return markdown(['Zipf exponent', 'Grids', 'largest Grid', ...projectors.map((count) => `${count} projectors`)], rows);
}

export function movesTable(): string {
  const times = (projectors: number, how: 'kill' | 'leave'): string[] => {
    const all = Array.from({ length: SEEDS }, (_, seed) => timeToMove(projectors, 64, how, seed));
    return [50, 99].map((p) => seconds(percentile(all, p)));
  };
  return markdown(['projectors', 'killed: p50, s', 'p99', 'stopped in order: p50, s', 'p99'], [2, 3, 6, 12].map((count) => [count, ...times(count, 'kill'), ...times(count, 'leave')]));
}

const running = (projectors: number, use: number): Running => {
  const capacity = 100_000;
  return { projectors, shares: 64, rate: projectors * use * capacity, capacity, takeOverMs: TAKE_OVER_MS };
};

export function catchingUpTable(): string {
  const uses = [0.3, 0.5, 0.6, 0.7, 0.8];
  const cell = (projectors: number, use: number): string => {
    const { freshAgainMs, worstLagMs } = consequencesOf(running(projectors, use), { killed: 1 }, 120_000);
    if ((use * projectors) / (projectors - 1) >= 1) return 'never';
    return freshAgainMs === undefined ? '> 120' : `${seconds(freshAgainMs)} (${seconds(worstLagMs)})`;
  };
  return markdown(['projectors', ...uses.map((use) => `busy to ${percent(use)}`)], [2, 3, 6, 12].map((count) => [count, ...uses.map((use) => cell(count, use))]));
}

/** As long as engines take at most to notice and to elect, by what their makers publish: see docs/scaling.md. */
export const ELECTIONS = { logAwayMs: 6_000, readStoreAwayMs: 12_000, leasesAwayMs: 9_000 };

const LOSSES: readonly (readonly [string, Loss])[] = [
  ['a projector is stopped in order', { left: 1 }],
  ['a projector dies', { killed: 1 }],
  ['the leader of the log dies', { logAwayMs: ELECTIONS.logAwayMs }],
  ['the primary of the read store dies', { readStoreAwayMs: ELECTIONS.readStoreAwayMs }],
  ['the leader of NATS dies', { leasesAwayMs: ELECTIONS.leasesAwayMs }],
  ['a rack of three: a third of everything, all leaders', { killed: 2, ...ELECTIONS }],
  ['all of NATS is away for a minute', { leasesAwayMs: 60_000 }],
  ['all of the read store is away for a minute', { readStoreAwayMs: 60_000 }],
  ['all of the log is away for a minute', { logAwayMs: 60_000 }],
];

export function lossesTable(): string {
  const steady = running(6, 0.5);
  const rows = LOSSES.map(([name, loss]) => {
    const { refusedMs, worstLagMs, freshAgainMs, mostWaiting, accepted, projected, waiting } = consequencesOf(steady, loss, 300_000);
    const lost = Math.round(accepted - projected - waiting);
    return [name, seconds(refusedMs), seconds(worstLagMs), freshAgainMs === undefined ? '> 300' : seconds(freshAgainMs), seconds((mostWaiting / steady.rate) * 1000), lost];
  });
  return markdown(['loss', 'senders are told to wait, s', 'oldest that waits, s', 'fresh again after, s', 'most that waits, in s of the rate', 'acknowledged and gone'], rows);
}
