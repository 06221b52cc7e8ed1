import type { Footprint } from '../footprint/footprint-file.js';

/** What nobody could measure here, or what each operator decides: change it and count again. MB are 10^6 bytes. */
export interface Assumptions {
  /** The part of a core that is planned for: the rest is head-room for peaks, for the loss of a machine, and for catching up. */
  readonly coreUse: number;
  /** Work of the busiest projector to the mean. */
  readonly unevenness: number;
  readonly questionsASecond: number;
  /** Grids of an installation that send all the time. */
  readonly activeGrids: number;
  /** How far commits of a share are apart under load: their cost is shared by what came meanwhile. */
  readonly commitEveryMs: number;
  readonly ingestCores: number;
  readonly apiCores: number;
  /** What one log cluster takes in, and what it looks through for all that read it together, past what they do not want too. */
  readonly logAppendMBs: number;
  readonly logScanMBs: number;
  /** How much faster than it comes in telemetry is to be worked off after a standstill. */
  readonly catchUp: number;
  /** What one shard (a replica set) of the read store takes in. */
  readonly readStoreMBs: number;
  /** Copies that each engine keeps. */
  readonly copies: number;
  readonly retentionDays: number;
}

export const DEFAULT_ASSUMPTIONS: Assumptions = {
  coreUse: 0.6,
  unevenness: 1.5,
  questionsASecond: 50,
  activeGrids: 20,
  commitEveryMs: 1_000,
  ingestCores: 4,
  apiCores: 2,
  logAppendMBs: 50,
  logScanMBs: 500,
  catchUp: 1.5,
  readStoreMBs: 50,
  copies: 3,
  retentionDays: 7,
};

const MAX_SHARDS = 256;
const DEFAULT_SHARDS = 16;
const MB = 1e6;
const DAY_S = 86_400;

/** As many as projectors, and room to grow to twice of that; the default at least. One alone needs one. */
export function chooseShardCount(projectors: number): number {
  return projectors === 1
    ? 1
    : Math.min(MAX_SHARDS, Math.max(DEFAULT_SHARDS, 2 ** Math.ceil(Math.log2(2 * projectors))));
}

export type CapacityLimit = 'log, appends' | 'log, catching up' | 'projectors';

/** What one installation (one log cluster) carries with so many projectors. */
export interface InstallationCapacity {
  readonly projectors: number;
  readonly shares: number;
  readonly rate: number;
  readonly limit: CapacityLimit;
}

/**
 * Each share reads the log through a filter of its own. While it follows closely, that is a look at each event as it comes; once it is
 * behind, the servers look through the whole log for it. So more shares divide the work and multiply the reading.
 */
export function computeCapacity(footprint: Footprint, projectors: number, assumed: Assumptions): InstallationCapacity {
  const {
    spansIn: {
      'http-gzip': { toLogBytes },
    },
  } = footprint;
  const shares = chooseShardCount(projectors);
  const limits: [CapacityLimit, number][] = [
    ['log, appends', (assumed.logAppendMBs * MB) / toLogBytes],
    ['log, catching up', (assumed.logScanMBs * MB) / (shares * toLogBytes * assumed.catchUp)],
    ['projectors', computeProjectionRate(footprint, projectors, assumed)],
  ];
  const [limit, rate] = limits.reduce((least, each) => (each[1] < least[1] ? each : least));
  return { projectors, shares, rate, limit };
}

/** Spans a second of all Grids at which the busiest of so many projectors has used what is planned of its core. */
function computeProjectionRate(
  { projected: { traces }, commit, commitOfGrid }: Footprint,
  projectors: number,
  { coreUse, unevenness, activeGrids, commitEveryMs }: Assumptions,
): number {
  // One projector has everything: nothing is uneven.
  const own = projectors === 1 ? 1 : Math.min(1, unevenness / projectors);
  const shares = Math.ceil(chooseShardCount(projectors) / projectors);
  const commits = (shares * commit.cpuMillis + own * activeGrids * commitOfGrid.cpuMillis) / commitEveryMs;
  return (Math.max(0, coreUse - commits) * 1e6) / (own * traces.cpuMicros);
}

/** As far as one installation goes with the best number of projectors. */
export function findMaxCapacity(footprint: Footprint, assumed: Assumptions): InstallationCapacity {
  const reaches = Array.from({ length: MAX_SHARDS }, (_, n) => computeCapacity(footprint, n + 1, assumed));
  return reaches.reduce((best, each) => (each.rate > best.rate ? each : best));
}

