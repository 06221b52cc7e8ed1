import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Cluster } from '../test/support/cluster/cluster.js';
import { missingFor, type Composition } from '../test/support/cluster/engines.js';
import { createGrids } from '../test/support/cluster/create-grids.js';
import { generatePayloads } from './load/payload-file.js';
import { sendPayloads } from './load/payload-sender.js';
import type { SendReport } from './load/send-process.js';
import type { Measurement } from './measurement-table.js';
import { measureDrainSeconds, ServiceMetrics } from './service-metrics.js';

export interface DistributedOptions {
  readonly seconds: number;
  /** Spans prepared in advance. */
  readonly spans: number;
  /** Target rate in spans per second; 0: as fast as responses arrive. */
  readonly rate: number;
}

interface ClusterMeasurement {
  readonly accepted: number;
  readonly projected: number;
  readonly lagP99Ms: number;
  readonly ackP99Ms: number;
  readonly refused: number;
}

/** Each Grid has a sender of its own, so that both projectors have shards with load. */
const GRIDS = 4;
const CONNECTIONS = 4;
const SPANS_A_BATCH = 512;

const EMBEDDED: Composition = { eventStore: 'embedded', readStore: 'embedded', fanOut: 'in-process' };
const DISTRIBUTED: Composition = { eventStore: 'eventstoredb', readStore: 'mongodb', fanOut: 'nats' };
const DOUBLES = 'EventStoreDB and MongoDB are test doubles in memory, all on these cores: no figure of real servers';

/**
 * The same load on one process with embedded stores, and on two ingest, two projector and one API process with the test
 * servers. Compares the work of Hindsight, not that of the servers, which are test doubles.
 */
export async function run(options: DistributedOptions): Promise<Measurement[]> {
  const missing = missingFor(DISTRIBUTED);
  if (missing !== undefined) throw new Error(missing);
  const folder = await mkdtemp(join(tmpdir(), 'hindsight-bench-'));
  try {
    const paths = (await generatePayloads(folder, 'traces', options.spans, SPANS_A_BATCH, GRIDS)).map(
      ({ path }) => path,
    );
    const one = await measureCluster(await Cluster.start({ ...EMBEDDED, all: 1 }), paths, options);
    const many = await measureCluster(
      await Cluster.start({ ...DISTRIBUTED, ingest: 2, project: 2, api: 1 }),
      paths,
      options,
    );
    return [
      ...toMeasurements('embedded', one),
      ...toMeasurements('distributed', many, DOUBLES),
      {
        name: 'distributed to embedded',
        value: many.projected / one.projected,
        unit: '×',
        note: 'projected, in this run',
      },
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function measureCluster(
  cluster: Cluster,
  paths: readonly string[],
  { seconds, rate }: DistributedOptions,
): Promise<ClusterMeasurement> {
  try {
    const grids = await createGrids(cluster, GRIDS);
    const targets = cluster.with('ingest');
    const before = await ServiceMetrics.scrape(...cluster.members);
    const sent = await Promise.all(
      grids.map(({ apiKey }, n) =>
        sendPayloads({
          port: targets[n % targets.length].otlpHttpPort,
          apiKey,
          signal: 'traces',
          paths: [paths[n]],
          recordsPerBatch: SPANS_A_BATCH,
          seconds,
          connections: CONNECTIONS,
          rate: rate / GRIDS,
        }),
      ),
    );
    const drain = await measureDrainSeconds(cluster.members, 'traces');
    const metrics = await ServiceMetrics.scrape(...cluster.members);
    return { ...computeRates(sent, drain), lagP99Ms: metrics.lagPercentile(99, before) * 1_000 };
  } finally {
    await cluster.dispose();
  }
}

function computeRates(sent: readonly SendReport[], drain: number): Omit<ClusterMeasurement, 'lagP99Ms'> {
  const records = sent.reduce((sum, each) => sum + each.records, 0);
  const took = Math.max(...sent.map(({ seconds }) => seconds));
  return {
    accepted: records / took,
    projected: records / (took + drain),
    ackP99Ms: Math.max(...sent.map(({ ackP99Ms }) => ackP99Ms)),
    refused: sent.reduce((sum, { refused }) => sum + refused, 0),
  };
}

function toMeasurements(
  name: string,
  { accepted, projected, lagP99Ms, ackP99Ms, refused }: ClusterMeasurement,
  note?: string,
): Measurement[] {
  return [
    { name: `${name}: accepted`, value: accepted, unit: 'spans/s', note },
    { name: `${name}: accepted and searchable`, value: projected, unit: 'spans/s' },
    { name: `${name}: lag p99`, value: lagP99Ms, unit: 'ms', note: 'upper edge of the bucket; accepted to committed' },
    { name: `${name}: ack p99`, value: ackP99Ms, unit: 'ms' },
    { name: `${name}: refused with 429`, value: refused, unit: 'requests' },
  ];
}
