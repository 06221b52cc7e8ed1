import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { accessProjection } from '../../../../src/projections/access-projection.js';
import {
  abandonVersion,
  beginVersion,
  readVersionStatus,
} from '../../../../src/projections/engine/projection-versions.js';
import { tracesProjection } from '../../../../src/projections/traces-projection.js';
import { PROJECTIONS, readActiveVersion } from '../../../../src/read-models/documents/projection-documents.js';
import type { ReadModelStore } from '../../../../src/read-models/read-model-store.js';
import { RETENTION_WITHDRAWALS_STREAM } from '../../../../src/streams/stream-names.js';
import { failSwap } from './support/failing-swap.js';
import { ProjectedLog } from './support/projected.js';
import { GRID, spansReceived } from './support/requests.js';
import { slowed, type Slowness } from './support/slowed-rebuild.js';
import { STORAGES } from './support/storages.js';
import { until } from './support/until.js';

const quiet = (): void => undefined;
/** Collections of a version of traces, its checkpoint, and the state of its run. */
const REMOVALS = tracesProjection.contents(2).length + 4;

for (const storage of STORAGES)
  describe(`an interrupted rebuild over ${storage.name}`, () => {
    let log: ProjectedLog;
    let slow: Slowness;

    beforeEach(() => {
      log = new ProjectedLog(undefined, { graceMs: 0 }, storage);
      slow = slowed(log.store);
    });
    afterEach(() => log.remove());

    async function send(from: number, to: number): Promise<void> {
      for (let i = from; i < to; i++) await log.append(spansReceived([{ trace: i, span: i, start: log.now + i }]));
    }
    const readBuilding = async () => (await log.store.get(PROJECTIONS, 'traces'))?.building;

    /** Leaves a version 2 that lacks the switch alone. */
    async function leaveUnfinished(): Promise<void> {
      const projector = await log.settle();
      const mend = failSwap(log.store);
      await assert.rejects(projector.rebuild('traces', quiet), /the disk is full/);
      mend();
      assert.equal((await readBuilding())?.version, 2);
    }

    /** Stops in the middle of a rebuild, and starts again: the rebuild continues, and hangs at its next commit. */
    async function restartInTheMiddle(): Promise<void> {
      for (let i = 0; i < 4; i++) {
        await send(i * 10, i * 10 + 10);
        await log.expire(log.now + 1_000_000 + i); // marks part commits
      }
      slow.commitsUntilHang = 3;
      const interrupted = assert.rejects((await log.settle()).rebuild('traces', quiet));
      await until(() => Promise.resolve(slow.hangs));
      const stopping = log.stop();
      slow.release();
      await Promise.all([stopping, interrupted]);
      [slow.hangs, slow.commitsUntilHang] = [false, 1];
      await log.start();
      await until(() => Promise.resolve(slow.hangs));
    }

    it('is never continued once its removal has begun, wherever that was interrupted', async () => {
      await send(0, 20);
      for (let removal = 1; removal <= REMOVALS; removal++) {
        await leaveUnfinished();
        const fault = failRemoval(log.store, removal);
        await assert.rejects(log.projector!.rebuild('traces', quiet, { fresh: true }), /the disk is full/);
        fault.mend();
        await log.restart();
        await until(async () => (await readBuilding()) === undefined);
        assert.equal(await readActiveVersion(log.store, 'traces'), 1, `after removal ${removal}`);
        assert.equal((await log.spans()).length, 20, `after removal ${removal}`);
        for (const { collection } of tracesProjection.contents(2))
          assert.equal(await log.store.count(collection), 0, `${collection.name} after removal ${removal}`);
        assert.equal(await log.store.readCheckpoint('traces.v2'), undefined);
      }
      assert.equal((await log.projector!.rebuild('traces', quiet)).former?.equal, true);
    });

    it('is not continued by an older release after a newer one has begun to remove it', async () => {
      const older = { ...accessProjection, schema: accessProjection.schema - 1 };
      await log.settle();
      await beginVersion(older, log.store);
      assert.ok('building' in (await readVersionStatus(older, log.store)));
      const fault = failRemoval(log.store, 1);
      await assert.rejects(beginVersion(accessProjection, log.store), /the disk is full/);
      fault.mend();
      assert.ok(!('building' in (await readVersionStatus(older, log.store))));
      assert.equal((await beginVersion(older, log.store)).version, 3);
      await abandonVersion(older, log.store);
    });

    it('that continues after a restart gives way to one from the first event', async () => {
      await restartInTheMiddle();
      const withdrawn = { gridId: GRID, before: 0, actor: 'operator', at: log.now };
      await log.events.append(RETENTION_WITHDRAWALS_STREAM, 'any', [
        { id: randomUUID(), type: 'RetentionMarkWithdrawn.v1', data: withdrawn },
      ]);
      const progress: number[] = [];
      const rebuilt = log.projector!.rebuild('traces', ({ done }) => progress.push(done), { fresh: true });
      slow.release();
      const { events } = await rebuilt;
      assert.deepEqual([progress[0], progress.at(-1)], [0, events]);
      assert.equal((await log.spans()).length, 40, 'all that the watermark had expired');
      assert.deepEqual(await log.projector!.check(), { ok: true }, 'what was stopped has not failed');
    });

    it('that continues after a restart is completed by who asks for a rebuild, from where it was', async () => {
      await restartInTheMiddle();
      const progress: number[] = [];
      const rebuilt = log.projector!.rebuild('traces', ({ done }) => progress.push(done));
      slow.release();
      const { events } = await rebuilt;
      assert.ok(progress[0] > 0 && progress[0] < events, `${progress[0]} of ${events}`);
      assert.equal(await readActiveVersion(log.store, 'traces'), 2);
      assert.deepEqual(await log.projector!.check(), { ok: true });
      assert.ok((await (await log.settle()).verify('traces')).equal);
    });

    it('is taken over by one caller: another is refused meanwhile', async () => {
      await restartInTheMiddle();
      const both = Promise.allSettled([
        log.projector!.rebuild('traces', quiet, { fresh: true }),
        log.projector!.rebuild('traces', quiet, { fresh: true }),
      ]);
      slow.release();
      const outcomes = await both;
      assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
      const refused = outcomes.find(({ status }) => status === 'rejected') as PromiseRejectedResult;
      assert.match(String(refused.reason), /already being rebuilt/);
    });
  });

/** Lets the removal number `at` (from 1) fail, and every one after it. */
function failRemoval(store: ReadModelStore, at: number): { mend(): void } {
  const [dropCollection, dropCheckpoint] = [store.dropCollection.bind(store), store.dropCheckpoint.bind(store)];
  let removals = 0;
  const assertSpace = (): void => {
    if (++removals >= at) throw new Error('the disk is full');
  };
  store.dropCollection = async (collection) => {
    assertSpace();
    await dropCollection(collection);
  };
  store.dropCheckpoint = async (name) => {
    assertSpace();
    await dropCheckpoint(name);
  };
  return { mend: () => Object.assign(store, { dropCollection, dropCheckpoint }) };
}
