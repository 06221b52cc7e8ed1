import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readActiveVersion, PROJECTIONS } from '../../../../src/read-models/documents/projection-documents.js';
import { spanCollections, TRACES_VERSION } from '../../../../src/read-models/documents/block-documents.js';
import type { Progress } from '../../../../src/projections/engine/projection-replay.js';
import { gridStream, telemetryStream, RETENTION_WITHDRAWALS_STREAM } from '../../../../src/streams/stream-names.js';
import { failSwap } from './support/failing-swap.js';
import { GRID, logsReceived, spansReceived } from './support/requests.js';
import { ProjectedLog } from './support/projected.js';
import { slowed, type Slowness } from './support/slowed-rebuild.js';
import { STORAGES } from './support/storages.js';
import { until } from './support/until.js';

const HOUR = 3_600_000;
const quiet = (): void => undefined;

for (const storage of STORAGES)
  describe(`rebuild over ${storage.name}`, () => {
    let log: ProjectedLog;
    let slow: Slowness;

    beforeEach(() => {
      log = new ProjectedLog(undefined, { graceMs: 0 }, storage);
      slow = slowed(log.store);
    });
    afterEach(() => log.remove());

    async function send(from: number, to: number): Promise<void> {
      for (let i = from; i < to; i++) {
        await log.append(spansReceived([{ trace: i, span: i, start: log.now + i }]));
        if (i % 5 === 0) await log.append(logsReceived([{ time: log.now + i, body: `${i}` }]));
      }
    }

    const createGrid = () => {
      const data = { actor: 'owner', at: log.now, gridId: GRID, name: 'shop' };
      return log.events.append(gridStream(GRID), 'any', [{ id: randomUUID(), type: 'GridCreated.v1', data }]);
    };

    it('creates the same read model under the next version', async () => {
      await send(0, 20);
      const before = await log.digests();
      const projector = await log.settle();
      for (const name of ['access', 'traces', 'logs']) {
        const rebuilt = await projector.rebuild(name, quiet);
        assert.equal(rebuilt.projection, name);
        assert.equal(await readActiveVersion(log.store, name), 2);
      }
      assert.deepEqual(await log.digests(), before);
      assert.equal((await log.spans()).length, 20);
    });

    it('verifies that it equals the former version, at the position of the switch', async () => {
      await send(0, 20);
      const before = await log.digests();
      const projector = await log.settle();
      for (const name of ['access', 'traces', 'logs']) {
        const { digest, former, position, parked } = await projector.rebuild(name, quiet);
        assert.equal(digest, before[name]);
        assert.deepEqual(former, { digest, equal: true, differences: [] });
        assert.equal(position, await projector.position(name));
        assert.equal(parked, 0);
      }
    });

    it('switches also if the versions differ, and names the collections', async () => {
      await send(0, 20);
      const projector = await log.settle();
      const { blocks } = spanCollections(1);
      const [{ id }] = await log.store.find(blocks, {});
      await log.store.commit([{ kind: 'delete', collection: blocks, id }], []);
      const { former, digest } = await projector.rebuild('traces', quiet);
      assert.ok(former !== undefined && former.digest !== digest);
      assert.deepEqual([former.equal, former.differences], [false, ['span-blocks']]);
      assert.equal((await log.spans()).length, 20);
      assert.equal((await projector.rebuild('traces', quiet)).former?.equal, true);
    });

    it('does not compare with another schema', async () => {
      await send(0, 5);
      await log.stop();
      await log.store.commit(
        [{ kind: 'put', collection: PROJECTIONS, id: 'logs', document: { active: 1, schema: 0 } }],
        [],
      );
      const projector = await log.start();
      await until(async () => (await readActiveVersion(log.store, 'logs')) === 2);
      assert.ok((await projector.verify('logs')).equal);
      assert.equal((await projector.rebuild('logs', quiet)).former?.equal, true);
    });

    it('continues with the memory of the rebuild: nothing is loaded at the switch', async () => {
      await send(0, 10);
      const projector = await log.settle();
      for (const name of ['traces', 'logs', 'traces', 'metrics']) {
        const loaded: string[] = [];
        const find = log.store.find.bind(log.store);
        let swapped = false;
        const commit = log.store.commit.bind(log.store);
        log.store.commit = async (changes, checkpoints) => {
          const result = await commit(changes, checkpoints);
          if (
            changes.some(
              (change) =>
                change.kind === 'put' && change.collection.name === PROJECTIONS.name && 'obsolete' in change.document,
            )
          )
            swapped = true;
          return result;
        };
        log.store.find = (collection, query) => {
          if (swapped && /^(span|log)-blocks/.test(collection.name)) loaded.push(collection.name);
          return find(collection, query);
        };
        const { former } = await projector.rebuild(name, quiet);
        Object.assign(log.store, { find, commit });
        assert.equal(former?.equal, true);
        // The verification reads the former version once; a live run that restores would read the active one.
        const active = `.v${await readActiveVersion(log.store, name)}`;
        assert.deepEqual(
          loaded.filter((each) => each.endsWith(active)),
          [],
          name,
        );
        await send(100, 103);
        await log.append(spansReceived([{ trace: 3, span: 3, start: log.now + 3 }])); // a repetition
        await log.settle();
      }
      assert.equal((await log.spans()).length, 13);
      for (const name of ['traces', 'logs']) assert.ok((await projector.verify(name)).equal, name);
    });

    it('does not interrupt ingestion, projections and queries, and loses nothing at the switch', async () => {
      await send(0, 30);
      const projector = await log.settle();
      let counted = 30;
      let done = false;
      const rebuilding = projector.rebuild('traces', quiet).finally(() => (done = true));
      for (let i = 30; !done; i++) {
        await send(i, i + 1);
        const now = (await log.spans()).length;
        assert.ok(now >= counted, `${now} after ${counted}`);
        counted = now;
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
      await rebuilding;
      const verified = await (await log.settle()).verify('traces');
      assert.ok(verified.equal);
      assert.equal(new Set(await log.spans()).size, (await log.spans()).length);
    });

    it('reports its progress up to completion', async () => {
      await send(0, 10);
      const reported: Progress[] = [];
      const projector = await log.settle();
      const { events } = await projector.rebuild('traces', (progress) => reported.push(progress));
      assert.equal(events, 12);
      assert.deepEqual(reported.at(-1), { projection: 'traces', done: 12, total: 12 });
      assert.deepEqual(
        reported.map(({ done }) => done),
        reported.map(({ done }) => done).sort((a, b) => a - b),
      );
    });

    it('removes the former version after the switch, not before', async () => {
      await send(0, 5);
      const projector = await log.settle();
      await projector.rebuild('traces', quiet);
      await until(async () => (await log.store.get(PROJECTIONS, 'traces'))?.obsolete === undefined);
      assert.equal(await log.store.count(spanCollections(1).blocks), 0);
      assert.equal((await log.spans()).length, 5);
      assert.deepEqual(await log.store.get(PROJECTIONS, 'traces'), { active: 2, schema: TRACES_VERSION });
    });

    it('removes it at the next start if it could not do so before', async () => {
      await log.remove();
      log = new ProjectedLog(undefined, { graceMs: 60_000 }, storage);
      await send(0, 5);
      await (await log.settle()).rebuild('traces', quiet);
      assert.ok((await log.store.count(spanCollections(1).blocks)) > 0);
      await log.restart();
      await until(async () => (await log.store.count(spanCollections(1).blocks)) === 0);
      assert.equal((await log.spans()).length, 5);
    });

    it('starts only when the previous obsolete version is removed: only one can be pending', async () => {
      await log.remove();
      log = new ProjectedLog(undefined, { graceMs: 50 }, storage);
      await send(0, 5);
      const projector = await log.settle();
      await projector.rebuild('traces', quiet);
      await projector.rebuild('traces', quiet);
      assert.equal(await readActiveVersion(log.store, 'traces'), 3);
      assert.equal(await log.store.count(spanCollections(1).blocks), 0);
      await until(async () => (await log.store.count(spanCollections(2).blocks)) === 0);
      assert.equal((await log.spans()).length, 5);
    });

    it('continues after a restart where it stopped', async () => {
      for (let i = 0; i < 4; i++) {
        await send(i * 10, i * 10 + 10);
        await log.expire(log.now - 1_000_000 + i); // marks part commits
      }
      const projector = await log.settle();
      slow.commitsUntilHang = 3;
      const interrupted = assert.rejects(projector.rebuild('traces', quiet));
      await until(() => Promise.resolve(slow.hangs));
      const stopping = log.stop();
      slow.release();
      await Promise.all([stopping, interrupted]);
      const checkpoint = await log.store.readCheckpoint('traces.v2');
      await log.restart();
      await until(async () => (await readActiveVersion(log.store, 'traces')) === 2);
      assert.ok(checkpoint !== undefined);
      assert.ok((await (await log.settle()).verify('traces')).equal);
      assert.equal((await log.spans()).length, 40);
    });

    it('begins again if asked to, with what was appended since about earlier events', async () => {
      await send(0, 10);
      await log.expire(log.now + 1_000_000);
      await send(10, 20);
      const projector = await log.settle();
      const mend = failSwap(log.store);
      await assert.rejects(projector.rebuild('traces', quiet), /the disk is full/);
      mend();
      assert.ok((await log.store.get(PROJECTIONS, 'traces'))?.building !== undefined, 'unfinished');
      const withdrawn = { gridId: GRID, before: 0, actor: 'operator', at: log.now };
      await log.events.append(RETENTION_WITHDRAWALS_STREAM, 'any', [
        { id: randomUUID(), type: 'RetentionMarkWithdrawn.v1', data: withdrawn },
      ]);
      await projector.rebuild('traces', quiet, { fresh: true });
      assert.equal((await log.spans()).length, 20);
    });

    it('preserves waits for a position across the switch', async () => {
      await send(0, 3);
      const projector = await log.settle();
      slow.commitsUntilHang = 1;
      const rebuilding = projector.rebuild('traces', quiet);
      await until(() => Promise.resolve(slow.hangs));
      const position = await log.append(spansReceived([{ trace: 9, span: 9, start: log.now }]));
      const arrived = projector.waitForPosition('traces', position, 10_000);
      slow.release();
      await rebuilding;
      assert.equal(await arrived, true);
    });

    it('recognises repetitions afterwards as before', async () => {
      const first = log.now;
      await log.append(spansReceived([{ trace: 1, span: 1, start: first }]));
      await (await log.settle()).rebuild('traces', quiet);
      await log.append(spansReceived([{ trace: 1, span: 1, start: first + 1 }]));
      await log.settle();
      assert.deepEqual(await log.spans(), [`1/1@${first}`]);
    });

    for (const name of ['traces', 'logs']) {
      it(`lets the live run go on when the last telemetry before it was truncated: ${name}`, async () => {
        await send(0, 3);
        const projector = await log.settle();
        log.now += HOUR;
        await createGrid(); // the newest event of a log stays
        await log.events.truncate(telemetryStream(GRID), log.now);
        await projector.rebuild(name, quiet);
        await send(3, 4);
        await log.settle();
        await send(4, 5);
        await log.restart();
        const late = [3, 4].map((i) => `${i}/${i}@${log.now + i}`);
        assert.deepEqual(
          (await log.spans()).filter((each) => late.includes(each)),
          late,
        );
      });
    }

    it('is rejected while another one is running, and for an unknown projection', async () => {
      const projector = await log.settle();
      const first = projector.rebuild('logs', quiet);
      await assert.rejects(projector.rebuild('logs', quiet), { code: 'conflict' });
      await first;
      await assert.rejects(projector.rebuild('weather', quiet), { code: 'not-found' });
    });
  });
