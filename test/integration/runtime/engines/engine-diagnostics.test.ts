import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { diagnoseEngines, type EngineFinding } from '../../../../src/runtime/engines/engine-diagnostics.js';
import { readSettings } from '../../../../src/config/settings.js';
import { EventStoreDbEventStore } from '../../../../src/streams/adapters/eventstoredb/eventstoredb-event-store.js';
import type { NewEvent } from '../../../../src/streams/event-store.js';
import { EventStoreDbServerDouble, type ServerDoubleOptions } from '../../../support/eventstoredb-server/server.js';
import { MongoServer } from '../../../support/mongodb-server/mongodb-server.js';
import { HAS_NATS, NATS_NEEDS, NatsServer } from '../../../support/nats-server.js';

const DAY_MS = 86_400_000;
const event = (): NewEvent => ({ id: randomUUID(), type: 'ThingHappened.v1', data: {}, body: new Uint8Array(10) });

describe('engine diagnostics', function () {
  this.timeout(20_000);
  const closers: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
  });

  async function eventStore(options: ServerDoubleOptions = {}): Promise<EventStoreDbServerDouble> {
    const server = await new EventStoreDbServerDouble(options).start();
    closers.push(() => server.stop());
    return server;
  }

  async function mongo(options: Parameters<typeof MongoServer.start>[0] = {}): Promise<MongoServer> {
    const server = await MongoServer.start(options);
    closers.push(() => server.stop());
    return server;
  }

  const look = (environment: Record<string, string>): Promise<EngineFinding[]> =>
    diagnoseEngines(readSettings({ DATA_DIR: '/nowhere', ...environment }));
  const found = (findings: readonly EngineFinding[], check: string): EngineFinding => {
    const finding = findings.find((each) => each.check === check);
    assert.ok(finding, `${check} is not among ${findings.map((each) => each.check).join(', ')}`);
    return finding;
  };
  const faults = (findings: readonly EngineFinding[]): string[] =>
    findings.filter(({ ok }) => !ok).map(({ check }) => check);

  it('are empty with embedded engines', async () => {
    assert.deepEqual(await look({}), []);
  });

  it('report versions, topology and clocks in sync', async () => {
    const findings = await look({
      EVENT_STORE_URL: (await eventStore()).url,
      READ_STORE_URL: (await mongo({ members: 3 })).url,
    });
    assert.deepEqual(faults(findings), []);
    assert.deepEqual(
      findings.map(({ check, detail }) => `${check}: ${detail}`),
      [
        'EventStoreDB: version 23.10.0',
        'EventStoreDB, reading: the whole log can be read',
        'EventStoreDB, clock: in sync',
        'MongoDB: version with protocol 21, replica set rs',
        'MongoDB, writing: collections can be created, written and removed',
        'MongoDB, clock: in sync',
      ],
    );
  });

  it('leave nothing behind', async () => {
    const server = await mongo();
    await look({ READ_STORE_URL: server.url });
    const made = server.received.flatMap(({ create }) => (create === undefined ? [] : [create]));
    const removed = server.received.flatMap(({ drop }) => (drop === undefined ? [] : [drop]));
    assert.equal(made.length, 1);
    assert.deepEqual(removed, made);
  });

  it('report an event log that is too old or not fully readable', async () => {
    const old = await look({ EVENT_STORE_URL: (await eventStore({ version: '21.10.2' })).url });
    assert.deepEqual(faults(old), ['EventStoreDB']);
    assert.match(found(old, 'EventStoreDB').remedy ?? '', /22\.6/);
    const server = await eventStore({ version: '25.0.1' });
    server.faults.always('read', { kind: 'access-denied' });
    const closed = await look({ EVENT_STORE_URL: server.url });
    assert.deepEqual(faults(closed), ['EventStoreDB, reading']);
    assert.match(found(closed, 'EventStoreDB, reading').remedy ?? '', /\$all/);
  });

  it('report expired telemetry that no scavenge has removed', async () => {
    let now = Date.now() - 30 * DAY_MS;
    const server = await eventStore({ clock: () => now });
    const log = new EventStoreDbEventStore({ url: server.url });
    closers.push(() => log.close());
    const firstDay = new Date(now).toISOString().slice(0, 10);
    for (; now < Date.now() - DAY_MS / 2; now += DAY_MS) await log.append('telemetry.00-a', 'any', [event()]);
    const diskSpace = async (): Promise<EngineFinding | undefined> =>
      (await look({ EVENT_STORE_URL: server.url })).find(({ check }) => check === 'EventStoreDB, disk space');
    assert.equal(await diskSpace(), undefined);
    await log.truncate('telemetry.00-a', Date.now() - 25.5 * DAY_MS);
    const { ok, detail } = (await diskSpace())!;
    assert.ok(ok && detail.startsWith(`expired telemetry, from ${firstDay} on, still takes up disk space`), detail);
    server.log.scavenge();
    assert.equal(await diskSpace(), undefined);
  });

  it('report a MongoDB that is too old, standalone, not writable, or has another clock', async () => {
    const old = await look({ READ_STORE_URL: (await mongo({ wireVersion: 9 })).url });
    assert.match(found(old, 'MongoDB').detail, /5\.0 or later is required/);
    assert.deepEqual(faults(await look({ READ_STORE_URL: (await mongo({ members: 0 })).url })), ['MongoDB']);
    const server = await mongo({ aheadMs: -60_000 });
    server.fail({ command: 'create', kind: { error: 'Unauthorized' } });
    const findings = await look({ READ_STORE_URL: server.url });
    assert.deepEqual(faults(findings), ['MongoDB, writing', 'MongoDB, clock']);
    assert.match(found(findings, 'MongoDB, clock').detail, /^60\.\d s behind this machine$/);
  });

  it('report unreachable engines with their setting, without passwords', async () => {
    const findings = await look({
      EVENT_STORE_URL: 'esdb://admin:s3cret-word@127.0.0.1:9?tls=false&maxDiscoverAttempts=1',
      READ_STORE_URL: 'mongodb://admin:s3cret-word@127.0.0.1:9/',
      NATS_URL: 'nats://admin:s3cret-word@127.0.0.1:9',
    });
    assert.deepEqual(faults(findings), ['EventStoreDB', 'MongoDB', 'NATS']);
    for (const setting of ['EVENT_STORE_URL', 'READ_STORE_URL', 'NATS_URL'])
      assert.ok(findings.some(({ remedy }) => remedy?.includes(setting)));
    assert.ok(!JSON.stringify(findings).includes('s3cret'));
  });

  describe(`NATS${NATS_NEEDS}`, () => {
    before(function () {
      if (!HAS_NATS) this.skip();
    });

    it('reports its version, and that JetStream stores leases', async () => {
      const server = await NatsServer.start();
      closers.push(() => server.dispose());
      const findings = await look({ NATS_URL: server.url });
      assert.deepEqual(faults(findings), []);
      assert.match(found(findings, 'NATS').detail, /^version \d+\.\d+\.\d+\S*, answers in \d+ ms$/);
    });

    it('reports a server without JetStream', async () => {
      const server = await NatsServer.startWithoutJetStream();
      closers.push(() => server.dispose());
      const findings = await look({ NATS_URL: server.url });
      assert.deepEqual(faults(findings), ['NATS, JetStream']);
      assert.match(found(findings, 'NATS, JetStream').remedy ?? '', /-js/);
    });
  });
});
