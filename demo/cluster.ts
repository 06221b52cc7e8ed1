import { parseArgs } from 'node:util';
import { Cluster } from '../test/support/cluster/cluster.js';
import { missingFor } from '../test/support/cluster/engines.js';
import { type DemoService, formatCurl } from './hindsight-service.js';
import { checkFailover } from './cluster/failover-check.js';
import { TcpLoadBalancer } from './cluster/tcp-load-balancer.js';
import { sleepSeconds, logLine } from './fault-schedule.js';
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
  const { values } = parseArgs({
    options: {
      check: { type: 'boolean', default: false },
      seed: { type: 'string', default: '1' },
      help: { type: 'boolean', default: false },
    },
  });
  const missing = missingFor(COMPOSITION);
  if (values.help || missing !== undefined) {
    console.log(missing ?? USAGE);
    return missing === undefined ? 0 : 1;
  }
  const ending = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => ending.abort());
  logLine('starting nine processes');
  const cluster = await Cluster.start({
    ...COMPOSITION,
    ingest: 2,
    project: 2,
    api: 2,
    environment: { LOG_LEVEL: 'warn' },
  });
  try {
    return await runClusterDemo(cluster, { check: values.check, seed: Number(values.seed) }, ending.signal);
  } finally {
    await cluster.dispose();
  }
}

async function runClusterDemo(
  cluster: Cluster,
  { check, seed }: { readonly check: boolean; readonly seed: number },
  signal: AbortSignal,
): Promise<number> {
  const fronts = {
    api: new TcpLoadBalancer(cluster.with('api').map(({ apiUrl }) => parsePort(apiUrl))),
    otlp: new TcpLoadBalancer(cluster.with('ingest').map(({ otlpHttpUrl }) => parsePort(otlpHttpUrl))),
  };
  const [apiUrl, otlpUrl] = await Promise.all([fronts.api.open(PORTS.api), fronts.otlp.open(PORTS.otlp)]);
  const service: DemoService = {
    apiUrl,
    otlpUrl,
    gridId: cluster.gridId,
    apiKey: cluster.apiKey,
    ended: new Promise(() => undefined),
    stop: () => Promise.resolve(0),
  };
  printCluster(cluster, service);
  const shop = new Shop(service, seed);
  const running = shop.run();
  const good = check
    ? await checkFailover(cluster, service, signal)
    : await sleepSeconds(Infinity, signal).then(() => true);
  logLine('closing');
  await shop.close();
  await running;
  await Promise.all([fronts.api.close(), fronts.otlp.close()]);
  const codes = await Promise.all(cluster.members.map((member) => member.signal('SIGTERM')));
  if (!good) console.log(cluster.logTails());
  return good && codes.every((code) => code === 0) ? 0 : 1;
}

function printCluster(cluster: Cluster, service: DemoService): void {
  logLine('all processes are ready');
  for (const member of cluster.members)
    console.log(`    ${member.name.padEnd(10)} ${member.apiUrl}/ready   log: ${member.logFile}`);
  for (const [name, value] of Object.entries(cluster.engines.environment))
    console.log(`    ${name.padEnd(16)} ${value}`);
  console.log(
    `    API  ${service.apiUrl}   OTLP ${service.otlpUrl} (HTTP and gRPC)\n    Grid ${service.gridId}   key ${service.apiKey}\n    ${formatCurl(service, 'health')}`,
  );
}

const parsePort = (url: string): number => Number(new URL(url).port);

try {
  process.exit(await main());
} catch (error) {
  console.error(`cluster: ${(error as Error).message}`);
  process.exit(1);
}
