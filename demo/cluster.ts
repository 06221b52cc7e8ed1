import { parseArgs } from 'node:util';
import { Cluster } from '../test/support/cluster/cluster.js';
import { missingFor } from '../test/support/cluster/engines.js';
import { curl } from './api.js';
import { checkCluster } from './cluster/check-cluster.js';
import { Front } from './cluster/front.js';
import { pause, say } from './schedule.js';
import type { Service } from './service.js';
import { Shop } from './shop/shop.js';

const USAGE = `npm run cluster -- [options]

Starts the cluster of docker-compose.yml as plain processes: two ingest, two projectors, two API processes, before them one
address each; NATS, and the test doubles of EventStoreDB and MongoDB, which keep everything in memory. A simulated shop sends.

  --check     kills one process after the other and looks whether the shop's spans are found; exits 1 when not
  --seed <n>  other customers (default 1)
  --help`;

const COMPOSITION = { eventStore: 'eventstoredb', readStore: 'mongodb', fanOut: 'nats' } as const;

/** As of a Hindsight of one process, where they are free. */
const PORTS = { api: 8080, otlp: 4318 };

/** `npm run cluster`. Ends with Ctrl-C, with 0 where all processes stopped in order. */
async function main(): Promise<number> {
  const { values } = parseArgs({ options: { check: { type: 'boolean', default: false }, seed: { type: 'string', default: '1' }, help: { type: 'boolean', default: false } } });
  const missing = missingFor(COMPOSITION);
  if (values.help || missing !== undefined) {
    console.log(missing ?? USAGE);
    return missing === undefined ? 0 : 1;
  }
  const ending = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => ending.abort());
  say('starting nine processes');
  const cluster = await Cluster.start({ ...COMPOSITION, ingest: 2, project: 2, api: 2, environment: { LOG_LEVEL: 'warn' } });
  try {
    return await demonstrate(cluster, { check: values.check, seed: Number(values.seed) }, ending.signal);
  } finally {
    await cluster.dispose();
  }
}

async function demonstrate(cluster: Cluster, { check, seed }: { readonly check: boolean; readonly seed: number }, signal: AbortSignal): Promise<number> {
  const fronts = { api: new Front(cluster.with('api').map(({ apiUrl }) => portOf(apiUrl))), otlp: new Front(cluster.with('ingest').map(({ otlpHttpUrl }) => portOf(otlpHttpUrl))) };
  const [apiUrl, otlpUrl] = await Promise.all([fronts.api.open(PORTS.api), fronts.otlp.open(PORTS.otlp)]);
  const service: Service = { apiUrl, otlpUrl, gridId: cluster.gridId, apiKey: cluster.apiKey, ended: new Promise(() => undefined), stop: () => Promise.resolve(0) };
  describe(cluster, service);
  const shop = new Shop(service, seed);
  const running = shop.run();
  const good = check ? await checkCluster(cluster, service, signal) : await pause(Infinity, signal).then(() => true);
  say('closing');
  await shop.close();
  await running;
  await Promise.all([fronts.api.close(), fronts.otlp.close()]);
  const codes = await Promise.all(cluster.members.map((member) => member.signal('SIGTERM')));
  if (!good) console.log(cluster.logTails());
  return good && codes.every((code) => code === 0) ? 0 : 1;
}

function describe(cluster: Cluster, service: Service): void {
  say('all processes are ready');
  for (const member of cluster.members) console.log(`    ${member.name.padEnd(10)} ${member.apiUrl}/ready   log: ${member.logFile}`);
  for (const [name, value] of Object.entries(cluster.engines.environment)) console.log(`    ${name.padEnd(16)} ${value}`);
  console.log(`    API  ${service.apiUrl}   OTLP ${service.otlpUrl} (HTTP and gRPC)\n    Grid ${service.gridId}   key ${service.apiKey}\n    ${curl(service, 'health')}`);
}

const portOf = (url: string): number => Number(new URL(url).port);

try {
  process.exit(await main());
} catch (error) {
  console.error(`cluster: ${(error as Error).message}`);
  process.exit(1);
}
