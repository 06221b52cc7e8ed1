import assert from 'node:assert/strict';
import { activeVersion, PROJECTIONS } from '../../src/read-models/projections.js';
import { spanCollections } from '../../src/read-models/spans.js';
import type { Progress } from '../../src/projections/replay.js';
import { MemoryReadModelStore } from '../../src/read-models/adapters/memory/read-model-store.js';
import type { Change, Checkpoint, CommitResult } from '../../src/read-models/store.js';
import { spansReceived, logsReceived } from './support/requests.js';
import { ProjectedLog } from './support/projected.js';
import { until } from './support/until.js';

const quiet = (): void => undefined;

describe('rebuild', () => {
  let log: ProjectedLog;
  let store: SlowStore;

  beforeEach(() => {
    store = new SlowStore();
    log = new ProjectedLog(store, { graceMs: 0 });
  });
  afterEach(() => log.stop());

  async function send(from: number, to: number): Promise<void> {
    for (let i = from; i < to; i++) {
      await log.append(spansReceived([{ trace: i, span: i, start: log.now + i }]));
      if (i % 5 === 0) await log.append(logsReceived([{ time: log.now + i, body: `${i}` }]));
    }
  }

  it('gives the same read model under the next version', async () => {
    await send(0, 20);
    const before = await log.digests();
    const projector = await log.settle();
    for (const name of ['access', 'traces', 'logs']) {
      const rebuilt = await projector.rebuild(name, quiet);
      assert.equal(rebuilt.projection, name);
      assert.equal(await activeVersion(log.store, name), 2);
    }
    assert.deepEqual(await log.digests(), before);
    assert.equal((await log.spans()).length, 20);
  });

  it('lets ingest, projections and queries go on, and loses nothing at the swap', async () => {
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

  it('tells how far it is, up to all of it', async () => {
    await send(0, 10);
    const told: Progress[] = [];
    const projector = await log.settle();
    const { events } = await projector.rebuild('traces', (progress) => told.push(progress));
    assert.equal(events, 12);
    assert.deepEqual(told.at(-1), { projection: 'traces', done: 12, total: 12 });
    assert.deepEqual(told.map(({ done }) => done), told.map(({ done }) => done).sort((a, b) => a - b));
  });

  it('removes the former version after the swap, not before', async () => {
    await send(0, 5);
    const projector = await log.settle();
    await projector.rebuild('traces', quiet);
    await until(async () => (await log.store.count(spanCollections(1).blocks)) === 0);
    assert.equal((await log.spans()).length, 5);
    assert.deepEqual(await log.store.get(PROJECTIONS, 'traces'), { active: 2, schema: 1 });
  });

  it('removes it at the next start where it had no time to', async () => {
    log = new ProjectedLog(store, { graceMs: 60_000 });
    await send(0, 5);
    await (await log.settle()).rebuild('traces', quiet);
    assert.ok((await log.store.count(spanCollections(1).blocks)) > 0);
    await log.restart();
    assert.equal(await log.store.count(spanCollections(1).blocks), 0);
    assert.equal((await log.spans()).length, 5);
  });

  it('goes on after a restart where it stopped', async () => {
    for (let i = 0; i < 4; i++) {
      await send(i * 10, i * 10 + 10);
      await log.expire(log.now - 1_000_000 + i); // marks part commits
    }
    const projector = await log.settle();
    store.commitsUntilHang = 3;
    const interrupted = assert.rejects(projector.rebuild('traces', quiet));
    await until(() => Promise.resolve(store.hangs));
    const stopping = log.stop();
    store.release();
    await Promise.all([stopping, interrupted]);
    const checkpoint = await store.checkpoint('traces.v2');
    await log.restart();
    await until(async () => (await activeVersion(log.store, 'traces')) === 2);
    assert.ok(checkpoint !== undefined);
    assert.ok((await (await log.settle()).verify('traces')).equal);
    assert.equal((await log.spans()).length, 40);
  });

  it('lets who waits for a position pass over the swap', async () => {
    await send(0, 3);
    const projector = await log.settle();
    store.commitsUntilHang = 1;
    const rebuilding = projector.rebuild('traces', quiet);
    await until(() => Promise.resolve(store.hangs));
    const position = await log.append(spansReceived([{ trace: 9, span: 9, start: log.now }]));
    const arrived = projector.whenAt('traces', position, 10_000);
    store.release();
    await rebuilding;
    assert.equal(await arrived, true);
  });

  it('knows repetitions afterwards as before', async () => {
    const first = log.now;
    await log.append(spansReceived([{ trace: 1, span: 1, start: first }]));
    await (await log.settle()).rebuild('traces', quiet);
    await log.append(spansReceived([{ trace: 1, span: 1, start: first + 1 }]));
    await log.settle();
    assert.deepEqual(await log.spans(), [`1/1@${first}`]);
  });

  it('is refused while one is under way, and for what is no projection', async () => {
    const projector = await log.settle();
    const first = projector.rebuild('logs', quiet);
    await assert.rejects(projector.rebuild('logs', quiet), { code: 'conflict' });
    await first;
    await assert.rejects(projector.rebuild('weather', quiet), { code: 'not-found' });
  });
});

/** Hangs at a commit of the version being built, until it is released. */
class SlowStore extends MemoryReadModelStore {
  commitsUntilHang = Infinity;
  hangs = false;
  release: () => void = quiet;

  override async commit(changes: readonly Change[], checkpoints: readonly Checkpoint[]): Promise<CommitResult> {
    const isBuilding = checkpoints.some(({ projection }) => projection === 'traces.v2');
    if (isBuilding && --this.commitsUntilHang === 0) await this.hang();
    return super.commit(changes, checkpoints);
  }

  private hang(): Promise<void> {
    this.hangs = true;
    return new Promise((resolve) => (this.release = resolve));
  }
}
