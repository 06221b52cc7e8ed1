import assert from 'node:assert/strict';
import type { CommitReport } from '../../../../src/projections/engine/projector-types.js';
import { MemoryReadModelStore } from '../../../../src/read-models/adapters/memory/read-model-store.js';
import { LIVE_DEAD_LETTERS } from '../../../../src/read-models/documents/dead-letter-documents.js';
import { ShardStore } from '../../../../src/read-models/sharding/shard-store.js';
import type { DocumentChange, Checkpoint, CommitResult } from '../../../../src/read-models/read-model-store.js';
import { gridStream } from '../../../../src/streams/stream-names.js';
import { received, spansReceived } from '../engine/support/requests.js';
import { until } from '../engine/support/until.js';
import { hasReached, ProjectorProcesses } from './support/projector-processes.js';

const COUNT = 4;

describe('sharded projector', () => {
  let processes: ProjectorProcesses;

  beforeEach(() => {
    processes = new ProjectorProcesses(COUNT);
  });
  afterEach(() => processes.stop());

  /** A Grid of each shard. */
  const gridOf = (shard: number): string => {
    for (let n = 0; ; n++) if (processes.shardMap.shardFor(`grid-${n}`) === shard) return `grid-${n}`;
  };
  const send = (shard: number, span: number) =>
    processes.log.append(spansReceived([{ trace: 1, span, start: processes.log.now + span }], gridOf(shard)));
  const blocksOf = (shard: number) =>
    new ShardStore(processes.store, shard).count({ name: 'span-blocks.v1', indexes: [] });

  it('runs the projections of each owned shard, and with shard 0 those that are not sharded', async () => {
    const [first, second] = [await processes.join(), await processes.join()];
    await processes.settle();
    assert.deepEqual((await first.projector.projections()).sort(), [
      'access',
      'alerts',
      'audit',
      'charts',
      'error-groups',
      'incidents',
      'key-use',
      'logs/0',
      'logs/2',
      'metrics/0',
      'metrics/2',
      'notifications',
      'slos',
      'traces/0',
      'traces/2',
      'usage',
      'views',
    ]);
    assert.deepEqual((await second.projector.projections()).sort(), [
      'logs/1',
      'logs/3',
      'metrics/1',
      'metrics/3',
      'traces/1',
      'traces/3',
    ]);
    assert.deepEqual(
      [first.reported, second.reported],
      [
        [0, 2],
        [1, 3],
      ],
    );
    for (const { projector } of [first, second]) assert.deepEqual(await projector.check(), { ok: true });
  });

  it('stores the telemetry of a Grid in its shard only, and administrative data in the common collections', async () => {
    await processes.join();
    for (let shard = 0; shard < COUNT; shard++) await send(shard, 1);
    await send(2, 2);
    const gridId = gridOf(3);
    await processes.log.events.append(gridStream(gridId), 'none', [
      { id: 'created', type: 'GridCreated.v1', data: { actor: 'a', at: 1, gridId, name: 'shop' } },
    ]);
    await processes.settle();
    assert.deepEqual(await Promise.all([0, 1, 2, 3].map(blocksOf)), [1, 1, await blocksOf(2), 1]);
    assert.equal(await processes.store.count({ name: 'span-blocks.v1', indexes: [] }), 0);
    assert.equal((await processes.store.find({ name: 'grids.v1', indexes: [] }, {})).length, 1);
    assert.deepEqual(await processes.digests(), await processes.expectedDigests());
  });

  it('reports the shard of each commit, and uses sharded projection names', async () => {
    const commits: CommitReport[] = [];
    processes = new ProjectorProcesses(COUNT, undefined, { onProjected: (projected) => commits.push(projected) });
    const { projector } = await processes.join();
    const position = await send(3, 1);
    await processes.settle();
    assert.deepEqual(
      commits.filter(({ records }) => records.traces > 0).map(({ shard: shard, group }) => [shard, group]),
      [[3, 'telemetry']],
    );
    assert.equal(await projector.position('traces/3'), position);
    assert.deepEqual(
      [(await projector.verify('traces/3')).projection, (await projector.verify('traces/3')).equal],
      ['traces/3', true],
    );
    const progress: string[] = [];
    const rebuilt = await projector.rebuild('traces/3', ({ projection }) => progress.push(projection));
    assert.equal(rebuilt.projection, 'traces/3');
    assert.deepEqual([...new Set(progress)], ['traces/3']);
    assert.ok((await projector.verify('traces/3')).equal);
    assert.equal(await projector.vacuum(), 0);
  });

  it('rejects projections that it does not run, and lists those that it runs', async () => {
    const { projector } = await processes.join();
    await processes.settle();
    await assert.rejects(projector.position('traces'), {
      code: 'not-found',
      message: /no projection traces here: this process keeps access, .*traces\/0/,
    });
    await assert.rejects(projector.verify('traces/4'), { code: 'not-found' });
    await assert.rejects(
      projector.rebuild('nonsense', () => undefined),
      { code: 'not-found' },
    );
  });

  it('lists dead letters under sharded names, and their total number', async () => {
    const counts: number[] = [];
    processes = new ProjectorProcesses(COUNT, undefined, { onDeadLetterCount: (count) => counts.push(count) });
    const first = await processes.join();
    for (const shard of [1, 3])
      await processes.log.append(received(gridOf(shard), 'traces', 1, Uint8Array.of(0x0a, 0xff)));
    await processes.settle();
    await until(() => Promise.resolve(counts.at(-1) === 2));
    const deadLetters = await first.projector.listDeadLetters();
    assert.deepEqual(
      deadLetters.map(({ projection, lacking }) => [projection, lacking]),
      [
        ['telemetry/1', ['traces/1']],
        ['telemetry/3', ['traces/3']],
      ],
    );
    assert.equal((await processes.store.find(LIVE_DEAD_LETTERS, {})).length, 0);
    const { tried, left } = await first.projector.retryDeadLetters({ projection: 'traces/3' }, () => undefined);
    assert.deepEqual([tried.map(({ projection, folds }) => [projection, folds]), left], [[['telemetry/3', false]], 2]);
    assert.equal((await first.projector.retryDeadLetters({}, () => undefined)).tried.length, 2);
    await processes.join();
    await until(() => Promise.resolve(counts.at(-1) === 0 || counts.includes(1)));
  });

  it('stops a shard that it loses, and another process continues where it stopped', async () => {
    const first = await processes.join();
    for (let shard = 0; shard < COUNT; shard++) await send(shard, 1);
    await processes.settle();
    const second = await processes.join();
    assert.deepEqual(
      [first.reported, second.reported],
      [
        [0, 2],
        [1, 3],
      ],
    );
    for (let shard = 0; shard < COUNT; shard++) await send(shard, 2);
    await processes.settle();
    await processes.kill(first);
    for (let shard = 0; shard < COUNT; shard++) await send(shard, 3);
    await processes.settle();
    assert.deepEqual(second.reported, [0, 1, 2, 3]);
    assert.deepEqual(await processes.digests(), await processes.expectedDigests());
  });

  it('advances the checkpoint of an idle shard, so that its next owner reads nothing again', async () => {
    processes = new ProjectorProcesses(COUNT, undefined, { idleCheckpointIntervalMs: 0 });
    const first = await processes.join();
    for (let span = 0; span < 5; span++) await send(1, span);
    const head = await processes.log.events.head();
    const checkpointOf = (shard: number) => new ShardStore(processes.store, shard).readCheckpoint('traces.v1');
    await until(async () => (await Promise.all([0, 1, 2, 3].map(checkpointOf))).every((each) => each === head));
    const readFrom: string[] = [];
    const { events } = processes.log;
    const readAll = events.readAll.bind(events);
    events.readAll = (after, options) => (
      options.prefixes?.includes('telemetry.8') && readFrom.push(after),
      readAll(after, options)
    );
    await processes.join();
    await processes.kill(first);
    await processes.settle();
    assert.deepEqual([...new Set(readFrom)], [head]);
    assert.deepEqual(await processes.digests(), await processes.expectedDigests());
  });

  it('restarts a shard until its store responds, and is degraded meanwhile', async () => {
    const store = new FailingStore();
    processes = new ProjectorProcesses(COUNT, store);
    store.fails = true;
    const { projector, reported: commits } = await processes.join();
    await until(async () => /shard 1 is starting: away/.test(JSON.stringify(await projector.check())));
    assert.equal((await projector.check()).ok, true);
    await assert.rejects(projector.position('traces/1'), { code: 'unavailable', message: /Shard 1 is starting/ });
    assert.ok((await projector.projections()).includes('traces/1'), 'whoever asks for all is told that one is missing');
    store.fails = false;
    await processes.settle();
    assert.deepEqual([await projector.check(), commits], [{ ok: true }, [0, 1, 2, 3]]);
  });

  it('is as healthy as its leases', async () => {
    const { projector, leases } = await processes.join();
    await processes.settle();
    leases.health = { ok: false, reason: 'no lease is valid' };
    assert.deepEqual(await projector.check(), { ok: false, reason: 'no lease is valid' });
    leases.health = { ok: true, degraded: 'not renewed' };
    assert.deepEqual(await projector.check(), { ok: true, degraded: 'not renewed' });
  });

  it('writes no more once a later holder has written, reports it, and owns the shard again with a newer token', async () => {
    const first = await processes.join();
    await processes.settle();
    first.leases.isDisconnected = true;
    const second = await processes.join();
    await processes.settle();
    await send(1, 1);
    await processes.settle();
    await until(() => Promise.resolve(first.reported.join() === '0,2,3'));
    assert.match(JSON.stringify(await first.projector.check()), /shard 1 was taken over by another process/);
    await processes.kill(second);
    first.leases.isDisconnected = false;
    processes.divide();
    await send(1, 2);
    await processes.settle();
    assert.deepEqual(await first.projector.check(), { ok: true });
    assert.deepEqual(await processes.digests(), await processes.expectedDigests());
  });

  it('continues with a shard that it lost for a moment, under the same token', async () => {
    const { leases, projector } = await processes.join();
    await send(1, 1);
    await processes.settle();
    leases.grant(new Map());
    leases.grant(new Map([[1, 2]]));
    await send(1, 2);
    const head = await processes.log.events.head();
    await until(() => hasReached(projector, 'traces/1', head));
    assert.deepEqual((await projector.projections()).sort(), ['logs/1', 'metrics/1', 'traces/1']);
    processes.divide();
    await processes.settle();
    assert.deepEqual(await processes.digests(), await processes.expectedDigests());
  });

  it('uses plain projection names with a single shard', async () => {
    processes = new ProjectorProcesses(1);
    const { projector } = await processes.join();
    const position = await send(0, 1);
    await until(() => hasReached(projector, 'traces', position));
    assert.equal(await processes.store.count({ name: 'span-blocks.v1', indexes: [] }), 1);
    assert.equal((await projector.projections()).length, 14);
  });

  it('stops twice, and before it was started', async () => {
    const { projector } = await processes.join();
    await projector.stop();
    await projector.stop();
    assert.deepEqual(await projector.projections(), []);
  });
});

class FailingStore extends MemoryReadModelStore {
  fails = false;

  override commit(changes: readonly DocumentChange[], checkpoints: readonly Checkpoint[]): Promise<CommitResult> {
    return this.fails ? Promise.reject(new Error('away')) : super.commit(changes, checkpoints);
  }
}
