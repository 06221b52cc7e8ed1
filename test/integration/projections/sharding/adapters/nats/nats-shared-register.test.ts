import assert from 'node:assert/strict';
import { NatsSharedRegister } from '../../../../../../src/projections/sharding/adapters/nats/nats-shared-register.js';
import { hasCode } from '../../../../../../src/errors.js';
import { SILENT_LOGGER } from '../../../../../../src/self-telemetry/logger.js';
import { SharedNatsConnection } from '../../../../../../src/streams/live/nats/shared-nats-connection.js';
import { sharedRegisterContract } from '../../../../../contracts/shared-register.contract.js';
import { HAS_NATS, NATS_NEEDS, NatsServer } from '../../../../../support/nats-server.js';
import { waitUntil } from '../../../../../support/wait-until.js';
import { describeIf } from '../../../../../support/speech-engines.js';
import { elapsedMs, shortest } from '../../../../../support/measurement.js';

describeIf(HAS_NATS)(`The register in NATS${NATS_NEEDS}`, () => {
  let server: NatsServer;
  let links: SharedNatsConnection[];
  let buckets = 0;

  beforeEach(async () => {
    server ??= await NatsServer.start();
    links = [
      new SharedNatsConnection(server.url, 'test', SILENT_LOGGER),
      new SharedNatsConnection(server.url, 'test', SILENT_LOGGER),
    ];
    for (const link of links) await waitUntil(async () => (await link.check()).ok, 'the link connects');
  });
  afterEach(async () => {
    server.thaw();
    for (const link of links) await link.close();
  });
  after(() => server.dispose());

  const register = (link: SharedNatsConnection, bucket = `bucket-${buckets}`): NatsSharedRegister =>
    new NatsSharedRegister(link, { bucket, key: 'projectors', replicas: 1 });
  const unavailable = (error: unknown): boolean => hasCode(error, 'unavailable');
  const answers = (of: NatsSharedRegister): Promise<boolean> =>
    of.read().then(
      () => true,
      () => false,
    );

  sharedRegisterContract('NATS', () => {
    buckets++;
    return Promise.resolve([register(links[0]), register(links[1])]);
  });

  it('has nothing after its key or its bucket is deleted, and takes what is written on that', async () => {
    const kept = register(links[0], 'deleted');
    await kept.write('1', 0);
    const kv = await links[1].connection!.jetstream().views.kv('deleted');
    await kv.delete('projectors');
    const { value, revision } = await kept.read();
    assert.equal(value, undefined);
    assert.ok((await kept.write('2', revision)) !== undefined);
    await kv.destroy();
    assert.deepEqual(await kept.read(), { value: undefined, revision: 0 });
    const written = (): Promise<boolean> =>
      kept.write('3', 0).then(
        (taken) => taken !== undefined,
        () => false,
      );
    await waitUntil(written, 'the bucket is made anew');
    assert.equal((await kept.read()).value, '3');
  });

  it('keeps its value when the server is killed, and forgets it with the store', async () => {
    const kept = register(links[0], 'kept');
    const revision = (await kept.write('1', 0))!;
    await server.kill();
    await assert.rejects(kept.read(), unavailable);
    await server.start();
    await waitUntil(() => answers(kept), 'the register answers again');
    assert.deepEqual(await kept.read(), { value: '1', revision });
    await server.kill();
    server.loseStore();
    await server.start();
    await waitUntil(() => answers(kept), 'the register answers without its store');
    assert.deepEqual(await kept.read(), { value: undefined, revision: 0 });
  });

  it('refuses within 2 s while the server hangs', async () => {
    const kept = register(links[0], 'hanging');
    const revision = (await kept.write('1', 0))!;
    const ms = await shortest(2_000, async () => {
      await server.freeze();
      const tookMs = await elapsedMs(() =>
        Promise.all([assert.rejects(kept.read(), unavailable), assert.rejects(kept.write('2', revision), unavailable)]),
      );
      server.thaw();
      await waitUntil(() => answers(kept), 'the register answers again');
      return tookMs;
    });
    assert.ok(ms < 2_000, `${ms} ms`);
  });
});
