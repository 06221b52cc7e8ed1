import assert from 'node:assert/strict';
import { Cluster } from '../support/cluster/cluster.js';
import { missingFor } from '../support/cluster/engines.js';
import { FlakyReceiver } from '../support/faults/flaky-receiver.js';
import { assertOneKeyEach } from '../support/faults/notification-account.js';
import { NotifiedGrid, sendRequests } from '../support/faults/notified-grid.js';
import { Random } from '../support/generator/random.js';
import { signInAutomation } from '../support/sign-in.js';
import { waitUntil } from '../support/wait-until.js';

const COMPOSITION = { eventStore: 'eventstoredb', readStore: 'mongodb', fanOut: 'nats' } as const;
const SERVICES = ['cart', 'checkout', 'payments', 'search'];
/** Longest time (ms) in which a projector takes over shards of one that was killed, and several attempts are made. */
const TAKEN_OVER_MS = 180_000;
const missing = missingFor(COMPOSITION);

describe(`notifications of two projectors${missing === undefined ? '' : ` (${missing})`}`, function () {
  this.timeout(600_000);
  const receiver = new FlakyReceiver(new Random(21));
  let cluster: Cluster;
  let grid: NotifiedGrid;

  before(async function () {
    if (missing !== undefined) this.skip();
    await receiver.start();
    cluster = await Cluster.start({
      ...COMPOSITION,
      ingest: 1,
      project: 2,
      api: 1,
      environment: {
        NOTIFY_PRIVATE_ADDRESSES: 'allow',
        NOTIFY_SECRET: 'the same secret in all processes of this test',
      },
    });
    grid = new NotifiedGrid(cluster.gridId, () => signInAutomation(cluster.named('api-1').apiUrl));
  });
  after(async () => {
    await cluster?.dispose();
    await receiver.stop();
  });
  afterEach(function () {
    if (this.currentTest?.state === 'failed') console.error(cluster.logTails());
  });

  const received = (rule: string, status: string): number =>
    new Set(
      receiver.taken
        .flatMap(({ alerts }) => alerts)
        .filter((alert) => alert.labels.alertname === rule && alert.status === status)
        .map(({ labels }) => labels.service),
    ).size;

  it('are sent by one process each, also while projectors are killed', async () => {
    const channelId = await grid.connect(receiver.url);
    for (const killed of ['project-1', 'project-2']) {
      await sendRequests(cluster.named('ingest-1').otlpHttpUrl, cluster.apiKey, SERVICES);
      const rule = await grid.createRule(killed);
      await grid.untilFiring(killed, SERVICES);
      await waitUntil(() => receiver.arrivals.some(({ text }) => text.includes(killed)), 'an attempt is made');
      await cluster.kill(killed);
      await waitUntil(() => received(killed, 'firing') === SERVICES.length, 'firings arrive', TAKEN_OVER_MS);
      await grid.deleteRule(rule);
      await waitUntil(() => received(killed, 'resolved') === SERVICES.length, 'ends arrive', TAKEN_OVER_MS);
      await cluster.restart(killed);
    }
    assertOneKeyEach(receiver.arrivals);
    assert.deepEqual(
      receiver.arrivals.filter(({ concurrent }) => concurrent > 0).map(({ key }) => key),
      [],
      'no two requests with one key at the same time',
    );
    const attempts = new Map((await grid.deliveries(channelId)).map((each) => [each.key, each.attempts]));
    for (const [key, count] of countByKey(receiver)) {
      const known = attempts.get(key);
      // The list shows the last 50.
      if (known !== undefined) assert.ok(count <= known, `${key}: ${count} requests, ${known} attempts`);
    }
  });
});

function countByKey({ arrivals }: FlakyReceiver): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { key } of arrivals) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}
