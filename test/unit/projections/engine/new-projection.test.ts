import assert from 'node:assert/strict';
import { metricsProjection } from '../../../../src/projections/metrics-projection.js';
import { readActiveVersion, PROJECTIONS } from '../../../../src/read-models/documents/projection-documents.js';
import { metricRollupCollections } from '../../../../src/read-models/documents/rollup-documents.js';
import { logsReceived, metricsReceived, spansReceived } from './support/requests.js';
import { ProjectedLog } from './support/projected.js';
import { STORAGES } from './support/storages.js';
import { until } from './support/until.js';

for (const storage of STORAGES)
  describe(`a projection that is new beside others, over ${storage.name}`, () => {
    let log: ProjectedLog;

    beforeEach(() => {
      log = new ProjectedLog(undefined, { graceMs: 0 }, storage);
    });
    afterEach(() => log.remove());

    async function send(from: number, to: number): Promise<void> {
      for (let i = from; i < to; i++) {
        await log.append(metricsReceived([{ time: log.now + i * 60_000, value: i, kind: 'sum' }]));
        await log.append(spansReceived([{ trace: i, span: i, start: log.now }]));
        await log.append(logsReceived([{ time: log.now, body: `${i}` }]));
      }
    }

    /** A store that the release before the projection left. */
    async function forgetMetrics(): Promise<void> {
      await log.stop();
      await log.store.commit([{ kind: 'delete', collection: PROJECTIONS, id: metricsProjection.name }], []);
      for (const { collection } of metricsProjection.contents(1)) await log.store.dropCollection(collection);
      await log.store.dropCheckpoint('metrics.v1');
    }

    const minutes = async () =>
      log.store.count(
        metricRollupCollections((await readActiveVersion(log.store, metricsProjection.name)) ?? 0).minutes,
      );
    const isBuilt = () => until(async () => (await readActiveVersion(log.store, metricsProjection.name)) === 1);

    it('is built from the beginning of the log, while the others go on', async () => {
      await send(0, 5);
      const before = await log.digests();
      await forgetMetrics();
      const projector = await log.start();
      await isBuilt();
      await projector.waitForPosition('metrics', await log.events.head(), 10_000);
      assert.deepEqual(await log.digests(), before);
      await send(5, 7);
      await log.settle();
      assert.equal(await minutes(), 7);
      assert.equal((await log.spans()).length, 7);
      for (const name of await projector.projections()) assert.ok((await projector.verify(name)).equal, name);
    });

    it('misses nothing that arrives meanwhile', async () => {
      await send(0, 5);
      await log.settle();
      await forgetMetrics();
      await log.start();
      await send(5, 20);
      await isBuilt();
      const projector = await log.settle();
      assert.equal(await minutes(), 20);
      assert.ok((await projector.verify('metrics')).equal);
    });

    it('continues after a restart where it stopped', async () => {
      await send(0, 5);
      await log.settle();
      await forgetMetrics();
      await log.start();
      await log.stop();
      await log.start();
      await isBuilt();
      const projector = await log.settle();
      assert.equal(await minutes(), 5);
      assert.ok((await projector.verify('metrics')).equal);
    });
  });
