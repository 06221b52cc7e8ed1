import assert from 'node:assert/strict';
import { MongoReadModelStore } from '../../../../src/read-models/adapters/mongodb/read-model-store.js';
import { FENCING_CHECKPOINT } from '../../../../src/projections/sharding/fenced-store.js';
import { ShardStore } from '../../../../src/read-models/sharding/shard-store.js';
import { spansReceived } from '../../../unit/projections/engine/support/requests.js';
import { until } from '../../../unit/projections/engine/support/until.js';
import { MongoServer } from '../../../support/mongodb-server/mongodb-server.js';
import { Hosts } from '../../../unit/projections/sharding/support/hosts.js';

describe('a stalled lease holder, over MongoDB (server double)', () => {
  let server: MongoServer;
  let store: MongoReadModelStore;
  let hosts: Hosts;

  beforeEach(async () => {
    server = await MongoServer.start();
    store = new MongoReadModelStore(server.url);
    hosts = new Hosts(2, store);
  });
  afterEach(async () => {
    server.heal();
    await hosts.stop();
    await store.close();
    await server.stop();
  });

  const send = (span: number) =>
    hosts.log.append(spansReceived([{ trace: 1, span, start: hosts.log.now + span }], `grid-${span % 6}`));
  const tenures = () =>
    Promise.all([0, 1].map((share) => new ShardStore(store, share).readCheckpoint(FENCING_CHECKPOINT)));

  it('is rejected when its commit arrives after its lease has expired, and the successor has lost and doubled nothing', async () => {
    const slow = await hosts.join();
    for (let span = 0; span < 6; span++) await send(span);
    await hosts.settle();
    slow.store.stall();
    for (let span = 6; span < 12; span++) await send(span);
    await until(() => Promise.resolve(slow.store.waiting > 0));
    hosts.stall(slow);
    const other = await hosts.join();
    await hosts.settle();
    const taken = await tenures();
    await hosts.resume(slow);
    await until(() => Promise.resolve(slow.store.waiting === 0));
    for (let span = 12; span < 18; span++) await send(span);
    await hosts.settle();
    assert.ok(taken.every((token) => token !== undefined));
    assert.deepEqual(await hosts.digests(), await hosts.expectedDigests());
    assert.equal(other.told.length, 1, 'the slow one has its part again');
  });

  it('is rejected in the middle of its transaction when another one took over meanwhile', async () => {
    const slow = await hosts.join();
    await send(0);
    await hosts.settle();
    server.fail({ command: 'commitTransaction', kind: 'drop-before', times: 3 });
    await send(1);
    slow.leases.isDeaf = true;
    await hosts.join();
    for (let span = 2; span < 8; span++) await send(span);
    await hosts.settle();
    await until(() => Promise.resolve(slow.told.length < 2));
    assert.deepEqual(await hosts.digests(), await hosts.expectedDigests());
  });
});
