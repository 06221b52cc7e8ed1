import assert from 'node:assert/strict';
import { appended } from '../../../../contracts/live-feed.contract.js';
import { HAS_NATS, NATS_NEEDS, NatsServer } from '../../../../support/nats-server.js';
import { waitUntil } from '../../../../support/wait-until.js';
import { describeIf } from '../../../../support/speech-engines.js';
import { member, type Member } from './cluster.js';

describeIf(HAS_NATS)(`Hints while NATS is unavailable${NATS_NEEDS}`, () => {
  let server: NatsServer;
  let [here, there]: Member[] = [];

  beforeEach(async () => {
    server = await NatsServer.start();
    [here, there] = [member(server.url), member(server.url)];
    await notifiedAgain();
  });
  afterEach(async () => {
    server.thaw();
    await here.close();
    await there.close();
    await server.dispose();
  });

  let count = 0;
  /** Announces something new until it is received: a hint may be lost. */
  async function notifiedAgain(): Promise<void> {
    const notified = new Set<unknown>();
    const listening = there.feed.hints.subscribe((hint) => notified.add('position' in hint && hint.position));
    const said = new Set<string>();
    await waitUntil(() => {
      const position = String(++count).padStart(8, '0');
      said.add(position);
      here.feed.announce(appended(position));
      return [...notified].some((position) => said.has(position as string));
    }, 'hints are received');
    listening.unsubscribe();
  }

  /** Hints within the process come at once, whatever NATS does, and the feed is well enough for that. */
  async function worksAlone(): Promise<void> {
    const notified: string[] = [];
    const listening = here.feed.hints.subscribe((hint) => notified.push(hint.topic));
    const began = performance.now();
    for (let i = 0; i < 10_000; i++)
      here.feed.announce({ topic: 'diagnosed', gridId: `grid-${i}`, diagnostic: 'health', version: 1 });
    assert.equal(notified.length, 10_000);
    const health = await here.feed.check();
    assert.ok(performance.now() - began < 5_000, `${performance.now() - began} ms`);
    assert.ok(health.ok);
    listening.unsubscribe();
  }

  it('work within the process while the server is dead, and come again with the server', async () => {
    await server.kill();
    await waitUntil(async () => 'degraded' in (await here.feed.check()), 'the feed notices');
    assert.match(((await here.feed.check()) as { degraded: string }).degraded, /do not reach other processes.*NATS/);
    await worksAlone();
    await server.start();
    await notifiedAgain();
  });

  it('work within the process while the server hangs, and come again when it continues', async () => {
    await server.freeze();
    await worksAlone();
    await waitUntil(
      () => here.link.connection === undefined && there.link.connection === undefined,
      'the links give up',
    );
    await worksAlone();
    server.thaw();
    await notifiedAgain();
  });

  it('close at once while the server hangs', async () => {
    await server.freeze();
    const began = performance.now();
    await here.close();
    await there.close();
    assert.ok(performance.now() - began < 5_000, `${performance.now() - began} ms`);
  });
});

describe('Hints without any NATS', () => {
  it('work within the process, and the feed closes while its link still looks for a server', async () => {
    // Nobody listens on port 1.
    const lonely = member('nats://127.0.0.1:1');
    const notified: unknown[] = [];
    lonely.feed.hints.subscribe((hint) => notified.push(hint));
    lonely.feed.announce(appended('1'));
    assert.deepEqual(notified, [appended('1')]);
    await waitUntil(
      async () => /Cannot connect to NATS/.test(JSON.stringify(await lonely.feed.check())),
      'the reason shows',
    );
    await lonely.close();
    await lonely.close();
  });
});