export interface CapacityPlan {
  readonly rate: number;
  readonly installations: number;
  /** In each of them. */
  readonly shares: number;
  /** In all of them together, as everything below. */
  readonly projectors: number;
  readonly ingestProcesses: number;
  readonly apiProcesses: number;
  readonly logNodes: number;
  readonly readStoreShards: number;
  readonly readStoreNodes: number;
  /** Of our own processes; engines on top. */
  readonly cores: number;
  /** MB/s between the parts, copies among the nodes of an engine included. */
  readonly network: {
    readonly senders: number;
    readonly log: number;
    readonly projectors: number;
    readonly readStore: number;
  };
  /** TB a day, all copies. */
  readonly storage: { readonly log: number; readonly readModels: number };
}

/** What a rate of spans takes, with gzip over HTTP. Two of each process at least: one may be lost. */
export function createCapacityPlan(
  footprint: Footprint,
  rate: number,
  assumed: Assumptions = DEFAULT_ASSUMPTIONS,
): CapacityPlan {
  const installations = Math.ceil(rate / findMaxCapacity(footprint, assumed).rate);
  const { shares, projectors } = findMinProjectors(footprint, rate / installations, assumed);
  const all = installations * projectors;
  const {
    spansIn: { 'http-gzip': arriving },
    projected: { traces },
    commit,
    commitOfGrid,
  } = footprint;
  const atLeastTwo = (needed: number, each: number): number => Math.max(2, Math.ceil(needed / each));
  const ingestProcesses = atLeastTwo((rate * arriving.cpuMicros) / 1e6 / assumed.coreUse, assumed.ingestCores);
  const apiProcesses = atLeastTwo(
    (assumed.questionsASecond * computeQueryCpuMillis(footprint)) / 1e3 / assumed.coreUse,
    assumed.apiCores,
  );
  const rewritten =
    (installations * 1000 * (shares * commit.toReadStoreBytes + assumed.activeGrids * commitOfGrid.toReadStoreBytes)) /
    assumed.commitEveryMs;
  const toReadStore = rate * traces.toReadStoreBytes + rewritten;
  const readStoreShards = Math.max(installations, Math.ceil(toReadStore / (assumed.readStoreMBs * MB)));
  const tbADay = (bytes: number): number => (rate * bytes * DAY_S * assumed.copies) / 1e12;
  return {
    rate,
    installations,
    shares,
    projectors: all,
    ingestProcesses,
    apiProcesses,
    logNodes: installations * assumed.copies,
    readStoreShards,
    readStoreNodes: readStoreShards * assumed.copies,
    cores: ingestProcesses * assumed.ingestCores + all + apiProcesses * assumed.apiCores,
    network: {
      senders: (rate * arriving.requestBytes) / MB,
      log: (rate * arriving.toLogBytes * assumed.copies) / MB,
      projectors: (rate * traces.fromLogBytes) / MB,
      readStore: (toReadStore * assumed.copies) / MB,
    },
    storage: { log: tbADay(traces.logBytes), readModels: tbADay(traces.readModelBytes) },
  };
}

/** Two at least, of which one may be lost. */
function findMinProjectors(footprint: Footprint, rate: number, assumed: Assumptions): InstallationCapacity {
  for (let projectors = 2; projectors <= MAX_SHARDS; projectors++) {
    const reach = computeCapacity(footprint, projectors, assumed);
    if (reach.rate >= rate) return reach;
  }
  throw new Error(`no number of projectors carries ${Math.round(rate)} spans/s`);
}

/** CPU of an average question, with the call around it. */
export function computeQueryCpuMillis({ questions, callCpuMillis }: Footprint): number {
  return questions.reduce((sum, { cpuMillis }) => sum + cpuMillis, 0) / questions.length + callCpuMillis;
}

/** Prices for a month, in any currency: nobody but the operator knows them. */
export interface Prices {
  readonly core: number;
  /** A node of the log or the read store, without its disk. */
  readonly node: number;
  readonly terabyte: number;
  /** Of traffic that is charged, between zones for example. */
  readonly networkTerabyte: number;
}

/** What a plan costs a month. */
export function computeMonthlyCost(
  plan: CapacityPlan,
  prices: Prices,
  { retentionDays }: Assumptions = DEFAULT_ASSUMPTIONS,
): number {
  const stored = (plan.storage.log + plan.storage.readModels) * retentionDays;
  const { senders, log, projectors, readStore } = plan.network;
  const moved = ((senders + log + projectors + readStore) * MB * DAY_S * 30) / 1e12;
  return (
    plan.cores * prices.core +
    (plan.logNodes + plan.readStoreNodes) * prices.node +
    stored * prices.terabyte +
    moved * prices.networkTerabyte
  );
}
