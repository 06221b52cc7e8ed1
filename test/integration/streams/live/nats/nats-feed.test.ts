import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { firstValueFrom, take, toArray } from 'rxjs';
import { appended, liveFeedContract, type OpenedFeeds } from '../../../../contracts/live-feed.contract.js';
import { HAS_NATS, NATS_NEEDS, NatsServer } from '../../../../support/nats-server.js';
import { waitUntil } from '../../../../support/wait-until.js';
import { describeIf } from '../../../../support/speech-engines.js';
import { member, type Member } from './cluster.js';

const MODULE = new URL('../../../../../src/streams/live/in-process-feed.js', import.meta.url).href;

describeIf(HAS_NATS)(`Hints over NATS${NATS_NEEDS}`, () => {
  let server: NatsServer;
  let members: Member[];

  before(async () => {
    server = await NatsServer.start();
  });
  after(() => server.dispose());
  beforeEach(() => (members = []));
  afterEach(() => Promise.all(members.map((each) => each.close())));

  /** Members that have found the server and listen. */
  async function joined(...clusters: readonly string[]): Promise<Member[]> {
    members.push(...clusters.map((cluster) => member(server.url, cluster)));
    for (const each of members) await whole(each);
    return members;
  }

  liveFeedContract('NATS', async (): Promise<OpenedFeeds> => {
    const [here, there, stranger] = await joined('test', 'test', 'other');
    return { feeds: [here.feed, there.feed], stranger: stranger.feed, dispose: async () => undefined };
  });

  it('carries hints from any thread of one process to any thread of another', async () => {
    const [here] = await joined('test');
    const there = member(server.url, 'test', `threads-${process.pid}`);
    members.push(there);
    await whole(there);
    const worker = new Worker(
      `
      import(${JSON.stringify(MODULE)}).then(({ InProcessFeed }) => {
        const feed = new InProcessFeed('threads-${process.pid}');
        feed.hints.subscribe((hint) => { if (hint.topic === 'appended') feed.announce({ ...hint, topic: 'projected', projection: 'received' }); });
        require('node:worker_threads').parentPort.postMessage('ready');
        setInterval(() => undefined, 1_000);
      });`,
      { eval: true },
    );
    await once(worker, 'message');
    const notified = firstValueFrom(here.feed.hints.pipe(take(2), toArray()));
    here.local.announce(appended('5'));
    assert.deepEqual(await notified, [appended('5'), { ...appended('5'), topic: 'projected', projection: 'received' }]);
    await worker.terminate();
  });

  it('passes over what is no hint', async () => {
    const [here, there] = await joined('test', 'test');
    const answer = firstValueFrom(there.feed.hints);
    const connection = here.link.connection!;
    for (const text of ['', 'null', '{', '{"topic":"shutdown"}', '{"topic":"appended"}', 'x'.repeat(100_000)])
      connection.publish('hindsight.test.appended', text);
    await connection.flush();
    here.feed.announce(appended('9'));
    assert.deepEqual(await answer, appended('9'));
  });

  it('refuses names of clusters that are not part of a subject', () => {
    assert.throws(() => member(server.url, 'a.b'), /cluster name/);
    assert.throws(() => member(server.url, '>'), /cluster name/);
  });
});

/** Its subscription has reached the server: an answer to a ping comes after it. */
async function whole({ feed }: Pick<Member, 'feed'>): Promise<void> {
  await waitUntil(async () => {
    const health = await feed.check();
    return health.ok && health.degraded === undefined;
  }, 'the feed reaches NATS');
}
