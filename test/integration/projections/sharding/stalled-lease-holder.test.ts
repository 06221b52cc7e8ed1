import assert from 'node:assert/strict';
import { MongoReadModelStore } from '../../../../src/read-models/adapters/mongodb/read-model-store.js';
import { FENCING_CHECKPOINT } from '../../../../src/projections/sharding/fenced-store.js';
import { ShardStore } from '../../../../src/read-models/sharding/shard-store.js';
import { spansReceived } from '../../../unit/projections/engine/support/requests.js';
import { until } from '../../../unit/projections/engine/support/until.js';
import { MongoServer } from '../../../support/mongodb-server/mongodb-server.js';
import { ProjectorProcesses } from '../../../unit/projections/sharding/support/projector-processes.js';

describe('a stalled lease holder, over MongoDB (server double)', () => {
  let server: MongoServer;
  let store: MongoReadModelStore;
  let processes: ProjectorProcesses;

  beforeEach(async () => {
    server = await MongoServer.start();
    store = new MongoReadModelStore(server.url);
    processes = new ProjectorProcesses(2, store);
  });
  afterEach(async () => {
    server.heal();
    await processes.stop();
    await store.close();
    await server.stop();
  });

  const send = (span: number) =>
    processes.log.append(spansReceived([{ trace: 1, span, start: processes.log.now + span }], `grid-${span % 6}`));
  const tenures = () =>
    Promise.all([0, 1].map((shard) => new ShardStore(store, shard).readCheckpoint(FENCING_CHECKPOINT)));

  it('is rejected when its commit arrives after its lease has expired, and the successor has lost and doubled nothing', async () => {
    const slow = await processes.join();
    for (let span = 0; span < 6; span++) await send(span);
    await processes.settle();
    slow.store.stall();
    for (let span = 6; span < 12; span++) await send(span);
    await until(() => Promise.resolve(slow.store.waiting > 0));
    processes.stall(slow);
    const other = await processes.join();
    await processes.settle();
    const taken = await tenures();
    await processes.resume(slow);
    await until(() => Promise.resolve(slow.store.waiting === 0));
    for (let span = 12; span < 18; span++) await send(span);
    await processes.settle();
    assert.ok(taken.every((token) => token !== undefined));
    assert.deepEqual(await processes.digests(), await processes.expectedDigests());
    assert.equal(other.reported.length, 1, 'the slow one has its part again');
  });

  it('is rejected in the middle of its transaction when another one took over meanwhile', async () => {
    const slow = await processes.join();
    await send(0);
    await processes.settle();
    server.fail({ command: 'commitTransaction', kind: 'drop-before', times: 3 });
    await send(1);
    slow.leases.isDisconnected = true;
    await processes.join();
    for (let span = 2; span < 8; span++) await send(span);
    await processes.settle();
    await until(() => Promise.resolve(slow.reported.length < 2));
    assert.deepEqual(await processes.digests(), await processes.expectedDigests());
  });
});
