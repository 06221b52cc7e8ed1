import type { Footprint } from '../footprint/footprint-file.js';

/**
 * Assumptions that cannot be measured here, or that each operator decides: change them and calculate again. MB are 10^6
 * bytes.
 */
export interface Assumptions {
  /** Planned utilization of a core: the rest is reserve for peaks, for the loss of a machine, and for catching up. */
  readonly coreUse: number;
  /** Load of the busiest projector relative to the mean. */
  readonly unevenness: number;
  readonly questionsASecond: number;
  /** Grids that send all the time. */
  readonly activeGrids: number;
  /** Interval between commits of a shard under load; all records in between share the cost. */
  readonly commitEveryMs: number;
  readonly ingestCores: number;
  readonly apiCores: number;
  /** Capacity of one log cluster: for appends, and for reads by all subscribers, including events that they skip. */
  readonly logAppendMBs: number;
  readonly logScanMBs: number;
  /** Factor by which a backlog must be processed faster than telemetry arrives. */
  readonly catchUp: number;
  /** Write capacity of one MongoDB shard (replica set). */
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

/** Shards: as many as projectors with room to double them, at least the default. A single projector needs one. */
export function chooseShardCount(projectors: number): number {
  return projectors === 1
    ? 1
    : Math.min(MAX_SHARDS, Math.max(DEFAULT_SHARDS, 2 ** Math.ceil(Math.log2(2 * projectors))));
}

export type CapacityLimit = 'log, appends' | 'log, catching up' | 'projectors';

/** Capacity of one installation (one log cluster) with so many projectors. */
export interface InstallationCapacity {
  readonly projectors: number;
  readonly shares: number;
  readonly rate: number;
  readonly limit: CapacityLimit;
}

/**
 * Each shard reads the log through a filter of its own. While it keeps up, each event is examined once; when it lags,
 * the servers search the whole log for it. More shards divide the work and multiply the reads.
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

/** Spans per second of all Grids at which the busiest projector reaches its planned utilization. */
function computeProjectionRate(
  { projected: { traces }, commit, commitOfGrid }: Footprint,
  projectors: number,
  { coreUse, unevenness, activeGrids, commitEveryMs }: Assumptions,
): number {
  // A single projector owns everything: there is no imbalance.
  const own = projectors === 1 ? 1 : Math.min(1, unevenness / projectors);
  const shares = Math.ceil(chooseShardCount(projectors) / projectors);
  const commits = (shares * commit.cpuMillis + own * activeGrids * commitOfGrid.cpuMillis) / commitEveryMs;
  return (Math.max(0, coreUse - commits) * 1e6) / (own * traces.cpuMicros);
}

/** Maximum capacity of one installation with the best number of projectors. */
export function findMaxCapacity(footprint: Footprint, assumed: Assumptions): InstallationCapacity {
  const reaches = Array.from({ length: MAX_SHARDS }, (_, n) => computeCapacity(footprint, n + 1, assumed));
  return reaches.reduce((best, each) => (each.rate > best.rate ? each : best));
}

export interface CapacityPlan {
  readonly rate: number;
  readonly installations: number;
  /** For each installation. */
  readonly shares: number;
  /** For all installations together, like everything below. */
  readonly projectors: number;
  readonly ingestProcesses: number;
  readonly apiProcesses: number;
  readonly logNodes: number;
  readonly readStoreShards: number;
  readonly readStoreNodes: number;
  /** CPU of our processes; engines come on top. */
  readonly cores: number;
  /** MB/s between processes and engines, including replication. */
  readonly network: {
    readonly senders: number;
    readonly log: number;
    readonly projectors: number;
    readonly readStore: number;
  };
  /** TB a day, all copies. */
  readonly storage: { readonly log: number; readonly readModels: number };
}

/**
 * Plans resources for a rate of spans, with gzip over HTTP. At least two processes of each role, so that one may fail.
 */
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

/** At least two, so that one may fail. */
function findMinProjectors(footprint: Footprint, rate: number, assumed: Assumptions): InstallationCapacity {
  for (let projectors = 2; projectors <= MAX_SHARDS; projectors++) {
    const reach = computeCapacity(footprint, projectors, assumed);
    if (reach.rate >= rate) return reach;
  }
  throw new Error(`no number of projectors carries ${Math.round(rate)} spans/s`);
}

/** CPU of an average query with its API call. */
export function computeQueryCpuMillis({ questions, callCpuMillis }: Footprint): number {
  return questions.reduce((sum, { cpuMillis }) => sum + cpuMillis, 0) / questions.length + callCpuMillis;
}

/** Prices per month, in any currency. */
export interface Prices {
  readonly core: number;
  /** A node of the log or the read store, without its disk. */
  readonly node: number;
  readonly terabyte: number;
  /** Per GB of charged traffic, for example between zones. */
  readonly networkTerabyte: number;
}

/** Calculates the monthly cost of a plan. */
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
