import assert from 'node:assert/strict';
import { MemoryReadModelStore } from '../../../../src/read-models/adapters/memory/read-model-store.js';
import type { ReadModelStore } from '../../../../src/read-models/read-model-store.js';
import { ProjectedLog } from './support/projected.js';
import { spansReceived } from './support/requests.js';
import { STORAGES } from './support/storages.js';
import { until } from './support/until.js';

for (const storage of STORAGES)
  describe(`verification over ${storage.name}`, () => {
    let log: ProjectedLog;
    let scratch: WatchedScratch;

    beforeEach(async () => {
      scratch = new WatchedScratch();
      log = new ProjectedLog(undefined, { scratch: () => scratch.open() }, storage);
      for (let i = 0; i < 3; i++) {
        await log.append(spansReceived([{ trace: i, span: i, start: log.now }]));
        await log.settle();
      }
    });
    afterEach(() => log.remove());

    it('ends with the projector while it replays, and closes its store before that', async () => {
      scratch.fails = true;
      const projector = await log.settle();
      const verified = assert.rejects(projector.verify('traces'), { code: 'unavailable' });
      await until(() => Promise.resolve(scratch.refused > 0));
      await log.stop();
      assert.equal(scratch.closed, 1);
      await verified;
    });

    it('ends with the projector while it adds up the live blocks, and opens no store', async () => {
      const projector = await log.settle();
      const { readBlob: blob } = log.store;
      let stopping: Promise<void> | undefined;
      log.store.readBlob = (...asked) => {
        stopping ??= log.stop();
        return blob.apply(log.store, asked);
      };
      await assert.rejects(projector.verify('traces'), { code: 'unavailable' });
      await stopping;
      assert.equal(scratch.opened, 0);
    });

    it('ends with the projector while it waits for an idle moment', async () => {
      const projector = await log.settle();
      const { commit } = log.store;
      const release: (() => void)[] = [];
      log.store.commit = async (...args) => {
        await new Promise<void>((resolve) => release.push(resolve));
        return commit.apply(log.store, args);
      };
      await log.append(spansReceived([{ trace: 9, span: 9, start: log.now }]));
      await until(() => Promise.resolve(release.length > 0));
      const verified = assert.rejects(projector.verify('traces'), { code: 'unavailable' });
      const stopping = log.stop();
      release.forEach((go) => go());
      await Promise.all([stopping, verified]);
      assert.equal(scratch.opened, 0);
    });

    it('is rejected when the projector has stopped, as are digest and rebuild', async () => {
      const projector = await log.settle();
      await log.stop();
      for (const work of [
        projector.verify('traces'),
        projector.digest('traces'),
        projector.rebuild('traces', () => undefined),
      ]) {
        await assert.rejects(work, { code: 'unavailable' });
      }
      assert.equal(scratch.opened, 0);
    });

    it('closes its store when it succeeds', async () => {
      assert.ok((await (await log.settle()).verify('traces')).equal);
      assert.deepEqual([scratch.opened, scratch.closed], [1, 1]);
    });
  });

/** Makes scratch stores that may refuse every commit. */
class WatchedScratch {
  fails = false;
  refused = 0;
  opened = 0;
  closed = 0;

  open(): ReadModelStore {
    this.opened++;
    const store = new MemoryReadModelStore();
    const commit = store.commit.bind(store);
    const close = store.close.bind(store);
    store.commit = (...args) => {
      if (!this.fails) return commit(...args);
      this.refused++;
      return Promise.reject(new Error('disk full'));
    };
    store.close = () => {
      this.closed++;
      return close();
    };
    return store;
  }
}
