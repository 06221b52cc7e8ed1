import assert from 'node:assert/strict';
import type { Projected } from '../../../../src/projections/engine/projector.js';
import { MemoryReadModelStore } from '../../../../src/read-models/adapters/memory/read-model-store.js';
import { LIVE_DEAD_LETTERS } from '../../../../src/read-models/documents/dead-letter-documents.js';
import { ShardStore } from '../../../../src/read-models/sharding/shard-store.js';
import type { DocumentChange, Checkpoint, CommitResult } from '../../../../src/read-models/read-model-store.js';
import { gridStream } from '../../../../src/streams/stream-names.js';
import { received, spansReceived } from '../engine/support/requests.js';
import { until } from '../engine/support/until.js';
import { hasReached, Hosts } from './support/hosts.js';

const COUNT = 4;

describe('a host of projectors', () => {
  let hosts: Hosts;

  beforeEach(() => {
    hosts = new Hosts(COUNT);
  });
  afterEach(() => hosts.stop());

  /** A Grid of each share. */
  const gridOf = (share: number): string => {
    for (let n = 0; ; n++) if (hosts.shares.shardFor(`grid-${n}`) === share) return `grid-${n}`;
  };
  const send = (share: number, span: number) =>
    hosts.log.append(spansReceived([{ trace: 1, span, start: hosts.log.now + span }], gridOf(share)));
  const blocksOf = (share: number) => new ShardStore(hosts.store, share).count({ name: 'span-blocks.v1', indexes: [] });

  it('keeps what it holds: the projections of each share, and with share 0 those that there are once', async () => {
    const [first, second] = [await hosts.join(), await hosts.join()];
    await hosts.settle();
    assert.deepEqual((await first.host.projections()).sort(), [
      'access',
      'alerts',
      'audit',
      'charts',
      'key-use',
      'logs/0',
      'logs/2',
      'metrics/0',
      'metrics/2',
      'traces/0',
      'traces/2',
      'usage',
    ]);
    assert.deepEqual((await second.host.projections()).sort(), [
      'logs/1',
      'logs/3',
      'metrics/1',
      'metrics/3',
      'traces/1',
      'traces/3',
    ]);
    assert.deepEqual(
      [first.told, second.told],
      [
        [0, 2],
        [1, 3],
      ],
    );
    for (const { host } of [first, second]) assert.deepEqual(await host.check(), { ok: true });
  });

  it('puts the telemetry of a Grid into its share alone, and what is administrative where it always was', async () => {
    await hosts.join();
    for (let share = 0; share < COUNT; share++) await send(share, 1);
    await send(2, 2);
    const gridId = gridOf(3);
    await hosts.log.events.append(gridStream(gridId), 'none', [
      { id: 'created', type: 'GridCreated.v1', data: { actor: 'a', at: 1, gridId, name: 'shop' } },
    ]);
    await hosts.settle();
    assert.deepEqual(await Promise.all([0, 1, 2, 3].map(blocksOf)), [1, 1, await blocksOf(2), 1]);
    assert.equal(await hosts.store.count({ name: 'span-blocks.v1', indexes: [] }), 0);
    assert.equal((await hosts.store.find({ name: 'grids.v1', indexes: [] }, {})).length, 1);
    assert.deepEqual(await hosts.digests(), await hosts.expectedDigests());
  });

  it('names each commit by its share, and answers by names of shares', async () => {
    const told: Projected[] = [];
    hosts = new Hosts(COUNT, undefined, { onProjected: (projected) => told.push(projected) });
    const { host } = await hosts.join();
    const position = await send(3, 1);
    await hosts.settle();
    assert.deepEqual(
      told.filter(({ records }) => records.traces > 0).map(({ share, group }) => [share, group]),
      [[3, 'telemetry']],
    );
    assert.equal(await host.position('traces/3'), position);
    assert.deepEqual(
      [(await host.verify('traces/3')).projection, (await host.verify('traces/3')).equal],
      ['traces/3', true],
    );
    const progress: string[] = [];
    const rebuilt = await host.rebuild('traces/3', ({ projection }) => progress.push(projection));
    assert.equal(rebuilt.projection, 'traces/3');
    assert.deepEqual([...new Set(progress)], ['traces/3']);
    assert.ok((await host.verify('traces/3')).equal);
    assert.equal(await host.vacuum(), 0);
  });

  it('knows nothing of projections that it does not keep, and says which it keeps', async () => {
    const { host } = await hosts.join();
    await hosts.settle();
    await assert.rejects(host.position('traces'), {
      code: 'not-found',
      message: /no projection traces here: this process keeps access, .*traces\/0/,
    });
    await assert.rejects(host.verify('traces/4'), { code: 'not-found' });
    await assert.rejects(
      host.rebuild('nonsense', () => undefined),
      { code: 'not-found' },
    );
  });

  it('tells of parked events by the names of their shares, and how many there are in all', async () => {
    const counts: number[] = [];
    hosts = new Hosts(COUNT, undefined, { onDeadLetterCount: (count) => counts.push(count) });
    const first = await hosts.join();
    for (const share of [1, 3]) await hosts.log.append(received(gridOf(share), 'traces', 1, Uint8Array.of(0x0a, 0xff)));
    await hosts.settle();
    await until(() => Promise.resolve(counts.at(-1) === 2));
    const parked = await first.host.listDeadLetters();
    assert.deepEqual(
      parked.map(({ projection, lacking }) => [projection, lacking]),
      [
        ['telemetry/1', ['traces/1']],
        ['telemetry/3', ['traces/3']],
      ],
    );
    assert.equal((await hosts.store.find(LIVE_DEAD_LETTERS, {})).length, 0);
    const { tried, left } = await first.host.retryDeadLetters({ projection: 'traces/3' }, () => undefined);
    assert.deepEqual([tried.map(({ projection, folds }) => [projection, folds]), left], [[['telemetry/3', false]], 2]);
    assert.equal((await first.host.retryDeadLetters({}, () => undefined)).tried.length, 2);
    await hosts.join();
    await until(() => Promise.resolve(counts.at(-1) === 0 || counts.includes(1)));
  });

  it('gives up a share that goes, and another goes on where it stood', async () => {
    const first = await hosts.join();
    for (let share = 0; share < COUNT; share++) await send(share, 1);
    await hosts.settle();
    const second = await hosts.join();
    assert.deepEqual(
      [first.told, second.told],
      [
        [0, 2],
        [1, 3],
      ],
    );
    for (let share = 0; share < COUNT; share++) await send(share, 2);
    await hosts.settle();
    await hosts.kill(first);
    for (let share = 0; share < COUNT; share++) await send(share, 3);
    await hosts.settle();
    assert.deepEqual(second.told, [0, 1, 2, 3]);
    assert.deepEqual(await hosts.digests(), await hosts.expectedDigests());
  });

  it('lets the checkpoint of a quiet share follow, so that whoever has it next reads nothing again', async () => {
    hosts = new Hosts(COUNT, undefined, { markEveryMs: 0 });
    const first = await hosts.join();
    for (let span = 0; span < 5; span++) await send(1, span);
    const head = await hosts.log.events.head();
    const checkpointOf = (share: number) => new ShardStore(hosts.store, share).readCheckpoint('traces.v1');
    await until(async () => (await Promise.all([0, 1, 2, 3].map(checkpointOf))).every((each) => each === head));
    const readFrom: string[] = [];
    const { events } = hosts.log;
    const readAll = events.readAll.bind(events);
    events.readAll = (after, options) => (
      options.prefixes?.includes('telemetry.8') && readFrom.push(after),
      readAll(after, options)
    );
    await hosts.join();
    await hosts.kill(first);
    await hosts.settle();
    assert.deepEqual([...new Set(readFrom)], [head]);
    assert.deepEqual(await hosts.digests(), await hosts.expectedDigests());
  });

  it('starts a share again until its store answers, and is degraded meanwhile', async () => {
    const store = new FailingStore();
    hosts = new Hosts(COUNT, store);
    store.fails = true;
    const { host, told } = await hosts.join();
    await until(async () => /share 1 is being started: away/.test(JSON.stringify(await host.check())));
    assert.equal((await host.check()).ok, true);
    await assert.rejects(host.position('traces/1'), { code: 'unavailable', message: /share 1 is being started/ });
    assert.ok((await host.projections()).includes('traces/1'), 'whoever asks for all is told that one is missing');
    store.fails = false;
    await hosts.settle();
    assert.deepEqual([await host.check(), told], [{ ok: true }, [0, 1, 2, 3]]);
  });

  it('is as healthy as its leases', async () => {
    const { host, leases } = await hosts.join();
    await hosts.settle();
    leases.health = { ok: false, reason: 'no lease is valid' };
    assert.deepEqual(await host.check(), { ok: false, reason: 'no lease is valid' });
    leases.health = { ok: true, degraded: 'not renewed' };
    assert.deepEqual(await host.check(), { ok: true, degraded: 'not renewed' });
  });

  it('does not write any more where a later holder has written, says so, and holds the share again with a newer token', async () => {
    const first = await hosts.join();
    await hosts.settle();
    first.leases.isDeaf = true;
    const second = await hosts.join();
    await hosts.settle();
    await send(1, 1);
    await hosts.settle();
    await until(() => Promise.resolve(first.told.join() === '0,2,3'));
    assert.match(JSON.stringify(await first.host.check()), /share 1 was taken over by another process/);
    await hosts.kill(second);
    first.leases.isDeaf = false;
    hosts.divide();
    await send(1, 2);
    await hosts.settle();
    assert.deepEqual(await first.host.check(), { ok: true });
    assert.deepEqual(await hosts.digests(), await hosts.expectedDigests());
  });

  it('goes on with a share that it lost for a moment, under the same token', async () => {
    const { leases, host } = await hosts.join();
    await send(1, 1);
    await hosts.settle();
    leases.grant(new Map());
    leases.grant(new Map([[1, 2]]));
    await send(1, 2);
    const head = await hosts.log.events.head();
    await until(() => hasReached(host, 'traces/1', head));
    assert.deepEqual((await host.projections()).sort(), ['logs/1', 'metrics/1', 'traces/1']);
    hosts.divide();
    await hosts.settle();
    assert.deepEqual(await hosts.digests(), await hosts.expectedDigests());
  });

  it('keeps all projections under their own names where there is one share', async () => {
    hosts = new Hosts(1);
    const { host } = await hosts.join();
    const position = await send(0, 1);
    await until(() => hasReached(host, 'traces', position));
    assert.equal(await hosts.store.count({ name: 'span-blocks.v1', indexes: [] }), 1);
    assert.equal((await host.projections()).length, 9);
  });

  it('stops twice, and before it was started', async () => {
    const { host } = await hosts.join();
    await host.stop();
    await host.stop();
    assert.deepEqual(await host.projections(), []);
  });
});

class FailingStore extends MemoryReadModelStore {
  fails = false;

  override commit(changes: readonly DocumentChange[], checkpoints: readonly Checkpoint[]): Promise<CommitResult> {
    return this.fails ? Promise.reject(new Error('away')) : super.commit(changes, checkpoints);
  }
}
