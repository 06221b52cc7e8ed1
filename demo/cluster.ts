import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { Cluster } from '../test/support/cluster/cluster.js';
import { missingFor } from '../test/support/cluster/engines.js';
import { type DemoService, formatCurl } from './hindsight-service.js';
import { checkFailover } from './cluster/failover-check.js';
import { TcpLoadBalancer } from './cluster/tcp-load-balancer.js';
import { sleepSeconds, logLine } from './fault-schedule.js';
import { Shop } from './shop/shop.js';

const USAGE = `npm run cluster -- [options]

Starts the cluster of docker-compose.yml as plain processes: two ingest, two projector and two API processes behind load balancers,
NATS, and test doubles of EventStoreDB and MongoDB that keep everything in memory. A simulated shop sends telemetry.

  --check     kill one process after the other and check that spans of the shop are found; exits 1 if not
  --seed <n>  random seed of the customers (default 1)
  --help`;

const COMPOSITION = { eventStore: 'eventstoredb', readStore: 'mongodb', fanOut: 'nats' } as const;

/** Ports of a single-process Hindsight, if they are free. */
const PORTS = { api: 8080, otlp: 4318 };

/** Entry point of `npm run cluster`. Runs until Ctrl-C; resolves to 0 when all processes stopped cleanly. */
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
  const abort = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => abort.abort());
  logLine('starting nine processes');
  const starting = Cluster.start({
    ...COMPOSITION,
    ingest: 2,
    project: 2,
    api: 2,
    environment: { LOG_LEVEL: 'warn' },
  });
  // A stop during the start does not wait for it: the end of this process kills what it has started.
  const cluster = await Promise.race([starting, once(abort.signal, 'abort')]);
  if (!(cluster instanceof Cluster)) return 0;
  try {
    return await runClusterDemo(cluster, { check: values.check, seed: Number(values.seed) }, abort.signal);
  } finally {
    await cluster.dispose();
  }
}

async function runClusterDemo(
  cluster: Cluster,
  { check, seed }: { readonly check: boolean; readonly seed: number },
  signal: AbortSignal,
): Promise<number> {
  const balancers = {
    api: new TcpLoadBalancer(cluster.with('api').map(({ apiUrl }) => parsePort(apiUrl))),
    otlp: new TcpLoadBalancer(cluster.with('ingest').map(({ otlpHttpUrl }) => parsePort(otlpHttpUrl))),
  };
  const [apiUrl, otlpUrl] = await Promise.all([balancers.api.open(PORTS.api), balancers.otlp.open(PORTS.otlp)]);
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
  const succeeded = check
    ? await checkFailover(cluster, service, signal)
    : await sleepSeconds(Infinity, signal).then(() => true);
  logLine('closing');
  await shop.close();
  await running;
  await Promise.all([balancers.api.close(), balancers.otlp.close()]);
  const codes = await Promise.all(cluster.members.map((member) => member.signal('SIGTERM')));
  if (!succeeded) console.log(cluster.logTails());
  return succeeded && codes.every((code) => code === 0) ? 0 : 1;
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
